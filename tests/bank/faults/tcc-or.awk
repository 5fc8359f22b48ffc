{ gsub(/\|=/, "^="); print }
