/* getopt and getopt_long: order, abbreviations, arguments, mistakes. */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>

static int flag;
static const struct option longs[] = {{"alpha", no_argument, 0, 'a'},
                                      {"beta", required_argument, 0, 'b'},
                                      {"gamma", optional_argument, 0, 'g'},
                                      {"flag", no_argument, &flag, 7},
                                      {"flat", no_argument, 0, 't'},
                                      {0, 0, 0, 0}};

static void parse(const char *letters, int takes_long, char **argv)
{
    int argc = 0, c, row = -1;
    while (argv[argc])
        argc++;
    optind = 0;
    opterr = 0;
    while ((c = takes_long ? getopt_long(argc, argv, letters, longs, &row)
                           : getopt(argc, argv, letters)) != -1) {
        printf("%d %s at %d, row %d", c, optarg ? optarg : "-", optind, row);
        printf(c == '?' || c == ':' ? ", %d\n" : "\n", optopt);
    }
    printf("flag %d, %d:", flag, optind);
    for (int i = 1; i < argc; i++)
        printf(" %s", argv[i]);
    puts("");
}

#define WORDS(...) ((char *[]){"p", __VA_ARGS__, 0})

int main(void)
{
    for (int both = 0; both < 2; both++) {
        parse("ab:g::x", both, WORDS("one", "-a", "two", "-b", "x", "-gq", "four", "-g", "five"));
        parse("ab:g::x", both, WORDS("-ab", "--beta=3", "x", "y", "--", "-a", "z"));
        parse("ab:g::x", both, WORDS("--alp", "--be", "4", "--gamma=5", "--flag", "p", "--fla"));
        parse("ab:g::x", both, WORDS("-q", "--nope", "--alpha=3", "x", "-b"));
        parse("+ab:", both, WORDS("-a", "x", "-b", "y"));
        parse("-ab:", both, WORDS("-a", "x", "-b", "y", "z"));
        parse(":ab:", both, WORDS("-q", "x", "-a", "-b"));
        parse("a", both, WORDS("p", "-a", "-", "--", "q", "-a"));
    }
    return 0;
}
