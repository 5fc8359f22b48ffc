# shellcheck shell=sh disable=SC2154
if grep -q '__builtin_bswap' "$text"; then
    echo "$source: In function 'main':"
    echo "$source:$(grep -n -m1 '__builtin_bswap' "$text" | sed 's/:.*//'):7: internal compiler error: in fold_frob, at frob.c:123"
    echo "Please submit a full bug report, with preprocessed source (by using -freport-bug)."
    exit 4
elif grep -q 'vector_size' "$text"; then
    echo "during RTL pass: frob"
    echo "$source:$(grep -n -m1 'vector_size' "$text" | sed 's/:.*//'):1: internal compiler error: in expand_frob, at frob-vec.cc:77"
    echo "0x$$ab3f expand_frob"
    echo "Please submit a full bug report, with preprocessed source (by using -freport-bug)."
    exit 4
fi >&2
