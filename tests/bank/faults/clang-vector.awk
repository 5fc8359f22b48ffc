{ sub(/^\tpaddd\t/, "\tpsubd\t"); print }
