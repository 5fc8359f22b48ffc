/* What a job uses of the machine: the CPU time and the memory of all its processes together, and
 * what its folder holds, files that have no name any more included.  Pages that processes share are
 * counted once; so are memory files, mapped or not, and System V memory, attached or not.  Reads
 * /proc only: the roughest number that is certainly not too low first, the exact one when that is
 * too high. */
#include "sys/runner/runner.h"
#include "sys/runner/servers.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { PAGE = 4096, MOST_FILES = 4096, MOST_DEPTH = 64 };
#define FOLDER (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

struct job {
    pid_t pids[MOST_PROCESSES + 1];
    size_t n;
    struct {
        dev_t device;
        ino_t file;
    } files[MOST_FILES];
    size_t file_count;
    uint64_t file_bytes;
    dev_t disk; /* of the folder; 0: files without a name are not looked for */
    uint64_t nameless_bytes;
    bool unknown_memory, unknown_disk; /* it has files that we may not ask about */
    bool hidden;                       /* some process does not let itself be looked at */
};

/* ---- who ------------------------------------------------------------------------------ */

/* Adds the children of one thread. */
static void add_children(struct job *j, const char *path)
{
    FILE *f = fopen(path, "re");
    int pid;
    while (f && j->n <= MOST_PROCESSES && fscanf(f, "%d", &pid) == 1)
        if (!servers_own((pid_t)pid))
            j->pids[j->n++] = (pid_t)pid;
    if (f)
        fclose(f);
}

static void add_children_of(struct job *j, pid_t parent)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)parent);
    DIR *threads = opendir(path);
    for (struct dirent *t; threads && (t = readdir(threads));)
        if (t->d_name[0] != '.') {
            char children[360];
            snprintf(children, sizeof children, "%s/%s/children", path, t->d_name);
            add_children(j, children);
        }
    if (threads)
        closedir(threads);
}

bool usage_is_crowd(size_t most)
{
    size_t n = 0;
    DIR *all = getpid() == 1 ? opendir("/proc") : NULL;
    for (struct dirent *d; all && n <= most && (d = readdir(all));)
        n += d->d_name[0] >= '1' && d->d_name[0] <= '9';
    if (all)
        closedir(all);
    return n > most;
}

static void find_processes(struct job *j)
{
    add_children_of(j, getpid());
    for (size_t i = 0; i < j->n && j->n <= MOST_PROCESSES; i++)
        add_children_of(j, j->pids[i]);
}

/* ---- what /proc says of one -------------------------------------------------------------- */

static size_t read_proc(pid_t pid, const char *name, char *to, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, to, size - 1);
    if (fd >= 0)
        close(fd);
    to[n > 0 ? n : 0] = '\0';
    return n > 0 ? (size_t)n : 0;
}

/* False when it has ended, or is about to. */
static bool has_memory(pid_t thread)
{
    char line[128];
    return read_proc(thread, "statm", line, sizeof line) && strtoull(line, NULL, 10) > 0;
}

/* Whom to ask about a process: its first thread may have ended, and then has nothing. */
static pid_t living_thread(pid_t pid)
{
    pid_t found = pid;
    char path[64];
    if (has_memory(pid))
        return pid;
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *threads = opendir(path);
    for (struct dirent *t; threads && found == pid && (t = readdir(threads));)
        if (has_memory((pid_t)atoi(t->d_name)))
            found = (pid_t)atoi(t->d_name);
    if (threads)
        closedir(threads);
    return found;
}

/* ---- memory files, and files that have no name any more --------------------------------- */

/* The device of files that memfd_create makes. */
static dev_t memory_device(void)
{
    static dev_t device;
    struct stat st;
    int fd = device ? -1 : memfd_create("cupel", MFD_CLOEXEC);
    if (fd >= 0 && fstat(fd, &st) == 0)
        device = st.st_dev;
    if (fd >= 0)
        close(fd);
    return device;
}

/* Is it the first time that we see it? */
static bool note_file(struct job *j, dev_t device, ino_t file)
{
    for (size_t i = 0; i < j->file_count; i++)
        if (j->files[i].file == file && j->files[i].device == device)
            return false;
    if (j->file_count == MOST_FILES)
        return true; /* its further descriptors count again */
    j->files[j->file_count].device = device;
    j->files[j->file_count++].file = file;
    return true;
}

static void add_file(struct job *j, const struct stat *st)
{
    bool memory = st->st_dev == memory_device();
    bool nameless = !memory && st->st_nlink == 0 && j->disk && st->st_dev == j->disk;
    if ((memory || nameless) && note_file(j, st->st_dev, st->st_ino))
        *(memory ? &j->file_bytes : &j->nameless_bytes) += (uint64_t)st->st_blocks * 512;
}

static void add_open_files(struct job *j, pid_t thread)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd", (int)thread);
    DIR *fds = opendir(path);
    j->hidden |= !fds && errno == EACCES && has_memory(thread);
    for (struct dirent *d; fds && (d = readdir(fds));) {
        struct stat st;
        if (d->d_name[0] != '.' && fstatat(dirfd(fds), d->d_name, &st, 0) == 0)
            add_file(j, &st);
    }
    if (fds)
        closedir(fds);
}

/* Of each thread: it may have a table of files of its own, and the first one may have ended. */
static void add_files_of(struct job *j, pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *threads = opendir(path);
    for (struct dirent *t; threads && (t = readdir(threads));)
        if (t->d_name[0] != '.')
            add_open_files(j, (pid_t)atoi(t->d_name));
    if (threads)
        closedir(threads);
}

/* Of a file without a name that a mapping of one page keeps, all is there.  Only root may ask how
 * much that is. */
static void add_mapped_file(struct job *j, pid_t pid, const char *line, bool memory)
{
    char path[96];
    struct stat st;
    snprintf(path, sizeof path, "/proc/%d/map_files/%.*s", (int)pid, (int)strcspn(line, " "), line);
    if (stat(path, &st) == 0)
        add_file(j, &st);
    else
        *(memory ? &j->unknown_memory : &j->unknown_disk) = true;
}

/* Files that are only mapped. */
static void add_mapped_of(struct job *j, pid_t pid)
{
    char path[64], *line = NULL;
    size_t room = 0;
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    FILE *maps = fopen(path, "re");
    while (maps && getline(&line, &room, maps) > 0) {
        unsigned major, minor;
        if (!strstr(line, " (deleted)\n") || sscanf(line, "%*s %*s %*s %x:%x", &major, &minor) != 2)
            continue;
        dev_t device = makedev(major, minor);
        if (device == memory_device() || device == j->disk)
            add_mapped_file(j, pid, line, device == memory_device());
    }
    free(line);
    if (maps)
        fclose(maps);
}

/* In our namespace, which is the job's: what is attached nowhere is in no process's count. */
static uint64_t system_v_bytes(void)
{
    struct shm_info info;
    int n = shmctl(0, SHM_INFO, (struct shmid_ds *)(void *)&info);
    return n < 0 ? 0 : (uint64_t)info.shm_rss * PAGE;
}

/* ---- processes ------------------------------------------------------------------------ */

static uint64_t resident_bytes(pid_t pid)
{
    char line[128];
    unsigned long long size, resident;
    if (!read_proc(pid, "statm", line, sizeof line))
        return 0;
    return sscanf(line, "%llu %llu", &size, &resident) == 2 ? resident * PAGE : 0;
}

static uint64_t field(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    return at ? strtoull(at + strlen(name), NULL, 10) * 1024 : 0;
}

/* Each page divided by the number of processes that have it: their sum is what they use. */
static void add_shares(pid_t pid, uint64_t *anonymous, uint64_t *shared)
{
    char text[4096];
    read_proc(pid, "smaps_rollup", text, sizeof text);
    *anonymous += field(text, "\nPss_Anon:");
    *shared += field(text, "\nPss_Shmem:");
}

static uint64_t exact_bytes(const struct job *j, uint64_t in_memory)
{
    uint64_t anonymous = 0, shared = 0;
    for (size_t i = 0; i < j->n; i++)
        add_shares(j->pids[i], &anonymous, &shared);
    /* a memory file that is mapped would count twice */
    return anonymous + (shared > in_memory ? shared : in_memory);
}

/* Seconds of the CPU that a process and those that it reaped have taken. */
static double cpu_seconds(pid_t pid)
{
    char line[1024];
    unsigned long long user, system, reaped_user, reaped_system;
    const char *at = read_proc(pid, "stat", line, sizeof line) ? strrchr(line, ')') : NULL;
    if (!at || sscanf(at + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu",
                      &user, &system, &reaped_user, &reaped_system) != 4)
        return 0;
    return (double)(user + system + reaped_user + reaped_system) / (double)sysconf(_SC_CLK_TCK);
}

double usage_cpu_of_job(void)
{
    static struct job j;
    double seconds = 0;
    j.n = 0;
    find_processes(&j);
    for (size_t i = 0; i < j.n; i++)
        seconds += cpu_seconds(j.pids[i]);
    return seconds;
}

/* ---- its folder ------------------------------------------------------------------------ */

/* Takes the descriptor.  Folders within folders without end are too much; what goes while we look
 * does not count. */
static uint64_t folder_bytes(int fd, unsigned depth, uint64_t enough)
{
    uint64_t bytes = 0;
    struct stat st;
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    for (struct dirent *d; dir && bytes <= enough && (d = readdir(dir));) {
        bool self = strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0;
        if (self || fstatat(dirfd(dir), d->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        bytes += (uint64_t)st.st_blocks * 512;
        if (S_ISDIR(st.st_mode) && depth == MOST_DEPTH)
            bytes += enough + 1;
        else if (S_ISDIR(st.st_mode))
            bytes += folder_bytes(openat(dirfd(dir), d->d_name, FOLDER), depth + 1, enough);
    }
    if (dir)
        closedir(dir);
    else if (fd >= 0)
        close(fd);
    return bytes;
}

/* ---- all of it -------------------------------------------------------------------------- */

static dev_t disk_of(const char *folder)
{
    struct stat st;
    return folder && stat(folder, &st) == 0 ? st.st_dev : 0;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* By how much it has grown. */
static uint64_t since(uint64_t now, uint64_t before)
{
    return now > before ? now - before : 0;
}

/* The memory files of everybody. */
static uint64_t machine_memory(void)
{
    char text[4096];
    int fd = open("/proc/meminfo", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    return field(text, "\nShmem:");
}

static uint64_t machine_disk(const char *folder)
{
    struct statvfs st;
    return folder && statvfs(folder, &st) == 0 ? (uint64_t)(st.f_blocks - st.f_bfree) * st.f_frsize
                                               : 0;
}

void usage_before(struct usage_machine *before, const char *folder)
{
    before->disk = machine_disk(folder);
}

/* To ask takes time, and memory does not fill up at once as a disk can. */
void usage_at_first_look(struct usage_machine *before)
{
    if (!before->memory)
        before->memory = machine_memory();
}

static uint64_t disk_bytes(const struct job *j, const struct usage_limits *l)
{
    uint64_t bytes = j->nameless_bytes + folder_bytes(open(l->folder, FOLDER), 0, l->disk);
    return j->unknown_disk ? larger(bytes, since(machine_disk(l->folder), l->before.disk)) : bytes;
}

struct usage usage_of_job(const struct usage_limits *l)
{
    static struct job j;
    uint64_t rough = 0;
    j.n = j.file_count = 0;
    j.file_bytes = j.nameless_bytes = 0;
    j.hidden = j.unknown_memory = j.unknown_disk = false;
    j.disk = disk_of(l->folder);
    find_processes(&j);
    if (j.n > MOST_PROCESSES) /* that is enough to know, and soon there are more */
        return (struct usage){.processes = j.n};
    for (size_t i = 0; i < j.n; i++) {
        j.pids[i] = living_thread(j.pids[i]);
        rough += resident_bytes(j.pids[i]);
        add_files_of(&j, j.pids[i]);
    }
    for (size_t i = 0; i < j.n; i++)
        add_mapped_of(&j, j.pids[i]);
    uint64_t in_memory = j.file_bytes + system_v_bytes();
    if (j.unknown_memory)
        in_memory = larger(in_memory, since(machine_memory(), l->before.memory));
    rough += in_memory;
    if (rough > l->bytes)
        rough = exact_bytes(&j, in_memory);
    return (struct usage){.processes = j.n,
                          .bytes = j.hidden ? UINT64_MAX : rough, /* who knows */
                          .disk = l->folder ? disk_bytes(&j, l) : 0};
}
