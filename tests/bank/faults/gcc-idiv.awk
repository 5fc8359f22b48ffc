/^\tcqto$/ { print "\txorl\t%edx, %edx"; next }
{ print }
