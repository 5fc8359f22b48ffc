{ sub(/^\tadcq\t/, "\taddq\t"); print }
