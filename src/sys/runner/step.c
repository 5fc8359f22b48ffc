/* Executes a linked program instruction by instruction, from the beginning of main to its return,
 * and takes down which of the program's own instructions touch the stack or the watched objects.
 * For x86-64 and i386 executables; slow, so there is a limit.  What the C library does is not
 * looked at: it runs until it returns.
 *
 * Never guesses what an instruction does: its bytes go to the log, and who reads that decodes them.
 * Where something is not as it should be, the log is marked as cut, and says nothing. */
#include "sys/runner/runner.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_CODE = 1 << 20, RED_ZONE = 128, BREAKPOINT = 0xcc };

/* ---- the executable ---------------------------------------------------------------------- */

struct image {
    const uint8_t *file;
    size_t size;
    bool narrow;        /* of i386 */
    Elf64_Ehdr header;  /* as if it were of 64 bits, like all that follows */
    uint64_t bias;      /* address of a place in the process, less that in the file */
    uint8_t *code;      /* what is executable, as it is in the process, and some bytes */
    uint64_t code_from; /* where that is in the process */
    uint64_t code_size;
    uint64_t main;
};

static bool is_inside(const struct image *im, uint64_t offset, uint64_t size)
{
    return offset <= im->size && size <= im->size - offset;
}

static bool map_image(struct image *im, const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    im->size = fstat(fd, &st) == 0 ? (size_t)st.st_size : 0;
    void *p = im->size ? mmap(NULL, im->size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    close(fd);
    im->file = p == MAP_FAILED ? NULL : p;
    return im->file;
}

static bool read_header(struct image *im)
{
    Elf32_Ehdr h;
    if (im->size < sizeof im->header || memcmp(im->file, ELFMAG, SELFMAG) != 0)
        return false;
    memcpy(&im->header, im->file, sizeof im->header);
    im->narrow = im->file[EI_CLASS] == ELFCLASS32;
    if (!im->narrow)
        return im->header.e_machine == EM_X86_64;
    memcpy(&h, im->file, sizeof h);
    im->header.e_entry = h.e_entry;
    im->header.e_phoff = h.e_phoff;
    im->header.e_shoff = h.e_shoff;
    im->header.e_phnum = h.e_phnum;
    im->header.e_shnum = h.e_shnum;
    return h.e_machine == EM_386;
}

static bool read_segment(const struct image *im, unsigned i, Elf64_Phdr *out)
{
    Elf32_Phdr p;
    uint64_t size = im->narrow ? sizeof p : sizeof *out, at = im->header.e_phoff + i * size;
    if (!is_inside(im, at, size))
        return false;
    if (!im->narrow) {
        memcpy(out, im->file + at, sizeof *out);
        return true;
    }
    memcpy(&p, im->file + at, sizeof p);
    *out = (Elf64_Phdr){.p_type = p.p_type,
                        .p_flags = p.p_flags,
                        .p_offset = p.p_offset,
                        .p_vaddr = p.p_vaddr,
                        .p_filesz = p.p_filesz};
    return true;
}

static bool read_section(const struct image *im, unsigned i, Elf64_Shdr *out)
{
    Elf32_Shdr s;
    uint64_t size = im->narrow ? sizeof s : sizeof *out, at = im->header.e_shoff + i * size;
    if (i >= im->header.e_shnum || !is_inside(im, at, size))
        return false;
    if (!im->narrow) {
        memcpy(out, im->file + at, sizeof *out);
        return true;
    }
    memcpy(&s, im->file + at, sizeof s);
    *out = (Elf64_Shdr){.sh_type = s.sh_type,
                        .sh_flags = s.sh_flags,
                        .sh_offset = s.sh_offset,
                        .sh_size = s.sh_size,
                        .sh_link = s.sh_link};
    return true;
}

static Elf64_Sym symbol_at(const struct image *im, uint64_t at)
{
    Elf32_Sym s;
    Elf64_Sym out;
    if (!im->narrow) {
        memcpy(&out, im->file + at, sizeof out);
        return out;
    }
    memcpy(&s, im->file + at, sizeof s);
    return (Elf64_Sym){.st_name = s.st_name,
                       .st_info = s.st_info,
                       .st_shndx = s.st_shndx,
                       .st_value = s.st_value,
                       .st_size = s.st_size};
}

/* Symbols of that name of a type that is data, or else a function: how many, and the last one. */
static size_t find_symbol(const struct image *im, const char *name, bool data, Elf64_Sym *found)
{
    Elf64_Shdr table, strings;
    size_t n = 0, each = im->narrow ? sizeof(Elf32_Sym) : sizeof(Elf64_Sym);
    for (unsigned i = 0; read_section(im, i, &table); i++) {
        if (table.sh_type != SHT_SYMTAB || !read_section(im, table.sh_link, &strings) ||
            !is_inside(im, table.sh_offset, table.sh_size) ||
            !is_inside(im, strings.sh_offset, strings.sh_size) || !strings.sh_size ||
            im->file[strings.sh_offset + strings.sh_size - 1])
            continue;
        for (uint64_t k = 0; k + each <= table.sh_size; k += each) {
            Elf64_Sym s = symbol_at(im, table.sh_offset + k);
            unsigned type = ELF64_ST_TYPE(s.st_info);
            bool fits = data ? type == STT_OBJECT || type == STT_NOTYPE : type == STT_FUNC;
            if (!fits || s.st_shndx == SHN_UNDEF || s.st_name >= strings.sh_size)
                continue;
            const char *symbol = (const char *)im->file + strings.sh_offset + s.st_name;
            if (data ? !loader_is_name_of(symbol, name) : strcmp(symbol, name) != 0)
                continue;
            *found = s;
            n++;
        }
    }
    return n;
}

static void find_objects(const struct image *im, char *const *watches, struct watch_log *log,
                         struct watch_range *ranges)
{
    for (uint32_t i = 0; i < log->count; i++) {
        char *name;
        Elf64_Sym s = {0};
        uint64_t size = strtoull(watches[i], &name, 10);
        size_t n = find_symbol(im, name + (*name == ' '), true, &s);
        ranges[i] = (struct watch_range){0};
        log->state[i] = !n ? SYS_GONE : n > 1 || s.st_size != size ? SYS_UNCLEAR : SYS_WATCHED;
        if (log->state[i] == SYS_WATCHED)
            ranges[i] = (struct watch_range){.start = s.st_value + im->bias,
                                             .end = s.st_value + im->bias + size};
    }
}

/* ---- the process --------------------------------------------------------------------------- */

struct stepping {
    pid_t pid;
    struct image im;
    struct watch_log *log;
    const struct watch_range *ranges;
    double deadline;
    struct user_regs_struct regs;
    uint64_t stack_top; /* what main was entered with */
    int signal;         /* to be given to it */
    bool ending;        /* it is about to end */
    uint32_t steps;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool peek(const struct stepping *s, uint64_t at, void *to, size_t n)
{
    for (size_t i = 0; i < n; i += sizeof(long)) {
        errno = 0;
        long word = ptrace(PTRACE_PEEKDATA, s->pid, at + i, NULL);
        if (errno)
            return false;
        memcpy((char *)to + i, &word, n - i < sizeof word ? n - i : sizeof word);
    }
    return true;
}

static bool poke_byte(const struct stepping *s, uint64_t at, uint8_t byte)
{
    uint64_t word;
    if (!peek(s, at, &word, sizeof word))
        return false;
    memcpy(&word, &byte, 1);
    return ptrace(PTRACE_POKEDATA, s->pid, at, word) == 0;
}

/* Waits until it stands; false when it has ended, which whoever reaps it will see, is about to, or
 * takes too long. */
static bool wait_stop(struct stepping *s)
{
    siginfo_t info;
    int status;
    for (unsigned looks = 0;; looks++) {
        info.si_pid = 0;
        if (waitid(P_PID, (id_t)s->pid, &info, WEXITED | WSTOPPED | WNOWAIT | WNOHANG) != 0)
            return false;
        if (info.si_pid)
            break;
        if (now() > s->deadline)
            return false;
        if (looks > 100)
            nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
    if (info.si_code == CLD_EXITED || info.si_code == CLD_KILLED || info.si_code == CLD_DUMPED)
        return false;
    if (waitpid(s->pid, &status, 0) != s->pid || !WIFSTOPPED(status))
        return false;
    s->ending = status >> 16 == PTRACE_EVENT_EXIT;
    if (s->ending)
        return false;
    s->signal = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
    return ptrace(PTRACE_GETREGS, s->pid, NULL, &s->regs) == 0;
}

static bool go_on(struct stepping *s, enum __ptrace_request how)
{
    return ptrace(how, s->pid, NULL, s->signal) == 0 && wait_stop(s);
}

/* Until it gets to that place with so much of its stack gone at most. */
static bool run_to(struct stepping *s, uint64_t place, uint64_t least_stack)
{
    uint8_t byte = 0;
    if (!peek(s, place, &byte, 1) || !poke_byte(s, place, BREAKPOINT))
        return false;
    bool there = false;
    while (!there) {
        if (!go_on(s, PTRACE_CONT))
            return false;
        if (s->signal || s->regs.rip != place + 1)
            continue;
        s->regs.rip = place;
        there = s->regs.rsp >= least_stack;
        if (!poke_byte(s, place, byte) || ptrace(PTRACE_SETREGS, s->pid, NULL, &s->regs) != 0)
            return false;
        if (!there && (!go_on(s, PTRACE_SINGLESTEP) || !poke_byte(s, place, BREAKPOINT)))
            return false;
    }
    return true;
}

/* The word of auxv at the top of the stack of a program that was just started. */
static bool find_bias(struct stepping *s)
{
    size_t word = s->im.narrow ? 4 : 8;
    uint64_t at = s->regs.rsp, pair[2], count = 0;
    if (!peek(s, at, &count, word))
        return false;
    at += (count + 2) * word;
    for (uint64_t p = 1; p; at += word) {
        p = 0;
        if (!peek(s, at, &p, word))
            return false;
    }
    do {
        pair[0] = pair[1] = 0;
        if (!peek(s, at, &pair[0], word) || !peek(s, at + word, &pair[1], word))
            return false;
        at += 2 * word;
    } while (pair[0] != AT_ENTRY && pair[0] != AT_NULL);
    s->im.bias = pair[1] - s->im.header.e_entry;
    return pair[0] == AT_ENTRY;
}

/* Bytes of the process, at once. */
static bool copy_out(const struct stepping *s, uint64_t at, void *to, size_t n)
{
    struct iovec here = {to, n}, there = {(void *)(uintptr_t)at, n};
    return process_vm_readv(s->pid, &here, 1, &there, 1, 0) == (ssize_t)n;
}

/* The executable segment as the process has it by now: without -fPIC on i386 there are relocations
 * in it. */
static bool read_code(struct stepping *s)
{
    enum { MORE = 32 };
    struct image *im = &s->im;
    Elf64_Phdr p;
    for (unsigned i = 0; i < im->header.e_phnum && read_segment(im, i, &p); i++) {
        if (p.p_type != PT_LOAD || !(p.p_flags & PF_X))
            continue;
        if (im->code || p.p_filesz > MOST_CODE || !is_inside(im, p.p_offset, p.p_filesz))
            return false;
        im->code = calloc(p.p_filesz + MORE, 1);
        if (!im->code)
            return false;
        im->code_from = p.p_vaddr + im->bias;
        im->code_size = p.p_filesz;
        if (!copy_out(s, im->code_from, im->code, p.p_filesz))
            return false;
    }
    return im->code;
}

static bool is_own(const struct stepping *s, uint64_t at)
{
    return at - s->im.code_from < s->im.code_size;
}

/* ---- one instruction ------------------------------------------------------------------------ */

/* Where the address is: a watch, SYS_ON_STACK, or nothing of interest. */
static bool find_place(const struct stepping *s, uint64_t at, struct sys_access *a)
{
    if (at + RED_ZONE >= s->regs.rsp && at < s->stack_top) {
        a->watch = SYS_ON_STACK;
        a->offset = (int64_t)at;
        return true;
    }
    const struct watch_range *near = watch_nearest(s->ranges, s->log->count, at);
    if (!near)
        return false;
    a->watch = (uint32_t)(near - s->ranges);
    a->offset = (int64_t)(at - near->start);
    return true;
}

/* False when it does not go on. */
static bool step_once(struct stepping *s)
{
    struct watch_log *log = s->log;
    const uint8_t *code = s->im.code + (s->regs.rip - s->im.code_from);
    struct sys_access a = {.step = s->steps++, .at = s->regs.rip};
    uint64_t at;
    if (operand_is_hidden(code, s->im.narrow))
        return false; /* it may be a volatile object that is accessed */
    bool looks = operand_address(code, s->im.narrow, &s->regs, &at) && find_place(s, at, &a) &&
                 peek(s, at, a.before, sizeof a.before);
    if (looks && log->access_count == MOST_ACCESSES)
        return false;
    if (!go_on(s, PTRACE_SINGLESTEP))
        return false;
    if (!looks)
        return true;
    memcpy(a.code, code, sizeof a.code);
    peek(s, at, a.after, sizeof a.after);
    log->accesses[log->access_count++] = a;
    return true;
}

/* From main's first instruction on; true when it returned, or the program ended before that. */
static bool step_main(struct stepping *s)
{
    uint64_t back = 0;
    size_t word = s->im.narrow ? 4 : 8;
    s->stack_top = s->regs.rsp;
    while (s->steps < MOST_STEPPED && now() < s->deadline) {
        while (s->steps < MOST_STEPPED && is_own(s, s->regs.rip))
            if (!step_once(s))
                return s->ending;
        if (s->regs.rsp > s->stack_top)
            return true; /* main has returned */
        if (is_own(s, s->regs.rip))
            continue;
        back = 0;
        if (!peek(s, s->regs.rsp, &back, word))
            return false;
        if (is_own(s, back) ? !run_to(s, back, s->regs.rsp + word) : !go_on(s, PTRACE_SINGLESTEP))
            return s->ending;
        s->steps++;
    }
    return false;
}

static bool begin(struct stepping *s, const char *program)
{
    Elf64_Sym found;
    if (!wait_stop(s) || ptrace(PTRACE_SETOPTIONS, s->pid, NULL, PTRACE_O_TRACEEXIT) != 0 ||
        !map_image(&s->im, program) || !read_header(&s->im) || !find_bias(s) ||
        find_symbol(&s->im, "main", false, &found) != 1)
        return false;
    return run_to(s, found.st_value + s->im.bias, 0) && read_code(s);
}

/* The two take turns: on one processor that takes a third of the time. */
static void share_processor(pid_t pid, cpu_set_t *before)
{
    cpu_set_t one;
    int cpu = sched_getcpu();
    if (sched_getaffinity(0, sizeof *before, before) != 0 || cpu < 0 || cpu >= CPU_SETSIZE)
        return;
    CPU_ZERO(&one);
    CPU_SET((unsigned)cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
    sched_setaffinity(pid, sizeof one, &one);
}

static void part_again(pid_t pid, const cpu_set_t *before)
{
    if (CPU_COUNT(before) == 0)
        return;
    sched_setaffinity(0, sizeof *before, before);
    sched_setaffinity(pid, sizeof *before, before);
}

/* One that is not stopped, as the time was over before its next stop, is killed; on its way out it
 * stops once more, and would wait for us for ever.  Leaves its end to be reaped. */
static void let_go(const struct stepping *s)
{
    if (ptrace(PTRACE_DETACH, s->pid, NULL, s->signal) == 0)
        return;
    kill(s->pid, SIGKILL);
    for (;;) {
        siginfo_t info;
        int status;
        if (waitid(P_PID, (id_t)s->pid, &info, WEXITED | WSTOPPED | WNOWAIT) != 0) {
            if (errno == EINTR)
                continue;
            return;
        }
        if (info.si_code != CLD_TRAPPED && info.si_code != CLD_STOPPED)
            return;
        waitpid(s->pid, &status, 0);
        ptrace(PTRACE_DETACH, s->pid, NULL, 0);
    }
}

void step_job(pid_t pid, const char *program, char *const *watches, uint32_t n, double seconds,
              struct watch_log *log)
{
    static struct watch_range ranges[MOST_WATCHES];
    struct stepping s = {.pid = pid, .log = log, .ranges = ranges, .deadline = now() + seconds};
    log->count = n < MOST_WATCHES ? n : MOST_WATCHES;
    log->cut = 1;
    cpu_set_t before;
    CPU_ZERO(&before);
    share_processor(pid, &before);
    if (begin(&s, program)) {
        find_objects(&s.im, watches, log, ranges);
        watch_drop_shared(log, ranges);
        log->narrow = s.im.narrow;
        log->cut = !step_main(&s);
    }
    part_again(pid, &before);
    let_go(&s);
    if (s.im.file)
        munmap((void *)(uintptr_t)s.im.file, s.im.size);
    free(s.im.code);
}
