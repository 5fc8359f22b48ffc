{ gsub(/~/, " - "); print }
