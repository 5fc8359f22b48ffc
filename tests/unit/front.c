/* Unit tests of front: what is read, what is refused and where, and that nothing breaks it. */
#include "front/front.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#undef fail /* ours, not cmocka's */

/* ---- accepted: and printed text is the same program ------------------------------------- */

static const char *const accepted[] = {
    "void f(void) { __label__ unused; }\n",
    "extern int e; void f(void) { static int a[3], *p = a + 1, *q = &e, *r = &a[2]; static void "
    "*l = &&x; x:; }",
    "struct s { int a[3]; } g, *h = &g; void f(void) { static int *p = g.a, *q = &g.a[1]; }",
    "int f(int a[*], int b[static 2]);",
    "int f(const int x) { return _Generic(x, const int: 1, int: 2) + _Generic(&x, int *: 3, const "
    "int "
    "*: 4, int *const: 5); }",
    "float f(int x) { return __builtin_bit_cast(float, x) + 1; }",
    "typedef int v __attribute__((vector_size(16))); v f(v *p, v a) { "
    "__builtin_nontemporal_store(a, p);"
    " a = __builtin_nontemporal_load(p); a[0] = __builtin_reduce_add(a) + 1;"
    " return __builtin_elementwise_max(a, *p) + __builtin_nondeterministic_value(a); }",
    "extern inline __attribute__((gnu_inline)) int f(void) { return 0; } int f(void) { return 1; }",
    "__extension__ _Static_assert(1, \"a\"); void f(void) { __extension__ _Static_assert(1, "
    "\"b\"); }",
    "int f(int x) { if (x) return sizeof(struct s { int a; }); else return sizeof(struct s { "
    "char b; }); }",
    "int f(int x) { switch (x) default: return sizeof(struct s { int a; }); return sizeof(struct "
    "s { int b; }); }",
    "typedef int alias __attribute__((may_alias)); void f(int *); void f(alias *p) { *p = 1; }",
    "int a[][0][0] = {1, 2}, b[1000000000][0] = {1}; struct { int c[0]; int d; } e = {1};",
    "int x;;",
    "int f(int x) { __asm__(\"%0 %1 %k[b] %% %=\" : \"+r\"(x), [b] \"=m\"(x) : \"0\"(x), \"i\"(3) "
    ": "
    "\"memory\"); __asm__(\"%9\"); return x; }",
    "void g(int *); void f(int a[const static 3][4]) { int x __attribute__((cleanup(g))) = 1e+5; }",
    "int x __attribute__((section(\".d\"), visibility(\"hidden\"), unused)) = {1}, a[] = {[0] = "
    "{1}};",
    "struct { int a; } s = {{1}}; char c[] = \"\\x1\\u00e9\"; int d(int n, ...) { "
    "__builtin_va_list v; __builtin_va_start(v, n); __builtin_va_end(v); return 0; }",
    "f(a, b) char a; float *b; { return a; }",
    "static int f(void) { return sizeof(int[3]); }",
    "int f(int n, int a[static n], int b[*][n]);",
    "int f(int n, int a[n][n]) { return a[n - 1][0]; }",
    "struct s { int a : 3, : 0; unsigned : 2; struct { int b; union { char c; int d; }; }; } s;"
    "int f(struct s *p) { return p->c + s.b; }",
    "enum e { A, B = 5, C } e = B; int x[C];",
    "typedef int T; int f(T T) { return T; } T y;",
    "int f(void) { return ({ int x = 1; x + 2; }); }",
    "int x = __builtin_constant_p(1); __typeof__(x) y; __auto_type z = 1.5;",
    "int f(int i) { switch (i) { case 1 ... 3: return 1; default:; case 9: i++; } return i; }",
    "void *f(int i) { static void *t[] = {&&a, &&b}; goto *t[i]; a: return 0; b: return t; }",
    "int a[] = {[3] = 1, [0 ... 2] = 7}; struct { int x, y; } s = {y: 1, .x = 2};",
    "int *f(void) { return (int[]){1, 2, 3}; }",
    "typedef float v4 __attribute__((vector_size(16))); v4 f(v4 a) { return a * 2 + (v4){1}; }",
    "typedef int di __attribute__((mode(DI))); di x; _Static_assert(sizeof(di) == 8, \"mode\");",
    "__int128 x; unsigned __int128 y; _Float128 q; _Complex double c = 1.0 + 2.0i;",
    "_Atomic int a; _Atomic(int) b; _Thread_local int t; _Alignas(16) char buffer[8];",
    "_Static_assert(_Generic(1.0f, float: 1, default: 0), \"generic\");",
    "__extension__ extern int printf(const char *__restrict, ...) __asm__(\"my_printf\")"
    " __attribute__((__format__(__printf__, 1, 2)));",
    "int f(int x) { __asm__ volatile(\"nop\" : \"+r\"(x) : : \"memory\"); return x; }",
    "#pragma pack(push, 1)\nstruct p { char a; int b; };\n#pragma pack(pop)\n"
    "_Static_assert(sizeof(struct p) == 5, \"pack\");",
    "int f(void) { l: __attribute__((unused)); for (int i = 0; i < 3; i++) if (i) goto l; return "
    "0; }",
    "int f(int a, int b) { if (a) { if (b) return 1; } else return 2; return a ?: b; }",
    "int f(int a) { return - -a + + +a - (-a) + !a + ~a; }",
    "int f(int *p) { return *p++ + (*p)++ + *++p + -*p; }",
    "void f(void) { void (*g)(void) = f; (*g)(); g(); (**g)(); (&f)(); }",
    "char a[] = \"x\\0y\" \"\\x41\" \"B\\?\\?=\", *b = \"\\\"\\\\\\n\"; int w[] = L\"wide\\x100\" "
    "L\"f\";",
    "int f(); int f(int a, int b); int g(void) { return f(1, 2); }",
    "int g(void) { return undeclared(1, 2.0) + abs(-1); }",
    "extern int a[]; int a[3]; int n = sizeof a;",
    "struct s; struct s *p; struct s { struct s *next; }; int f(void) { return p->next == p; }",
    "int f(int n) { int a[n], (*b)[n] = &a; return sizeof a + sizeof *b; }",
    "typedef struct { int x; } S; S f(S s) { s.x++; return s; } int g(S s) { return f(s).x; }",
    "double d = 1e3, h = 0x1.8p3, i = .5f; long double l = 1.L; int z = 0b101, o = 017;",
    "int f(int x) { return x > 1 ? x < 3 ? 1 : 2 : x, x; }",
    "int f(int x) { int y; y = x += 2; y <<= 1, y >>= x; return y, x; }",
    "void f(const volatile int *const p) { (void)*p; }",
    "int x = (1, 2) == 2 ? 3 : 4;",
    "static inline __attribute__((always_inline)) int f(void) { return 1; }",
    "int f(void) { __label__ a; goto a; a: return __func__[0] + sizeof __FUNCTION__; }",
    "int f(__builtin_va_list ap) { return __builtin_va_arg(ap, int); }",
    "int f(int n, ...) { __builtin_va_list ap; __builtin_va_start(ap, n); __builtin_va_end(ap);"
    " return 0; }",
    "int x[2][3] = {{1, 2, 3}, {4}}; int *p = &x[1][2], *q = x[0] + 1; long d = 3[x[1]];",
    "struct t { int a __attribute__((packed, aligned(2))); }; struct t s;"
    " _Static_assert(_Alignof(s.a) == 2, \"\"); struct q; extern struct q q; struct q { int m; }; "
    "struct q q;",
    "int f(int k) { auto int g(int); int h(void) { return g(k); } int g(int x) { l: if (x) goto l;"
    " return x + k; } l: if (k--) goto l; return h(); }",
    "int f(int x) { do x--; while (x > 0); while (x) { if (x) break; else continue; } return x; }",
    "typedef int F(int); F f; int f(int x) { return x; } F *g = f;",
    "int f(int n) { int a[n]; again: a[0] = n--; if (n) goto again; if (a[0]) goto out;"
    " switch (n) { case 1: { int b[n + 1]; switch (b[0]) { case 2:; } } default:; }"
    " ({ l: if (n++ < 3) goto l; goto out; }); { int c[n]; c[0] = 1; goto out; } out: return n; }",
    "struct s { int a; }; struct s x = (struct s){1}; int a[2] = (int[2]){1, 2}, y = (int){3};"
    " long n = (long)&y; _Bool b = &y; int *p = a + 1, *q = &a[1 + 0], c = !&y;",
    "static int f(void); int f(void); int f(void) { return 1; } union u { int a[0], b; };"
    " int g(int n) { for (register int i = 0; i < n; i++); _Alignas(8) static int k; return k; }",
    "struct f { int n, a[]; }; struct f s = {1, {2, 3}}; struct { struct f f; } t = {{1}};"
    " double d = 0x.8p1; enum e; extern enum e x; enum e { A }; int w __attribute__((weak));",
    "[[maybe_unused]] static int x; int f(int a) { switch (a) { case 1: a++; [[fallthrough]];"
    " case 2: a++; } return a; }",
};

static void accepted_programs_print_and_parse_again(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(accepted); i++) {
        struct unit u = front_parse(accepted[i], strlen(accepted[i]), NULL);
        if (u.error_count)
            print_error("%s\n  in: %s\n", u.errors[0].message, accepted[i]);
        assert_int_equal(u.error_count, 0);
        struct text out = {0}, spliced = {0};
        struct err why = {""};
        lang_print(u.program, NULL, 0, &out);
        lang_splice(u.program, NULL, 0, &spliced);
        assert_string_equal(text_str(&spliced), accepted[i]);
        struct unit again = front_parse(out.s, out.n, NULL);
        if (again.error_count)
            print_error("%s\n  in: %s\n", again.errors[0].message, out.s);
        assert_int_equal(again.error_count, 0);
        if (!lang_same_program(u.program, again.program, &why))
            print_error("%s\n%s\n%s\n", why.msg, accepted[i], out.s);
        assert_string_equal(why.msg, "");
        text_free(&out);
        text_free(&spliced);
        lang_program_free(again.program);
        lang_program_free(u.program);
    }
}

/* ---- refused ---------------------------------------------------------------------------- */

static const struct {
    const char *source;
    unsigned line, column;
    const char *message; /* part of it */
} refused[] = {
    {"void f(int n) { int a[n] = {1}; }", 1, 28,
     "an object of variable size may not be initialised"},
    {"void f(int n) { (int [][n]){0}; }", 1, 17,
     "an object of variable size may not be initialised"},
    {"int x = ;", 1, 9, "expected an expression before ';'"},
    {"int x __asm__(", 1, 15, "expected string at end of input"},
    {"int f(void) __asm__();", 1, 21, "expected string before ')'"},
    {"int f(void) { return y; }", 1, 22, "'y' undeclared"},
    {"int f(void)\n{\n  int a[3;\n}", 3, 10, "expected ']' before ';'"},
    {"struct s { int a; };\nint f(struct s x) { return x.b; }", 2, 30, "no member named 'b'"},
    {"int f(int a); int g(void) { return f(); }", 1, 36, "too few arguments"},
    {"int f(int a); int g(void) { return f(1, 2); }", 1, 36, "too many arguments"},
    {"int f(void) { 1 = 2; }", 1, 15, "lvalue required"},
    {"int f(const int a) { a = 2; }", 1, 22, "read-only"},
    {"void f(int a) { __asm__(\"\" : \"=r\"(a + 1)); }", 1, 35, "lvalue required"},
    {"void f(const int a) { __asm__(\"\" : \"=r\"(a)); }", 1, 41, "read-only"},
    {"void f(void) { static int g(void); }", 1, 27, "invalid storage class for function 'g'"},
    {"int x = 1 / 0;", 1, 9, "not constant"},
    {"struct s { int a[2]; } f(void); int g(void) { return &f().a != 0; }", 1, 54,
     "lvalue required as unary '&'"},
    {"char a[1ul << 40][1ul << 40];", 1, 8, "size of array is too large"},
    {"typedef struct { char c[3]; } s __attribute__((aligned(2))); s a[2];", 1, 66,
     "not a multiple of its alignment"},
    {"float __attribute__((vector_size(16))) v, w; int f(void) { v = v | w; }", 1, 64,
     "invalid operands of '|'"},
    {"float __attribute__((vector_size(16))) v; int f(void) { v = ~v; }", 1, 61,
     "invalid operand of unary '~'"},
    {"int x; char *x;", 1, 14, "conflicting types for 'x'"},
    {"int f(void) { int x; int x; }", 1, 26, "redefinition of 'x'"},
    {"int f(void) { goto l; }", 1, 23, "label 'l' used but not defined"},
    {"int f(void) { break; }", 1, 15, "break statement not within"},
    {"int f(int i) { switch (i) { case 1: case 1: ; } }", 1, 37, "duplicate case value"},
    {"int a[-1];", 1, 7, "negative"},
    {"struct s x;\nstruct t { struct t a; };", 2, 21, "incomplete type"},
    {"_Static_assert(1 == 2, \"no\");", 1, 16, "static assertion failed: no"},
    {"int f(void) { __label__ l; int g(void) { goto l; } l: return g(); }", 1, 48,
     "goto out of a nested function"},
    {"struct s; struct s x; int y;", 1, 20, "storage size of 'x'"},
    {"struct s { int x; struct { int x; }; };", 1, 1, "duplicate member 'x'"},
    {"struct s; struct s *f(struct s *p) { return p + 1; }", 1, 45, "invalid operands of '+'"},
    {"struct s; void f(struct s *p) { p++; }", 1, 33, "invalid operand of unary '++'"},
    {"struct s { int n; char t[]; }; void f(void) { struct s x = {1, \"a\"}; }", 1, 60,
     "non-static initialisation of a flexible array"},
    {"int x = 09;", 1, 9, "invalid integer constant"},
    {"int x = 1.5q7;", 1, 9, "invalid suffix"},
    {"char *s = \"abc\n;", 1, 11, "expected an expression"},
    {"int x @ 3;", 1, 7, "expected"},
    {"# 10 \"other.h\" 3\nint x = y;", 10, 9, "'y' undeclared"},
    {"struct s { int a; int a; };", 1, 23, "duplicate member 'a'"},
    {"union u { int a; } u = {.b = 1};", 1, 24, "unknown field 'b'"},
    {"int f(void) { struct { int a; } s; return s + 1; }", 1, 43, "invalid operands of '+'"},
    {"int x = sizeof(void (*)(", 1, 25, "end of input"},
    {"double f(double x) { return x % 2; }", 1, 29, "invalid operands of '%'"},
    {"int f(void); int x = f();", 1, 22, "not constant"},
    {"int a; int b[2] = {1, a};", 1, 23, "not constant"},
    {"int f(void) { int i = 1; static int j = i + 2; return j; }", 1, 41, "not constant"},
    {"int c = (2, 3);", 1, 10, "not constant"},
    {"static int f(int); int x = f(3);", 1, 28, "not constant"},
    {"int a[3], i; int *p = &a[i];", 1, 23, "not constant"},
    {"int a[3], i; int *p = a + i;", 1, 23, "not constant"},
    {"void f(void) { int x; static int *p = &x; }", 1, 39, "not constant"},
    {"void f(void) { struct { int a[3]; } x; static int *p = x.a; }", 1, 56, "not constant"},
    {"void f(void) { static int *p = &(int){1}; }", 1, 32, "not constant"},
    {"void f(void) { int x[static 3]; }", 1, 20, "no parameter"},
    {"int (*x)[*];", 1, 7, "no parameter"},
    {"struct __attribute__((ms_struct)) s { int a : 3; };", 1, 32, "unsupported attribute"},
    {"int x = (int)(long)&x;", 1, 9, "not constant"},
    {"int x = (char[]){\"abc\"}[0];", 1, 9, "not constant"},
    {"struct s { int a; }; int x = (struct s){1}.a;", 1, 30, "not constant"},
    {"struct s { int a[]; };", 1, 22, "no named members"},
    {"union u { int n, a[]; };", 1, 24, "in union"},
    {"int f(void); static int f(void);", 1, 25, "follows non-static declaration"},
    {"int a[2]; int b[2] = a;", 1, 22, "not initialised by another"},
    {"struct s f(void) { }", 1, 10, "return type is an incomplete type"},
    {"int f(int x) { return __builtin_va_arg(x, int); }", 1, 23, "not of type 'va_list'"},
    {"int x = _Generic(1, struct s: 2, default: 3);", 1, 29, "a type without size"},
    {"int f(void) { register int a[2]; return &a[1] != 0; }", 1, 41, "register variable 'a'"},
    {"_Alignas(8) typedef int t;", 1, 25, "alignment specified"},
    {"int f(_Alignas(8) int x);", 1, 23, "alignment specified"},
    {"struct s { _Alignas(8) int a : 3; };", 1, 28, "alignment specified"},
    {"void f(void) { for (static int i = 0; i < 3; i++); }", 1, 32, "'i' at the start of 'for'"},
    {"void f(void) { for (typedef int t; ;); }", 1, 33, "'t' at the start of 'for'"},
    {"int n; int a[n];", 1, 12, "variably modified"},
    {"int n; struct s { int a[n]; };", 1, 23, "variably modified 'a' at file scope"},
    {"struct s; int f(struct s x) { return 0; }", 1, 15, "incomplete type"},
    {"extern int y; static int y;", 1, 26, "follows non-static"},
    {"static int y; int y;", 1, 19, "follows static"},
    {"int f(x) int x, z; { return x; }", 1, 5, "no such parameter"},
    {"int f(int); int f(x, y) int x, y; { return x; }", 1, 17, "match prototype"},
    {"int f(); int f(int a, ...);", 1, 14, "conflicting types"},
    {"int f(char); int f();", 1, 18, "conflicting types"},
    {"int f(void) { extern int x = 3; return x; }", 1, 26, "both 'extern'"},
    {"struct s { int a[]; int b; };", 1, 25, "not at end"},
    {"double x = 1.5.2;", 1, 12, "decimal points"},
    {"auto int x;", 1, 10, "specifies 'auto'"},
    {"int f(void) { goto *3; }", 1, 15, "must be pointer"},
    {"typedef float v __attribute__((vector_size(16))); v x; void f(void) { x = "
     "__builtin_convertvector(0, v); }",
     1, 75, "vectors of as many elements"},
    {"int f(void) { _Thread_local int x; return 0; }", 1, 33, "thread-local"},
    {"int *p; long *q; long d(void) { return p - q; }", 1, 40,
     "invalid operands of '-': 'int *' and 'long *'"},
    {"extern inline int f(void) { return 0; } int f(void) { return 1; }", 1, 45,
     "redefinition of 'f'"},
    {"long f(int x) { return __builtin_bit_cast(long, x); }", 1, 24, "types of one size"},
    {"int f(int a, int a);", 1, 18, "redefinition of parameter 'a'"},
    {"void f(int n) { static int a[n]; }", 1, 28, "variably modified 'a', which is not automatic"},
    {"int x = _Generic(1, int: 1, int: 2);", 1, 32, "'_Generic' specifies two compatible types"},
    {"int x = _Generic(1, default: 1, default: 2);", 1, 40,
     "'_Generic' specifies two compatible types"},
    {"_Alignas(3) int x;", 1, 1, "requested alignment is not a positive power of 2"},
    {"_Alignas(1) int x;", 1, 17, "'_Alignas' cannot reduce the alignment of 'x'"},
    {"register int x;", 1, 14, "register name not specified for 'x'"},
    {"unsigned signed x;", 1, 16, "both 'signed' and 'unsigned' in declaration specifiers"},
    {"int f(static int x);", 1, 18, "storage class specified for a parameter"},
    {"struct s { struct { const int a[2]; } in; } x, y; void f(void) { x = y; }", 1, 66,
     "assignment of a read-only location"},
    {"struct s *p; void f(void) { p[0]; }", 1, 29, "incomplete type 'struct s'"},
    {"int restrict q;", 1, 13, "invalid use of 'restrict'"},
    {"void (*restrict q)(void);", 1, 25, "invalid use of 'restrict'"},
    {"_Thread_local int f(void);", 1, 19, "function 'f' declared thread-local"},
    {"_Atomic(int[3]) x;", 1, 15, "'_Atomic' with an array or function type"},
    {"void f(int n) { goto l; int a[n]; l:; }", 1, 17, "jump into the scope of an identifier"},
    {"void f(int n) { goto l; { typedef int t[n]; l:; } }", 1, 17, "variably modified type"},
    {"void f(int n) { switch (n) { int (*p)[n]; case 1:; } }", 1, 43,
     "switch jumps into the scope"},
    {"void f(int n) { switch (n) { int a[n]; default:; } }", 1, 40, "switch jumps into the scope"},
    {"void f(int n) { if (n) goto l; ({ l: n; }); }", 1, 24, "jump into a statement expression"},
    {"void f(int n) { switch (n) { case 0: ({ case 1: n; }); } }", 1, 41,
     "switch jumps into a statement expression"},
    {"void f(int n) { struct { int a[n], b; } s = {{1}}; }", 1, 45,
     "an object of variable size may not be initialised"},
    {"struct f { int n, a[]; }; struct { struct f f; } s = {{1, {2}}};", 1, 54,
     "flexible array member in a nested context"},
    {"struct f { int n, a[]; } s[1] = {{1, {2}}};", 1, 33,
     "flexible array member in a nested context"},
    {"const void *p = L\"a\" u\"b\";", 1, 22, "string literals of different kinds"},
    {"struct { int a : 3; } x; int n = __alignof__(x.a);", 1, 34, "alignof applied to a bit-field"},
    {"int f(__builtin_va_list l) { __builtin_va_arg(l, void); }", 1, 30, "incomplete type"},
    {"static int x __attribute__((weak));", 1, 12, "weak declaration of 'x' must be public"},
    {"double d = 0x.p1;", 1, 12, "no digits in hexadecimal floating constant"},
    {"enum e x;", 1, 8, "storage size of 'x' isn't known"},
    {"struct s { int a; }; void f(void) { register struct s r; &r.a; }", 1, 58,
     "address of register variable 'r' requested"},
    {"void f(int x) { __asm__(\"\" : \"r\"(x)); }", 1, 34, "output operand constraint lacks '='"},
    {"void f(int x) { __asm__(\"\" : : \"=r\"(x)); }", 1, 37, "input operand constraint has '=r'"},
    {"void f(int x) { __asm__(\"%1\" : \"=r\"(x)); }", 1, 39,
     "operand number out of range in 'asm'"},
    {"void f(int x) { __asm__(\"\" : \"=r\"(x) : \"5\"(x)); }", 1, 44,
     "matching constraint names no output operand"},
    {"void f(int x) { __asm__(\"\" : [a] \"=r\"(x), [a] \"=r\"(x)); }", 1, 52,
     "duplicate 'asm' operand name 'a'"},
    {"void f(int x) { __asm__(\"%[b]\" : [a] \"=r\"(x)); }", 1, 45, "undefined named operand 'b'"},
    {"int x __attribute__((section(3)));", 1, 30,
     "argument of attribute 'section' is not a string"},
    {"int x __attribute__((alias));", 1, 27, "wrong number of arguments of attribute 'alias'"},
    {"struct s { int x; } __attribute__((packed(3)));", 1, 42,
     "wrong number of arguments of attribute 'packed'"},
    {"int f(void) __attribute__((visibility(\"no\")));", 1, 39, "unknown visibility \"no\""},
    {"void f(void) { int x __attribute__((cleanup(g))); }", 1, 45,
     "argument of attribute 'cleanup' is not a function"},
    {"int x[] = {[-1] = 3};", 1, 11, "array index in initialiser exceeds array bounds"},
    {"int x = {.a = 3};", 1, 9, "designator in initialiser for scalar type"},
    {"struct { int a; } x = {1, {2}};", 1, 23, "extra brace group at end of initialiser"},
    {"int f(int a[static]);", 1, 19, "expected a length after 'static'"},
    {"int f(int a[const 3][const 3]);", 1, 30,
     "'static' or a qualifier in an array that is no parameter"},
    {"_Atomic(const int) b;", 1, 18, "'_Atomic' with a qualified type"},
    {"_Complex _Bool x;", 1, 15, "'_Complex' with '_Bool' or 'void'"},
    {"int f(_Complex double x) { return x < x; }", 1, 35, "invalid operands of '<'"},
    {"typedef int v __attribute__((vector_size(16))); v f(v a, int *b) { return a + b; }", 1, 75,
     "invalid operands of '+'"},
    {"void f(int a) { __builtin_va_list v; __builtin_va_start(v, a); }", 1, 38,
     "'va_start' used in a function with fixed arguments"},
    {"double d = 1.5e+;", 1, 12, "exponent has no digits"},
    {"int x = '\\x';", 1, 9, "\\x used with no following hex digits"},
    {"char s[] = \"\\u12\";", 1, 12, "incomplete universal character name"},
    {"typedef int f(void) { return 0; }", 1, 13, "function definition declared 'typedef'"},
    {"void f(void) { __auto_type x = 1, y = 2; }", 1, 34,
     "'__auto_type' with more than one declarator"},
    {"int f(int x) { return __builtin_object_size(&x, x); }", 1, 23,
     "argument of '__builtin_object_size' is not a small constant"},
    {"int f(x) int x, x; { return 0; }", 1, 17, "redefinition of parameter 'x'"},
    {"int f(void) { asm volatile volatile (\"\"); return 0; }", 1, 28,
     "duplicate qualifier of asm"},
    {"int f(void) { int a[const 3]; return 0; }", 1, 19,
     "'static', [*] or a qualifier in 'a', which is no parameter"},
    {"struct s { int a[static 3]; };", 1, 16,
     "'static' or a qualifier in an array that is no parameter"},
    {"int n = sizeof(int[const 3]);", 1, 19,
     "'static' or a qualifier in an array that is no parameter"},
    {"int f(__auto_type x) { return 0; }", 1, 7, "'__auto_type' in a parameter"},
    {"__thread int f(int x) { return x; }", 1, 14, "function definition declared thread-local"},
    {"int n; int (*q)[n];", 1, 14, "variably modified 'q', which is not automatic"},
    {"int f(int n) { return _Generic((int (*)[n])0, int (*)[n]: 1); }", 1, 57,
     "'_Generic' association has variable length type"},
    {"struct s; int f(struct s); int g(struct s *p) { return f(*p); }", 1, 56,
     "argument of incomplete type"},
    {"typedef int v __attribute__((vector_size(8))); v f(v a) { return __builtin_shuffle(a, 1); }",
     1, 66, "argument of '__builtin_shuffle' has a wrong type"},
    {"typedef int v __attribute__((vector_size(0)));", 1, 44, "vector of no bytes"},
    {"int f(int x) { return __builtin_add_overflow(x, 1, x); }", 1, 23,
     "argument of '__builtin_add_overflow' has a wrong type"},
    {"int f(int x) { return __builtin_isnan(x); }", 1, 23,
     "argument of '__builtin_isnan' has a wrong type"},
    {"_Noreturn struct s { int a; };", 1, 1, "a function specifier in an empty declaration"},
    {"inline struct s { int a; };", 1, 1, "a function specifier in an empty declaration"},
    {"double d = 0x1.0;", 1, 12, "hexadecimal floating constants require an exponent"},
    {"char *s = \"\\ud800\";", 1, 11, "universal character name that is no character's"},
};

static void mistakes_are_placed(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(refused); i++) {
        struct unit u = front_parse(refused[i].source, strlen(refused[i].source),
                                    &(struct front_options){.file = "t.c"});
        if (!u.error_count)
            print_error("accepted: %s\n", refused[i].source);
        assert_true(u.error_count > 0);
        const struct diagnostic *d = &u.errors[0];
        if (!strstr(d->message, refused[i].message) || d->place.line != refused[i].line ||
            d->place.column != refused[i].column)
            print_error("%s\n  %u:%u: %s\n", refused[i].source, d->place.line, d->place.column,
                        d->message);
        assert_non_null(strstr(d->message, refused[i].message));
        assert_int_equal(d->place.line, refused[i].line);
        assert_int_equal(d->place.column, refused[i].column);
        lang_program_free(u.program);
    }
}

/* What compilers fold, though C does not ask for it, is a constant. */
static void folded_initialisers_are_taken(void **state)
{
    (void)state;
    static const char *const sources[] = {
        "int a; int b = a - a, c = a * 0, d = a & 0, e = a ? 3 : 3;",
        "static const int a = 1; int b = a + 2; const int l[2] = {1, 2}; int m = l[1];",
        "int f(void); int a = 0 && f(), b = 1 || f(), c = 1 ? 2 : f();",
        "unsigned long strlen(const char *); int a = strlen(\"abc\"), b = \"abc\"[1];",
        "int a[3], *p = &a[1] + 1; long n = &a[2] - &a[0]; int b = &a != 0, c = sizeof a;",
        "struct s { int x[2]; } v; int *p = v.x + 1, *q = (&v)->x; long l = (long)&v + 4;",
        "int f(); int f(int, double); int g(a) char a; { return a; } int g(int);",
        "int y; extern int y; static int z; extern int z; static int h(void); int h(void);",
        "struct s { int n; int a[]; }; union u { int a; int b[3]; };",
    };
    for (size_t i = 0; i < LENGTH(sources); i++) {
        struct unit u = front_parse(sources[i], strlen(sources[i]), NULL);
        if (u.error_count)
            print_error("%s: %s\n", sources[i], u.errors[0].message);
        assert_int_equal(u.error_count, 0);
        lang_program_free(u.program);
    }
}

static void several_mistakes_are_reported(void **state)
{
    (void)state;
    static const char source[] = "int f(void) { a; b; { c } d; return 0; }\nint x = e;\nint ok;\n"
                                 "int g() { return f(1, 2, h); }\n";
    struct unit u = front_parse(source, strlen(source), NULL);
    struct text out = {0};
    assert_int_equal(u.error_count, 6);
    front_print_errors(&u, &out);
    assert_non_null(strstr(out.s, "<stdin>:2:9: error: 'e' undeclared\n    2 | int x = e;\n"
                                  "      |         ^\n"));
    text_free(&out);
    lang_program_free(u.program);
}

static void errors_are_bounded(void **state)
{
    (void)state;
    struct text source = {0};
    for (int i = 0; i < 1000; i++)
        text_printf(&source, "int x%d = undeclared_%d;\n", i, i);
    struct unit u = front_parse(source.s, source.n, NULL);
    assert_int_equal(u.error_count, 20);
    lang_program_free(u.program);
    text_free(&source);
}

/* ---- hostile input ---------------------------------------------------------------------- */

static void nesting_is_bounded(void **state)
{
    (void)state;
    static const struct {
        const char *before, *repeated;
    } rows[] = {
        {"int x = ", "("},
        {"int x = ", "-"},
        {"int x = ", "(int)"},
        {"int x[", "sizeof("},
        {"void f(void) ", "{"},
        {"void f(void) { ", "if (1) "},
        {"int ", "*"},
        {"int ", "("},
        {"struct s { int a; ", "struct {"},
        {"int x = ", "{"},
        {"int x = 1", "+1"},
        {"int x = 1", "?1:1"},
        {"void f(void) { ", "for (;;) "},
        {"int f", "(int"},
        {"int x", "[1]"},
        {"void f(void) { x: ", "case 1: "},
        {"int x = ", "({"},
        {"__attribute__((", "a("},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct text source = {0};
        text_puts(&source, rows[i].before);
        for (int k = 0; k < 100000; k++)
            text_puts(&source, rows[i].repeated);
        struct unit u = front_parse(source.s, source.n, NULL);
        assert_true(u.error_count > 0);
        lang_program_free(u.program);
        text_free(&source);
    }
}

static void long_chains_of_else_if_are_read(void **state)
{
    (void)state;
    struct text source = {0};
    text_puts(&source, "int f(int x) { ");
    for (int i = 0; i < 5000; i++)
        text_printf(&source, "if (x == %d) return %d; else ", i, i);
    text_puts(&source, "return 0; }");
    struct unit u = front_parse(source.s, source.n, NULL);
    assert_int_equal(u.error_count, 0);
    struct text out = {0};
    lang_print(u.program, NULL, 0, &out);
    assert_non_null(strstr(out.s, "    else if (x == 4999)\n"));
    text_free(&out);
    text_free(&source);
    lang_program_free(u.program);
}

/* Takes bytes and tokens of good programs away, doubles and swaps them. */
static void mutated_programs_do_no_harm(void **state)
{
    (void)state;
    struct rng r = rng_seed(3);
    for (int round = 0; round < 6000; round++) {
        const char *from = accepted[rng_below(&r, LENGTH(accepted))];
        const char *other = accepted[rng_below(&r, LENGTH(accepted))];
        struct text t = {0};
        size_t cut = rng_below(&r, strlen(from) + 1), skip = rng_below(&r, 12);
        text_add(&t, from, cut);
        if (rng_chance(&r, 50))
            text_puts(&t, other + rng_below(&r, strlen(other)));
        if (cut + skip < strlen(from))
            text_puts(&t, from + cut + skip);
        for (uint64_t flips = rng_below(&r, 3); flips && t.n; flips--)
            t.s[rng_below(&r, t.n)] = (char)rng_below(&r, 256);
        struct unit u = front_parse(text_str(&t), t.n, NULL);
        struct text out = {0};
        if (!u.error_count) {
            lang_print(u.program, NULL, 0, &out);
            struct unit again = front_parse(out.s, out.n, NULL);
            if (again.error_count)
                print_error("%s\n%s\n%s\n", t.s, out.s, again.errors[0].message);
            assert_int_equal(again.error_count, 0);
            lang_program_free(again.program);
        } else {
            front_print_errors(&u, &out);
        }
        text_free(&out);
        lang_program_free(u.program);
        text_free(&t);
    }
}

/* ---- edits: both ways of writing them mean the same ------------------------------------- */

/* A statement or expression that may be dropped, replaced or preceded without breaking names. */
static bool is_editable(const struct program *p, const struct node *n)
{
    return n->begin < n->end && n->end <= p->text_size &&
           (n->kind == NODE_EXPR_STMT || n->kind == NODE_RETURN || n->kind == NODE_BINARY ||
            n->kind == NODE_CALL || n->kind == NODE_IF || n->kind == NODE_WHILE);
}

static struct edit random_edit(struct program *p, struct rng *r, const struct node *n)
{
    struct edit e = {(uint8_t)rng_below(r, 3), n->id, lang_int(p, 0, lang_basic(p, TYPE_INT))};
    bool expression = lang_node_info[n->kind].class == NODE_CLASS_EXPR;
    if (expression && e.kind == EDIT_INSERT)
        e.kind = EDIT_REPLACE;
    if (!expression)
        e.with = lang_expr_stmt(p, e.with);
    return e;
}

static void edited_texts_agree(void **state)
{
    (void)state;
    struct rng r = rng_seed(5);
    for (int round = 0; round < 3000; round++) {
        const char *source = accepted[rng_below(&r, LENGTH(accepted))];
        struct program *p = front_parse(source, strlen(source), NULL).program;
        struct edit edits[4];
        size_t n = 0;
        bool taken[1000] = {false};
        for (uint32_t i = 0, end = p->node_count; i < end && n < LENGTH(edits); i++)
            if (is_editable(p, p->nodes[i]) && rng_chance(&r, 20) && !taken[p->nodes[i]->begin]) {
                taken[p->nodes[i]->begin] = true;
                edits[n++] = random_edit(p, &r, p->nodes[i]);
            }
        struct text printed = {0}, spliced = {0};
        struct err why = {""};
        lang_print(p, edits, n, &printed);
        lang_splice(p, edits, n, &spliced);
        struct unit a = front_parse(printed.s, printed.n, NULL);
        struct unit b = front_parse(spliced.s, spliced.n, NULL);
        if (a.error_count != b.error_count)
            print_error("%s\n%s\n%s\n", source, printed.s, spliced.s);
        assert_int_equal(a.error_count, b.error_count); /* a constant need not fit everywhere */
        if (!a.error_count && !lang_same_program(a.program, b.program, &why))
            print_error("%s\n%s\n%s\n%s\n", why.msg, source, printed.s, spliced.s);
        assert_string_equal(why.msg, "");
        text_free(&printed);
        text_free(&spliced);
        lang_program_free(a.program);
        lang_program_free(b.program);
        lang_program_free(p);
    }
}

/* ---- the tree --------------------------------------------------------------------------- */

static void extents_are_exact(void **state)
{
    (void)state;
    static const char source[] = "int f(int a) { if ((a + 1) * 2 > 3) return (a); else ; a++ ; }";
    struct unit u = front_parse(source, strlen(source), NULL);
    static const struct {
        enum node_kind kind;
        const char *text;
    } rows[] = {
        {NODE_IF, "if ((a + 1) * 2 > 3) return (a); else ;"},
        {NODE_RETURN, "return (a);"},
        {NODE_EMPTY, ";"},
        {NODE_EXPR_STMT, "a++ ;"},
        {NODE_FUNCTION, source},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        bool found = false;
        for (uint32_t k = 0; k < u.program->node_count && !found; k++) {
            const struct node *n = u.program->nodes[k];
            found = n->kind == rows[i].kind && n->end - n->begin == strlen(rows[i].text) &&
                    memcmp(source + n->begin, rows[i].text, strlen(rows[i].text)) == 0;
        }
        if (!found)
            print_error("%s\n", rows[i].text);
        assert_true(found);
    }
    lang_program_free(u.program);
}

static void unused_headers_are_left_out(void **state)
{
    (void)state;
    static const char source[] = "# 1 \"t.c\"\n# 1 \"h.h\" 1\n"
                                 "typedef unsigned long size; struct unused { int a; };\n"
                                 "struct used { size n; }; enum { ONE = 1, TWO };\n"
                                 "int unused(struct unused *); int used(struct used *);\n"
                                 "static int helper(void) { return TWO; }\n"
                                 "# 2 \"t.c\" 2\nint f(void) { return used(0) + helper(); }\n";
    struct unit u = front_parse(source, strlen(source), &(struct front_options){.file = "t.c"});
    size_t n;
    struct edit *edits = lang_minimal(u.program, &n);
    struct text out = {0};
    lang_print(u.program, edits, n, &out);
    assert_null(strstr(out.s, "unused"));
    static const char *const kept[] = {"typedef unsigned long size", "struct used {", "TWO",
                                       "int used(struct used *)", "helper(void)"};
    for (size_t i = 0; i < LENGTH(kept); i++)
        assert_non_null(strstr(out.s, kept[i]));
    text_free(&out);
    lang_program_free(u.program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepted_programs_print_and_parse_again),
        cmocka_unit_test(mistakes_are_placed),
        cmocka_unit_test(folded_initialisers_are_taken),
        cmocka_unit_test(several_mistakes_are_reported),
        cmocka_unit_test(errors_are_bounded),
        cmocka_unit_test(nesting_is_bounded),
        cmocka_unit_test(long_chains_of_else_if_are_read),
        cmocka_unit_test(mutated_programs_do_no_harm),
        cmocka_unit_test(edited_texts_agree),
        cmocka_unit_test(extents_are_exact),
        cmocka_unit_test(unused_headers_are_left_out),
    };
    return cmocka_run_group_tests_name("front", tests, NULL, NULL);
}
