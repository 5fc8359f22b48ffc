{ sub(/^\tmovsbw\t/, "\tmovsbw!\t"); print }
