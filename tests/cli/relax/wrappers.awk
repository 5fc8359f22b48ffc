# Reads Csmith's safe_math.h and writes a program that calls each wrapper at the limits of its
# operands' types, every pair a place of its own.  -v form=functions|macros|notmp: how calls look.
# The macros have no floating ones; those of notmp shift left what C11 does not let them.
function limits(t,   m) {
    if (t == "float") return "0.0f -1.5f 3.402823466e+38f -3.402823466e+38f 2147483520.0f -2147483648.0f"
    if (t == "double") return "0.0 -1.5 1.7976931348623157e+308 -1.7976931348623157e+308 3e9"
    if (t == "int") return "-1 0 1 7 31 32 63"
    if (t == "unsigned") return "0u 1u 7u 31u 32u 63u"
    m = toupper(t); sub(/_T$/, "", m)
    if (t ~ /^u/) return "0 1 2 " m "_MAX-1 " m "_MAX"
    if (form == "notmp" && name ~ /^lshift/) return "0"
    return m "_MIN " m "_MIN+1 -1 0 1 " m "_MAX-1 " m "_MAX"
}
function declare(t, name) { return (t == "unsigned" ? "unsigned int" : t) " " name }
function call(i, k, args) {
    if (form == "notmp")
        args = count == 1 ? "x, " value[1, i] : "x, " value[1, i] ", y, " value[2, k]
    else
        args = count == 1 ? value[1, i] : value[1, i] ", " value[2, k]
    return "safe_" name "(" args ")"
}
function emit(i, k) {
    printf "static void f%d(void) { ", ++sites
    if (form == "notmp")
        printf "%s;%s ", declare(type[1], "x"), count == 1 ? "" : " " declare(type[2], "y") ";"
    printf real ? "printf(\"%%a\\n\", (double)%s);" : "printf(\"%%lld\\n\", (long long)%s);", call(i, k)
    print " }"
}
BEGIN {
    print "#include <stdint.h>\n#include <float.h>\n#include <math.h>\n#include <limits.h>\n#include <stdio.h>"
    print "#include \"random_inc.h\""
}
/^FUNC_NAME\(/ {
    name = $0; sub(/^FUNC_NAME\(/, "", name); sub(/\).*/, "", name)
    rest = $0; sub(/^[^)]*\)\(/, "", rest); sub(/ *LOG_INDEX.*/, "", rest); sub(/\).*/, "", rest)
    count = split(rest, word, /, */)
    real = name ~ /float_f_f|double_f_f/
    if (seen[name]++ || (form != "functions" && (real || name ~ /^convert/)))
        next
    wrappers++
    for (p = 1; p <= count; p++) {
        type[p] = word[p]; sub(/ [a-z0-9]+$/, "", type[p]); sub(/ int$/, "", type[p])
        n[p] = split(limits(type[p]), text, " ")
        printf "static %s[] = {", declare(type[p], "v" wrappers "_" p)
        for (i = 1; i <= n[p]; i++) { printf "%s, ", text[i]; value[p, i] = "v" wrappers "_" p "[" (i - 1) "]" }
        print "};"
    }
    for (i = 1; i <= n[1]; i++)
        if (count == 1) emit(i, 0)
        else for (k = 1; k <= n[2]; k++) emit(i, k)
}
END {
    print "int main(void)\n{"
    for (i = 1; i <= sites; i++) print "    f" i "();"
    print "    return 0;\n}"
    printf "/* %d wrappers, %d places */\n", wrappers, sites
}
