{ sub(/^\tvpaddd\t/, "\tvpsubd\t"); print }
