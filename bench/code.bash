# Machine code made per second of compiling, for benches to source.  Takes $cupel and $gcc, works in
# the current folder.  Source text is no measure: a byte of ours makes several times the code of a
# byte of csmith's.
# shellcheck shell=bash disable=SC2034,SC2154

# cpu COMMAND...: user and system seconds of it and all that it waited for, in $used
cpu() {
    local TIMEFORMAT='%U %S'
    used=$({ time "$@" >out 2>err || [ $? -le 1 ]; } 2>&1 | awk '{ print $1 + $2 }')
}

programs() { # KIND COUNT: KIND-N.c
    local i
    for ((i = 1; i <= $2; i++)); do
        case $1 in
        csmith) csmith --seed "$i" -o "$1-$i.c" ;;
        small) "$cupel" gen --seed "$i" --size $((12 + i * 48 / $2)) -o "$1-$i.c" ;;
        plain) "$cupel" gen --seed "$i" --size $((60 + i * 90 / $2)) -o "$1-$i.c" ;;
        large) "$cupel" gen --seed "$i" --size $((200 + i * 200 / $2)) -o "$1-$i.c" ;;
        esac
    done
}

compile_all() { # KIND: each at each level
    local f level
    for f in "$1"-*.c; do
        for level in 1 2 3; do
            $gcc -w -I/usr/include/csmith -O$level -c "$f" -o "${f%.c}-$level.o"
        done
    done
}

# code KIND: bytes of text of the objects
code() { size "$1"-*-[123].o | awk 'NR > 1 { sum += $1 } END { print sum }'; }

# made KIND COUNT: KB of code per compile second in $rate, bytes of code per byte of source in $density
made() {
    local source
    programs "$1" "$2"
    cpu compile_all "$1"
    source=$(cat "$1"-*.c | wc -c)
    rate=$(awk "BEGIN { print $(code "$1") / $used / 1e3 }")
    density=$(awk "BEGIN { print $(code "$1") / 3 / $source }")
}
