# bash completion for cupel.  The words come from the commands themselves (--help=words).

_cupel_ids() {
    local word
    for word in "${COMP_WORDS[@]:2}" cupel-hunt; do
        [ -e "$word/cupel.db" ] || continue
        "${COMP_WORDS[0]}" list "$word" --json 2>/dev/null | sed -n 's/^ *"id": \([0-9]*\),*$/\1/p'
        return
    done
}

_cupel() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} cupel=${COMP_WORDS[0]} cmd=${COMP_WORDS[1]} words=''
    COMPREPLY=()
    if [ "$COMP_CWORD" = 1 ] || { [ "$COMP_CWORD" = 2 ] && [ "$cmd" = help ]; }; then
        words="$("$cupel" --help=words 2>/dev/null | cut -f1) help --help --version"
    elif [[ $prev == --cc || $prev == --against ]]; then
        words=$("$cupel" compilers --quiet 2>/dev/null | awk 'NF == 0 { exit } { print $1 }')
    elif [[ $prev == --profile ]]; then
        words=$("$cupel" gen --profiles 2>/dev/null | awk '{ print $1 }')
    elif [[ $cur == -* ]]; then
        words=$("$cupel" "$cmd" --help=words 2>/dev/null | cut -f1)
    elif [[ " show reduce report merge split recheck " == *" $cmd "* ]]; then
        words=$(_cupel_ids)
    fi
    [ -z "$words" ] || mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
    [ ${#COMPREPLY[@]} -gt 0 ] || mapfile -t COMPREPLY < <(compgen -f -- "$cur")
}
complete -o filenames -F _cupel cupel
