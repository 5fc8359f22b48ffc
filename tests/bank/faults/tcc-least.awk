{ gsub(/ >= /, " > "); print }
