/* Volatile characters that are copied one by one. */
static volatile char port[4] = "abc";
static volatile char *at(void)
{
    return port;
}
int main(void)
{
    char text[4] = "";
#if CASE == 1
    char *p = (char *)at();
    for (int i = 0; i < 4; i++)
        text[i] = p[i];
#elif CASE == 2
    char *p = (char *)port;
    *p = text[0];
#elif CASE == 3
    char *p = (char *)at();
    for (int i = 0; i < 4; i++)
        text[i] = ((volatile char *)p)[i];
#else
    volatile char *p = text;
    *p = port[1];
    char *q = (char *)p;
    text[1] = *q;
#endif
    return text[0] == 'z';
}
