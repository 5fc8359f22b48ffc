{
    sub(/^\tsetb\t/, "\tsetbe\t")
    sub(/^\tjb\t/, "\tjbe\t")
    sub(/^\tsetnb\t/, "\tseta\t")
    sub(/^\tjnb\t/, "\tja\t")
    print
}
