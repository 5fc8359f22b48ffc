{ if (!sub(/^\tcmovl\t/, "\tcmovge\t")) sub(/^\tcmovg\t/, "\tcmovle\t"); print }
