import CLinux
import Glibc

/// The child of the launcher on its way to becoming the scheme. It gives up its rights one by one, each while that is
/// still possible, and last of all the right to start programs.
///
/// Control group → limits → user → capabilities → end with the launcher → Landlock → system calls → the scheme.
struct SchemeStart {
    let plan: LaunchPlan
    let target: LaunchTarget
    let group: SchemeGroup
    let spaces: Namespaces?
    let readable: [String]
    /// The pipe on which the launcher learns how the start goes; it is closed when the scheme starts.
    let news: Int32
    /// The pipe for what the scheme writes to standard output and standard error.
    let complaints: Int32

    /// The descriptor of the pipe to the launcher while this runs; the scheme never sees it.
    private static let newsPlace: Int32 = 4

    /// Becomes the scheme, or reports why that failed and exits.
    func run() -> Never {
        group.enter()
        if !isArranged() { fail(errno, "its descriptors") }
        limit()
        let isOwn = plan.isConfined ? becomeUser() : false
        if plan.isConfined {
            _ = clinux_drop_capabilities()
            guard clinux_no_new_privileges() == 0 else { fail(errno, "no new privileges") }
        }
        // Comes after the change of the user, which resets it.
        _ = clinux_end_with_parent()
        if chdir(target.folder) != 0 { _ = chdir("/") }
        let arguments = target.arguments.map { strdup($0) } + [nil]
        if plan.isConfined { confine(arguments) } else { execv(target.program, arguments) }
        let isUnreadable = isOwn && errno == EACCES
        fail(errno, isUnreadable ? "a server of root runs it as another user, who must be able to read it" : "")
    }

    /// Arranges the scheme's descriptors: nothing to read, its error output, and its socket; returns whether that
    /// worked.
    private func isArranged() -> Bool {
        guard dup2(complaints, STDOUT_FILENO) >= 0, dup2(complaints, STDERR_FILENO) >= 0,
            dup2(news, Self.newsPlace) >= 0
        else { return false }
        return fcntl(Self.newsPlace, F_SETFD, FD_CLOEXEC) == 0 && clinux_close_all_from(5) == 0
    }

    private func limit() {
        _ = clinux_limit(clinux_limit_core, 0)
        guard plan.isConfined else { return limitSpace() }
        _ = clinux_limit(clinux_limit_file, 0)
        _ = clinux_limit(clinux_limit_files, 256)
        _ = clinux_limit(clinux_limit_queues, 0)
        _ = setpriority(__priority_which_t(0), 0, 2)
        limitSpace()
    }

    private func limitSpace() {
        if plan.memory != .max { _ = clinux_limit(clinux_limit_space, UInt64(max(plan.memory, 0))) }
    }

    /// Switches to a separate user if the server runs as root; returns whether it did.
    private func becomeUser() -> Bool {
        let isRoot = geteuid() == 0
        let isOwn = isRoot && OwnUser.unused().map { OwnUser.become($0) } ?? false
        if isRoot, !isOwn { miss("own user") }
        // The limit counts everything that the user runs, so it is the scheme's own only if the user is.
        if isOwn || spaces?.hasUsers == true {
            _ = clinux_limit(clinux_limit_threads, UInt64(SchemeGroup.threads))
        } else if !group.missing.isEmpty {
            miss("own limit of threads")
        }
        return isOwn
    }

    private func confine(_ arguments: [UnsafeMutablePointer<CChar>?]) {
        // In `/proc` only its own entry, because Swift reads its arguments there.
        let isLocked = Landlock(reading: readable + ["/proc/self"])?.restrict() ?? false
        if !isLocked { miss("Landlock") }
        guard let filter = SystemCallFilter() else { fail(ENOSYS, LaunchMessage.filterStep) }
        let refusal = filter.load()
        guard refusal == 0 else { fail(refusal, LaunchMessage.filterStep) }
        filter.start(target.program, arguments, environment)
    }

    private var environment: [UnsafeMutablePointer<CChar>?] {
        var variables: [UnsafeMutablePointer<CChar>?] = []
        var place = environ
        while let entry = place.pointee {
            variables.append(entry)
            place += 1
        }
        return variables + [nil]
    }

    private func miss(_ what: String) { tell(StartNews.missing(what)) }

    private func fail(_ code: Int32, _ step: String) -> Never {
        tell(StartNews.failed(code, step))
        _exit(127)
    }

    private func tell(_ news: StartNews) {
        let bytes = Array(news.line.utf8)
        _ = bytes.withUnsafeBytes { write(Self.newsPlace, $0.baseAddress, $0.count) }
    }
}

/// What the launcher's child reports, one line each, before it becomes the scheme.
enum StartNews: Equatable {
    case missing(String)
    case failed(Int32, String)

    var line: String {
        switch self {
        case .missing(let what): "- \(what)\n"
        case .failed(let code, let step): "! \(code) \(step)\n"
        }
    }

    init?(line: Substring) {
        if line.hasPrefix("- ") {
            self = .missing(String(line.dropFirst(2)))
        } else if line.hasPrefix("! ") {
            let parts = line.dropFirst(2).split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            self = .failed(Int32(parts[0]) ?? 0, parts.count > 1 ? String(parts[1]) : "")
        } else {
            return nil
        }
    }
}
