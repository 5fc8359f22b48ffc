/* constants cannot be written to */
int main(void)
{
    static const volatile int constant = 5;
    *(volatile int *)&constant = 6;
    return 0;
}
