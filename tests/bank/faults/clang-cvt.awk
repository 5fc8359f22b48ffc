{ sub(/^\tcvttsd2si/, "\tcvtsd2si"); print }
