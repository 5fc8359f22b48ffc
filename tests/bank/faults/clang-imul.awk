/^\timull\t\$[0-9]+,/ { split($2, part, /[$,]/); sub(/\$[0-9]+/, "$" (part[2] - 1)) }
{ print }
