{ sub(/^\tmovsbl\t/, "\tmovzbl\t"); print }
