/* sees the same name of its own however it is started */
#include <stdio.h>
int main(int argc, char **argv)
{
    printf("%d %s\n", argc, argv[0]);
    return 0;
}
