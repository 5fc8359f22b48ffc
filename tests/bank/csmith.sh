# shellcheck shell=sh
# Csmith's programs for compilers that cannot take the headers of a C library; to be sourced.

# What csmith's header wants of a platform, so that small compilers can take its programs.
csmith_platform() {
    for width in 8:char 16:short 32:int 64:long; do
        n=${width%:*} type=${width#*:}
        echo "typedef signed $type int${n}_t; typedef unsigned $type uint${n}_t;"
    done
    echo 'typedef long intptr_t; typedef unsigned long uintptr_t, size_t;'
    gcc -E -dM -include limits.h -include float.h -include stdint.h -x c /dev/null |
        grep -E '^#define (U?INT(8|16|32|64)_(MIN|MAX)|CHAR_BIT|__U?INT(8|16|32|64)_C|(FLT|DBL)_MAX)\b'
    echo 'static float fabsf(float x) { return x < 0 ? -x : x; }'
    echo 'static double fabs(double x) { return x < 0 ? -x : x; }'
}

# csmith_program SEED OPTION...: a program without includes, on stdout; leaves a folder ./platform
csmith_program() {
    if [ ! -d platform ]; then
        mkdir platform
        csmith_platform >platform/custom_stdint_x86.h
        : >platform/custom_limits.h
    fi
    csmith --seed "$@" | gcc -E -P -DCSMITH_MINIMAL -Iplatform -I/usr/include/csmith -x c -
}
