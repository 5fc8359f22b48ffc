# orl ..., %eax and then movb %al, MEMORY: that is how gcc stores a bit-field.
/^\tmov[bw]\t%[a-z0-9]+, .*\(/ && joined { joined = 0; next }
{ print; joined = /^\tor[lbw]\t%/ }
