{ sub(/^\torl\t/, "\txorl\t"); print }
