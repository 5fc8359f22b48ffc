# movl $COUNT, %ecx ... rep movsq
/^\tmovl\t\$[0-9]+, %ecx$/ { hold() ; held = $0; next }
/^\trep / { if (held != "") shorten() }
/:$|^\tcall|^\tj/ { hold() }
{ if (held == "") print; else kept = kept $0 "\n" }
/^\trep / { hold() }
END { hold() }
function hold()
{
    if (held != "")
        printf "%s\n%s", held, kept
    held = kept = ""
}
function shorten(    part)
{
    split(held, part, /[$,]/)
    held = "\tmovl\t$" (part[2] - 1) ", %ecx"
}
