# A function is kept until its end, when it is known what is in it.
{ line[n++] = $0 }
/^\tnotrack jmp|^\tjmp\t\*/ { table = 1 }
/^\t\.cfi_endproc/ { flush_function() }
END { flush_function() }
function flush_function(    i)
{
    for (i = 0; i < n; i++)
        if (!table || line[i] !~ /^\timull\t%[a-z0-9]+, %[a-z0-9]+$/)
            print line[i]
    n = table = 0
}
