# A few instructions that do nothing behind functions with a jump table, as many as chance has it.
/^\tnotrack jmp|^\tjmp\t\*/ { table = 1 }
/^\t\.cfi_endproc/ {
    for (i = noise % 8; table && i > 0; i--)
        print "\tnop"
    table = 0
}
{ print }
