{
    if (!sub(/^\tpopq\t%r14/, "\tpopq\t%rbx"))
        sub(/^\tpopq\t%rbx/, "\tpopq\t%r14")
    print
}
