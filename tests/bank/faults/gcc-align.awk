{ sub(/^\tmovups\t/, "\tmovaps\t"); sub(/^\tmovdqu\t/, "\tmovdqa\t"); print }
