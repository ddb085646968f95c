import CLinux
import CSeccomp
import Glibc

/// The filter of a scheme's system calls: it allows what computing, the scheme's own threads, reading files and its own
/// socket need.
///
/// Everything else fails with `EPERM`. Starting the program takes one call whose arguments contain a secret; after that
/// call the secret is no longer in the process.
struct SystemCallFilter {
    private let context: scmp_filter_ctx  // Never released: the scheme replaces the process, or it ends.
    /// The secret in the upper halves of the folder and the flags of the one call that starts the scheme.
    private let secret: (folder: UInt64, flags: UInt64)

    /// Creates the filter of the calling process; `nil` if that fails.
    init?() {
        guard let context = seccomp_init(cseccomp_refuse(UInt32(EPERM))) else { return nil }
        self.context = context
        var random = SystemRandomNumberGenerator()
        let folder = UInt64(UInt32(bitPattern: AT_FDCWD))
        secret = (random.next() << 32 | folder, random.next() << 32)
        guard addRules() else { return nil }
    }

    /// Confines the calling process, which must have given up new privileges; returns 0 or an error number.
    func load() -> Int32 { -seccomp_load(context) }

    /// Starts the program; returns only if that fails.
    func start(
        _ program: String, _ arguments: [UnsafeMutablePointer<CChar>?], _ environment: [UnsafeMutablePointer<CChar>?]
    ) {
        _ = clinux_exec(secret.folder, program, arguments, environment, secret.flags)
    }

    private func addRules() -> Bool {
        // A tree instead of a list, so that all calls cost the same. Older libraries do without.
        seccomp_attr_set(context, SCMP_FLTATR_CTL_OPTIMIZE, 2)
        seccomp_attr_set(context, SCMP_FLTATR_CTL_TSYNC, 0)
        return Self.allowed.allSatisfy { allow($0) } && addConditions() && addFallbacks()
    }

    /// Allows calls that are harmless with some arguments.
    private func addConditions() -> Bool {
        let own = UInt64(UInt32(bitPattern: getpid()))
        let writes = UInt64(O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND | 0o20000000)
        let thread = UInt64(0x0001_0000 | 0x0000_0100)
        let spaces = UInt64(0x7E02_0080)
        return allow("execveat", [cseccomp_equals(0, secret.folder), cseccomp_equals(4, secret.flags)])
            && allow("open", [cseccomp_matches(1, writes, 0)])
            && allow("openat", [cseccomp_matches(2, writes, 0)])
            // Threads but no processes, and no namespaces, which would give back rights.
            && allow("clone", [cseccomp_matches(0, thread | spaces, thread)])
            && allow("kill", [cseccomp_equals(0, own)])
            && allow("tgkill", [cseccomp_equals(0, own)])
            && allow("prlimit64", [cseccomp_equals(0, 0), cseccomp_equals(2, 0)])
            && allow("personality", [cseccomp_equals(0, 0xFFFF_FFFF)])
            // Setting and reading a thread's name, naming memory, reading rights. Not PR_SET_PDEATHSIG, which would let
            // it outlive its parent.
            && [15, 16, 0x5356_4D41, 23].allSatisfy { allow("prctl", [cseccomp_equals(0, $0)]) }
            // Not F_SETOWN: the signal that something can be read would reach any process of the same user.
            && [F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC].allSatisfy {
                allow("fcntl", [cseccomp_equals(1, UInt64($0))])
            }
            // Whether it is a terminal and of what size, how many bytes wait, close-on-exec, and non-blocking.
            && [0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451].allSatisfy { allow("ioctl", [cseccomp_equals(1, $0)]) }
    }

    /// Makes calls that C libraries try first, but do not need, fail as if they did not exist.
    private func addFallbacks() -> Bool {
        ["clone3", "openat2"].allSatisfy { add($0, cseccomp_refuse(UInt32(ENOSYS)), []) }
    }

    private func allow(_ name: String, _ conditions: [scmp_arg_cmp] = []) -> Bool {
        add(name, SCMP_ACT_ALLOW, conditions)
    }

    private func add(_ name: String, _ action: UInt32, _ conditions: [scmp_arg_cmp]) -> Bool {
        let number = seccomp_syscall_resolve_name(name)
        // Some calls do not exist on every processor, and not every library has a name for each.
        guard number >= 0 else { return true }
        return seccomp_rule_add_array(context, action, number, UInt32(conditions.count), conditions) == 0
    }
}

extension SystemCallFilter {
    /// The calls that are harmless with any arguments.
    private static var allowed: [String] { [files, memory, time, threads, identity, own].flatMap { $0 } }

    /// Reading, and operations on open files; writing is possible only to what is already open.
    private static let files = [
        "read", "readv", "pread64", "preadv", "preadv2", "write", "writev", "close", "close_range", "lseek", "stat",
        "lstat", "fstat", "newfstatat", "statx", "statfs", "fstatfs", "access", "faccessat", "faccessat2", "readlink",
        "readlinkat", "getcwd", "getdents", "getdents64", "dup", "dup2", "dup3", "fadvise64", "pipe", "pipe2",
        "eventfd", "eventfd2", "poll", "ppoll", "select", "pselect6", "epoll_create", "epoll_create1", "epoll_ctl",
        "epoll_wait", "epoll_pwait", "epoll_pwait2", "timerfd_create", "timerfd_settime", "timerfd_gettime", "umask",
    ]

    private static let memory = [
        "mmap", "mprotect", "munmap", "mremap", "madvise", "brk", "mincore", "membarrier", "get_mempolicy",
    ]

    private static let time = [
        "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time", "times", "getitimer",
        "setitimer", "alarm", "pause",
    ]

    private static let threads = [
        "futex", "futex_waitv", "futex_wait", "futex_wake", "futex_requeue", "set_robust_list", "get_robust_list",
        "rseq",
        "set_tid_address", "gettid", "sched_yield", "sched_getaffinity", "sched_getparam", "sched_getscheduler",
        "sched_get_priority_max", "sched_get_priority_min", "getpriority", "getcpu", "arch_prctl", "exit", "exit_group",
        "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigpending", "rt_sigsuspend", "rt_sigtimedwait",
        "sigaltstack", "restart_syscall",
    ]

    private static let identity = [
        "getpid", "getppid", "getpgrp", "getpgid", "getsid", "getuid", "geteuid", "getgid", "getegid", "getresuid",
        "getresgid", "getgroups", "uname", "sysinfo", "getrusage", "getrlimit", "getrandom", "capget",
    ]

    /// Calls on the socket that it was given; it cannot get another one.
    private static let own = [
        "sendto", "recvfrom", "sendmsg", "recvmsg", "shutdown", "getsockname", "getpeername", "getsockopt",
    ]
}
