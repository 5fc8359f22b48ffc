{ sub(/^\tsarl\t/, "\tshrl\t"); print }
