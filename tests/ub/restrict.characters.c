/* Characters that are copied one by one, set or not. */
static void copy(char *restrict to, const char *restrict from, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = from[i];
}
static void swap(char *restrict a, char *restrict b)
{
    char t = *a;
    *a = *b;
    *b = t;
}
int main(void)
{
    char text[8] = "abcdef";
#if CASE == 1
    copy(text + 1, text, 3);
#elif CASE == 2
    swap(text, text);
#elif CASE == 3
    copy(text + 3, text, 3);
#else
    swap(text, text + 1);
#endif
    return text[0] == 'z';
}
