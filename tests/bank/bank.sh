# shellcheck shell=sh
# The bank's table, for those who source this.  Needs: bank is the folder of this file.

# bank_names: every row's name
bank_names() {
    awk '!/^#/ { print $1 }' "${bank:?}/table"
}

# bank_field NAME COLUMN: one field of a row, by the column's title
bank_field() {
    awk -F '[ \t]*[|][ \t]*' -v name="$1" -v title="$2" '
        /^# name/ { for (i = 1; i <= NF; i++) if ($i == title) column = i }
        $1 == name { print $column }' "${bank:?}/table"
}

# bank_wrap DIR NAME: the row's compiler as a command of its own, DIR/NAME
bank_wrap() {
    printf '#!/bin/sh\nexec "%s/faulty" %s "$@"\n' "${bank:?}" "$2" >"$1/$2"
    chmod +x "$1/$2"
}
