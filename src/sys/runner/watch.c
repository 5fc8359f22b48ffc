/* Takes down which instructions of this process touch some objects.  The pages of the objects are
 * closed; an instruction that faults there is executed once with the pages open, by the processor's
 * single step, and then they are closed again.  What else lies on those pages costs time only.
 *
 * Never guesses what the instruction does: its bytes go to the log, and who reads that decodes
 * them.  Faults elsewhere are the program's own, and end it as they would have. */
#include "sys/runner/runner.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { PAGE = 4096, STACK = 1 << 16, FAULT_WRITES = 2, TRAP_FLAG = 0x100 };
/* An access that begins so far before an object may reach into it. */
enum { WIDEST = 64 };

/* Global, because signal handlers are given nothing. */
static struct {
    struct watch_log *log;
    const struct watch_range *ranges;
    size_t count;
    struct watch_range code;
    struct watch_range pages[MOST_WATCHES];
    size_t page_count;
    bool stepping;
    uintptr_t at;              /* of the access that is being stepped */
    struct sys_access *access; /* its record, or NULL */
} watch;

static void protect_all(bool open)
{
    for (size_t i = 0; i < watch.page_count; i++) {
        const struct watch_range *p = &watch.pages[i];
        int most = p->read_only ? PROT_READ : PROT_READ | PROT_WRITE;
        mprotect((void *)p->start, p->end - p->start, open ? most : PROT_NONE);
    }
}

static bool is_on_pages(uintptr_t at)
{
    for (size_t i = 0; i < watch.page_count; i++)
        if (at >= watch.pages[i].start && at < watch.pages[i].end)
            return true;
    return false;
}

void watch_drop_shared(struct watch_log *log, struct watch_range *ranges)
{
    for (uint32_t i = 0; i < log->count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (ranges[i].start < ranges[k].end && ranges[k].start < ranges[i].end)
                log->state[i] = log->state[k] = SYS_UNCLEAR;
    for (uint32_t i = 0; i < log->count; i++)
        if (log->state[i] != SYS_WATCHED)
            ranges[i] = (struct watch_range){0};
}

const struct watch_range *watch_nearest(const struct watch_range *ranges, size_t n, uintptr_t at)
{
    const struct watch_range *near = NULL;
    for (size_t i = 0; i < n; i++) {
        const struct watch_range *r = &ranges[i];
        if (at >= r->start && at < r->end)
            return r;
        if (at < r->start && r->start - at < WIDEST && (!near || r->start < near->start))
            near = r;
    }
    return near;
}

/* No more than is on the page: what follows may not be there. */
static void copy_bytes(uint8_t *to, uintptr_t at, size_t n)
{
    size_t room = PAGE - at % PAGE;
    memcpy(to, (const void *)at, n < room ? n : room);
}

static struct user_regs_struct registers_of(const ucontext_t *u)
{
    const greg_t *g = u->uc_mcontext.gregs;
    return (struct user_regs_struct){.rax = (unsigned long long)g[REG_RAX],
                                     .rbx = (unsigned long long)g[REG_RBX],
                                     .rcx = (unsigned long long)g[REG_RCX],
                                     .rdx = (unsigned long long)g[REG_RDX],
                                     .rsi = (unsigned long long)g[REG_RSI],
                                     .rdi = (unsigned long long)g[REG_RDI],
                                     .rbp = (unsigned long long)g[REG_RBP],
                                     .rsp = (unsigned long long)g[REG_RSP],
                                     .r8 = (unsigned long long)g[REG_R8],
                                     .r9 = (unsigned long long)g[REG_R9],
                                     .r10 = (unsigned long long)g[REG_R10],
                                     .r11 = (unsigned long long)g[REG_R11],
                                     .r12 = (unsigned long long)g[REG_R12],
                                     .r13 = (unsigned long long)g[REG_R13],
                                     .r14 = (unsigned long long)g[REG_R14],
                                     .r15 = (unsigned long long)g[REG_R15],
                                     .rip = (unsigned long long)g[REG_RIP]};
}

static bool is_own_code(uintptr_t rip)
{
    return rip >= watch.code.start && rip < watch.code.end;
}

/* An access that begins before the page faults at its first byte: then the instruction says where
 * it begins.  *certain: it does, or there is no doubt. */
static uintptr_t find_beginning(uintptr_t fault, const ucontext_t *u, bool *certain)
{
    uint8_t code[32] = {0};
    uint64_t at;
    uintptr_t rip = (uintptr_t)u->uc_mcontext.gregs[REG_RIP];
    struct user_regs_struct r = registers_of(u);
    *certain = fault % PAGE != 0;
    if (*certain || !is_own_code(rip))
        return fault;
    memcpy(code, (const void *)rip, 16);
    *certain = operand_address(code, false, &r, &at) && at <= fault && fault - at < WIDEST;
    return *certain ? (uintptr_t)at : fault;
}

static struct sys_access *take_down(const struct watch_range *r, uintptr_t at, uintptr_t rip,
                                    bool is_write)
{
    struct watch_log *log = watch.log;
    if (log->access_count >= MOST_ACCESSES) {
        log->cut = 1;
        return NULL;
    }
    struct sys_access *a = &log->accesses[log->access_count++];
    *a = (struct sys_access){.watch = (uint32_t)(r - watch.ranges),
                             .foreign = !is_own_code(rip),
                             .is_write = is_write,
                             .offset = (int64_t)(at - r->start)};
    /* stubs follow the code on the same pages, so all of it can be read */
    if (!a->foreign)
        memcpy(a->code, (const void *)rip, sizeof a->code);
    copy_bytes(a->before, at, sizeof a->before);
    return a;
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
    ucontext_t *u = context;
    uintptr_t at = (uintptr_t)info->si_addr;
    bool certain;
    if (watch.stepping || !is_on_pages(at)) {
        signal(sig, SIG_DFL); /* it will fault again, for good */
        return;
    }
    protect_all(true);
    at = find_beginning(at, u, &certain);
    const struct watch_range *r = watch_nearest(watch.ranges, watch.count, at);
    bool is_write = u->uc_mcontext.gregs[REG_ERR] & FAULT_WRITES;
    watch.at = at;
    watch.access = r ? take_down(r, at, (uintptr_t)u->uc_mcontext.gregs[REG_RIP], is_write) : NULL;
    if (watch.access && !certain)
        watch.access->foreign = true; /* nobody knows what it touches */
    watch.stepping = true;
    u->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

static void on_step(int sig, siginfo_t *info, void *context)
{
    ucontext_t *u = context;
    (void)info;
    if (!watch.stepping) {
        signal(sig, SIG_DFL);
        raise(sig);
        return;
    }
    if (watch.access)
        copy_bytes(watch.access->after, watch.at, sizeof watch.access->after);
    watch.stepping = false;
    u->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
    protect_all(false);
}

/* Stands before the next instruction. */
static void on_count(int sig, siginfo_t *info, void *context)
{
    ucontext_t *u = context;
    uintptr_t at = (uintptr_t)u->uc_mcontext.gregs[REG_RIP];
    (void)sig;
    (void)info;
    watch.log->steps += at >= watch.code.start && at < watch.code.end;
    if (watch.log->steps < MOST_STEPS)
        u->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
    else
        u->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
}

static bool catch (int sig, void (*handler)(int, siginfo_t *, void *))
{
    struct sigaction a = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&a.sa_mask);
    return sigaction(sig, &a, NULL) == 0;
}

static void add_pages(const struct watch_range *r)
{
    uintptr_t start = r->start / PAGE * PAGE, end = (r->end + PAGE - 1) / PAGE * PAGE;
    for (size_t i = 0; i < watch.page_count; i++)
        if (watch.pages[i].start <= start && watch.pages[i].end >= end)
            return;
    watch.pages[watch.page_count++] = (struct watch_range){start, end, r->read_only};
}

/* Handlers get a stack of their own: the program's may be what is watched. */
static bool use_own_stack(void)
{
    static char stack[STACK];
    stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
    return sigaltstack(&alternative, NULL) == 0;
}

bool watch_count_steps(struct watch_log *log, struct watch_range code)
{
    watch.log = log;
    watch.code = code;
    return use_own_stack() && catch (SIGTRAP, on_count) && raise(SIGTRAP) == 0;
}

bool watch_begin(struct watch_log *log, const struct watch_range *ranges, size_t n,
                 struct watch_range code)
{
    watch.log = log;
    watch.ranges = ranges;
    watch.count = n;
    watch.code = code;
    for (size_t i = 0; i < n; i++)
        if (ranges[i].start)
            add_pages(&ranges[i]);
    if (!use_own_stack() || !catch (SIGSEGV, on_fault) || !catch (SIGTRAP, on_step))
        return false;
    protect_all(false);
    return true;
}
