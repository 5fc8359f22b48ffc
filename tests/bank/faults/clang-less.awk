{
    sub(/^\tsetl\t/, "\tsetle\t")
    sub(/^\tsetge\t/, "\tsetg\t")
    print
}
