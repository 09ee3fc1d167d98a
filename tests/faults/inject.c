/* Runs a command and makes one of its file operations fail.
 *
 *     inject FOLDER REPORT PLAN COMMAND [ARGUMENT...]
 *
 * The system asks this program before each of the command's system calls that work on files (seccomp user
 * notification, Linux 5.9 or later; no privileges are needed). Calls on files in FOLDER are counted by class:
 *
 *     open    opens a file or a folder to read it      create  opens a file to write it
 *     read    write    sync    rename    unlink    truncate    lock
 *
 * PLAN is "count", or CLASS:NUMBER:ACTION. The call of that number in that class, counted from 1, and with an
 * action that ends in "+" all later ones of the class, gets the action:
 *
 *     EIO, ENOSPC, EINTR, ...  the call fails with this error and does nothing
 *     short                    a read or a write of several bytes processes half of them
 *     gone                     all later calls of all classes fail with EIO
 *     kill, term, int          the command gets this signal before the call
 *
 * REPORT gets a line for each counted call (count) or for the calls that got the action: the class and the path.
 * The exit status is that of the command; 128 and the number of the signal that ended it; 98 if it did not end
 * within a minute; 97 if this system does not permit seccomp; 99 if this program fails. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NOT_PERMITTED = 97, TOO_LONG = 98, BROKEN = 99, SECONDS = 60 };

#if defined(__x86_64__)
#define OWN_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCH AUDIT_ARCH_AARCH64
#else
#error "no seccomp architecture is known for this machine"
#endif

enum class { NONE, OPEN, CREATE, READ, WRITE, SYNC, RENAME, UNLINK, TRUNCATE, LOCK, CLASSES };
static const char *const names[] = {"", "open", "create", "read", "write", "sync", "rename", "unlink", "truncate", "lock"};

/* How the file of a call is named. */
enum file { BY_FD, BY_PATH, BY_PATH_AT };

static const struct call { int number; enum class class; enum file file; } calls[] = {
#ifdef __NR_open
    {__NR_open, OPEN, BY_PATH}, {__NR_rename, RENAME, BY_PATH}, {__NR_unlink, UNLINK, BY_PATH}, {__NR_link, RENAME, BY_PATH},
#endif
    {__NR_openat, OPEN, BY_PATH_AT}, {__NR_read, READ, BY_FD}, {__NR_pread64, READ, BY_FD}, {__NR_readv, READ, BY_FD},
    {__NR_preadv, READ, BY_FD}, {__NR_write, WRITE, BY_FD}, {__NR_pwrite64, WRITE, BY_FD}, {__NR_writev, WRITE, BY_FD},
    {__NR_pwritev, WRITE, BY_FD}, {__NR_copy_file_range, WRITE, BY_FD}, {__NR_sendfile, WRITE, BY_FD},
    {__NR_fallocate, WRITE, BY_FD}, {__NR_fsync, SYNC, BY_FD}, {__NR_fdatasync, SYNC, BY_FD},
    {__NR_renameat2, RENAME, BY_PATH_AT}, {__NR_linkat, RENAME, BY_PATH_AT}, {__NR_unlinkat, UNLINK, BY_PATH_AT},
#ifdef __NR_renameat
    {__NR_renameat, RENAME, BY_PATH_AT},
#endif
    {__NR_ftruncate, TRUNCATE, BY_FD}, {__NR_flock, LOCK, BY_FD},
};
enum { CALLS = sizeof calls / sizeof *calls };

static const struct { const char *name; int number; } errors[] = {
    {"EIO", EIO}, {"ENOSPC", ENOSPC}, {"EINTR", EINTR}, {"EMFILE", EMFILE}, {"EACCES", EACCES}, {"ENOLCK", ENOLCK},
    {"EDQUOT", EDQUOT}, {"EXDEV", EXDEV}, {"EROFS", EROFS},
};

enum action { COUNT, FAIL, SHORT, GONE, SIGNAL };
static enum action action = COUNT;
static int action_value, is_for_ever, target_count;
static enum class target;

static pid_t child;
static const char *folder;
static FILE *report;

static void fail(const char *what) {
    fprintf(stderr, "inject: %s: %s\n", what, strerror(errno));
    if (child > 0) kill(child, SIGKILL);
    exit(BROKEN);
}

static void read_plan(char *plan) {
    if (!strcmp(plan, "count")) return;
    const char *class = strtok(plan, ":"), *number = strtok(NULL, ":");
    char *what = strtok(NULL, ":");
    if (!class || !number || !what) { errno = EINVAL; fail("the plan"); }
    for (int i = OPEN; i < CLASSES; i++) if (!strcmp(class, names[i])) target = i;
    target_count = atoi(number);
    size_t len = strlen(what);
    if (len && what[len - 1] == '+') { is_for_ever = 1; what[len - 1] = 0; }
    if (!strcmp(what, "short")) action = SHORT;
    else if (!strcmp(what, "gone")) action = GONE;
    else if (!strcmp(what, "kill")) { action = SIGNAL; action_value = SIGKILL; }
    else if (!strcmp(what, "term")) { action = SIGNAL; action_value = SIGTERM; }
    else if (!strcmp(what, "int")) { action = SIGNAL; action_value = SIGINT; }
    else if (!strcmp(what, "hup")) { action = SIGNAL; action_value = SIGHUP; }
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (!strcmp(what, errors[i].name)) { action = FAIL; action_value = errors[i].number; }
    if (!target || !target_count || action == COUNT) { errno = EINVAL; fail("the plan"); }
}

/* In the child: installs the filter, passes its descriptor on, and becomes the command. */
static void start(int socket, char **command) {
    struct sock_filter filter[CALLS + 6];
    int n = 0;
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCH, 0, CALLS + 1);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (int i = 0; i < CALLS; i++)
        filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i].number, CALLS - i, 0);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    struct sock_fprog program = {n, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) _exit(NOT_PERMITTED);
    int listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
    if (listener < 0) _exit(NOT_PERMITTED);
    char byte = 0, space[CMSG_SPACE(sizeof(int))] = {0};
    struct iovec bytes = {&byte, 1};
    struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &listener, sizeof(int));
    if (sendmsg(socket, &message, 0) < 0) _exit(BROKEN);
    close(listener);
    close(socket);
    /* A test that is run in the background may ignore some of them. */
    signal(SIGINT, SIG_DFL), signal(SIGTERM, SIG_DFL), signal(SIGHUP, SIG_DFL);
    execv(*command, command);
    _exit(BROKEN);
}

static int receive(int socket) {
    char byte, space[CMSG_SPACE(sizeof(int))];
    struct iovec bytes = {&byte, 1};
    struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
    int listener;
    if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) <= 0 || !CMSG_FIRSTHDR(&message)) return -1;
    memcpy(&listener, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(int));
    return listener;
}

/* Copies a string of the child. */
static int string_of(unsigned long address, char *text) {
    size_t len = 0;
    while (len < PATH_MAX) {
        size_t part = 4096 - (address + len) % 4096;
        if (part > PATH_MAX - len) part = PATH_MAX - len;
        struct iovec own = {text + len, part}, other = {(void *)(address + len), part};
        ssize_t got = process_vm_readv(child, &own, 1, &other, 1, 0);
        if (got <= 0) return 0;
        if (memchr(text + len, 0, got)) return 1;
        len += got;
    }
    return 0;
}

/* The path of the file of a call, if it is in the folder, without the folder. */
static const char *path_of(const struct seccomp_notif *notif, enum file file) {
    static char path[2 * PATH_MAX];
    char text[PATH_MAX + 1] = "", link[64];
    const __u64 *args = notif->data.args;
    if (file == BY_FD) {
        snprintf(link, sizeof link, "/proc/%d/fd/%d", child, (int)args[notif->data.nr == __NR_copy_file_range ? 2 : 0]);
        ssize_t len = readlink(link, path, PATH_MAX);
        if (len < 0) return NULL;
        path[len] = 0;
    } else {
        if (!string_of(args[file == BY_PATH_AT], text)) return NULL;
        int at = file == BY_PATH_AT ? (int)args[0] : AT_FDCWD;
        if (*text == '/') strcpy(path, text);
        else {
            if (at == AT_FDCWD) snprintf(link, sizeof link, "/proc/%d/cwd", child);
            else snprintf(link, sizeof link, "/proc/%d/fd/%d", child, at);
            ssize_t len = readlink(link, path, PATH_MAX);
            if (len < 0) return NULL;
            snprintf(path + len, sizeof path - len, "/%s", strcmp(text, ".") ? text : "");
        }
    }
    size_t len = strlen(folder);
    return strncmp(path, folder, len) || (path[len] && path[len] != '/') ? NULL : path + len + (path[len] == '/');
}

/* Performs half of a read or a write for the child. Returns the bytes, or 0 if it has too few for that. */
static ssize_t half(const struct seccomp_notif *notif) {
    const __u64 *args = notif->data.args;
    int nr = notif->data.nr;
    struct iovec other = {(void *)args[1], args[2]};
    if (nr == __NR_readv || nr == __NR_writev) {
        struct iovec own = {&other, sizeof other}, first = {(void *)args[1], sizeof other};
        if (process_vm_readv(child, &own, 1, &first, 1, 0) != sizeof other) fail("reading the vector");
    } else if (nr != __NR_read && nr != __NR_pread64 && nr != __NR_write && nr != __NR_pwrite64) return 0;
    if (other.iov_len > 1 << 24) other.iov_len = 1 << 24;
    if ((other.iov_len /= 2) == 0) return 0;
    int process = syscall(SYS_pidfd_open, child, 0);
    int file = syscall(SYS_pidfd_getfd, process, (int)args[0], 0);
    char *bytes = malloc(other.iov_len);
    if (process < 0 || file < 0 || !bytes) fail("taking the descriptor");
    struct iovec own = {bytes, other.iov_len};
    ssize_t done;
    if (nr == __NR_write || nr == __NR_pwrite64 || nr == __NR_writev) {
        if (process_vm_readv(child, &own, 1, &other, 1, 0) != (ssize_t)own.iov_len) fail("reading the bytes");
        done = nr == __NR_pwrite64 ? pwrite(file, bytes, own.iov_len, args[3]) : write(file, bytes, own.iov_len);
    } else {
        done = nr == __NR_pread64 ? pread(file, bytes, own.iov_len, args[3]) : read(file, bytes, own.iov_len);
        own.iov_len = other.iov_len = done > 0 ? done : 0;
        if (done > 0 && process_vm_writev(child, &own, 1, &other, 1, 0) != done) fail("writing the bytes");
    }
    if (done < 0) fail("half of a call");
    free(bytes);
    close(file);
    close(process);
    return done;
}

static int is_gone;

/* Decides on a call. */
static void answer(const struct seccomp_notif *notif, struct seccomp_notif_resp *response) {
    static int counts[CLASSES];
    response->id = notif->id;
    response->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    const struct call *call = calls;
    while (call->number != notif->data.nr) call++;
    enum class class = call->class;
    const char *path = path_of(notif, call->file);
    if (!path) return;
    if (class == OPEN && notif->data.args[call->file == BY_PATH_AT ? 2 : 1] & (O_WRONLY | O_RDWR | O_CREAT)) class = CREATE;
    counts[class]++;
    int is_hit = class == target && (counts[class] == target_count || (is_for_ever && counts[class] > target_count));
    if (is_gone) is_hit = 1;
    if (action != COUNT && !is_hit) return;
    if (action == SHORT) {
        ssize_t done = half(notif);
        if (done == 0) return;
        response->flags = 0;
        response->val = done;
    }
    fprintf(report, "%s %s\n", names[class], path);
    fflush(report);
    if (action == FAIL || action == GONE) {
        response->flags = 0;
        response->error = action == GONE ? -EIO : -action_value;
        is_gone = action == GONE;
    }
    if (action == SIGNAL) kill(child, action_value);
}

int main(int count, char **arguments) {
    if (count < 5) { errno = EINVAL; fail("arguments"); }
    folder = arguments[1];
    report = fopen(arguments[2], "we");
    if (!report) fail(arguments[2]);
    read_plan(arguments[3]);
    int sockets[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets)) fail("socketpair");
    child = fork();
    if (child < 0) fail("fork");
    if (child == 0) start(sockets[1], arguments + 4);
    close(sockets[1]);
    int listener = receive(sockets[0]), status;
    struct seccomp_notif_sizes sizes;
    if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes)) fail("the sizes of notifications");
    struct seccomp_notif *notif = malloc(sizes.seccomp_notif);
    struct seccomp_notif_resp *response = malloc(sizes.seccomp_notif_resp);
    if (!notif || !response) fail("memory");
    time_t end = time(NULL) + SECONDS;
    while (listener >= 0) {
        struct pollfd poll_for = {listener, POLLIN, 0};
        int ready = poll(&poll_for, 1, 1000);
        if (time(NULL) > end) {
            kill(child, SIGKILL);
            waitpid(child, NULL, 0);
            return TOO_LONG;
        }
        if (ready <= 0) continue;
        /* The last thread that has the filter has ended. */
        if (!(poll_for.revents & POLLIN)) break;
        memset(notif, 0, sizes.seccomp_notif);
        memset(response, 0, sizes.seccomp_notif_resp);
        /* A thread may end while it waits, and take its notification along. */
        if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, notif)) {
            if (errno == ENOENT || errno == EINTR) continue;
            fail("receiving");
        }
        answer(notif, response);
        if (ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, response) && errno != ENOENT && errno != EINTR) fail("answering");
    }
    if (waitpid(child, &status, 0) < 0) fail("waitpid");
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
