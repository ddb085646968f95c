import CLinux
import Glibc

/// Starts a scheme, confined, and stays as its parent. It is the server's program in another role.
///
/// The server passes it the scheme's socket as descriptor 3 and a socket to the server as descriptor 4. It prepares the
/// confinement and forks a child that becomes the scheme. Until the scheme ends, it then passes on the scheme's error
/// output, within limits, and kills the scheme when the server goes away, for whatever reason.
public enum SchemeLauncher {
    private static let socket: Int32 = 3
    private static let control: Int32 = 4

    /// Carries out the argument, a ``LaunchPlan``. The process must not have a second thread.
    public static func run(_ argument: String?) -> Never {
        guard let plan = argument.flatMap({ LaunchPlan(argument: $0) }) else {
            print("This is for the server alone.")
            exit(64)
        }
        do {
            try launch(plan)
        } catch {
            send(.failed(code: error.code, step: error.step))
        }
        exit(127)
    }

    private static func launch(_ plan: LaunchPlan) throws(LaunchTarget.Failure) -> Never {
        _ = fcntl(socket, F_SETFD, 0)
        let target = try LaunchTarget(plan.program)
        let readable = ReadableFiles(
            below: plan.isConfined ? ReadableFiles.system + plan.readable + [target.folder] : [], without: plan.secret)
        if readable.isIncomplete { throw LaunchTarget.Failure(code: 0, step: "it lies among too many files") }
        let group = SchemeGroup(in: plan.groups, memory: plan.memory)
        let spaces = plan.isConfined ? Namespaces() : nil
        let (news, complaints) = (try makePipe(), try makePipe())
        let start = SchemeStart(
            plan: plan, target: target, group: group, spaces: spaces, readable: readable.granted, news: news.write,
            complaints: complaints.write)
        let child = clinux_fork()
        if child == 0 { start.run() }
        guard child > 0 else { throw LaunchTarget.Failure(code: errno, step: "") }
        for end in [socket, news.write, complaints.write] { close(end) }
        let own = plan.isConfined ? group.missing : ["everything: \"sandbox\" is \"none\""]
        tell(news.read, of: child, own + (spaces?.missing ?? []))
        var keeper = SchemeKeeper(child: child, complaints: complaints.read, control: control)
        keeper.run()
        group.remove()
        // Processes that an unconfined scheme has started are in the launcher's process group.
        if !plan.isConfined { kill(0, SIGKILL) }
        exit(0)
    }

    private static func makePipe() throws(LaunchTarget.Failure) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw LaunchTarget.Failure(code: errno, step: "") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Reads how the start goes until the child has become the scheme, and reports to the server.
    private static func tell(_ news: Int32, of child: pid_t, _ missing: [String]) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1_024)
        while true {
            let count = read(news, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        close(news)
        var missing = missing
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            switch StartNews(line: line) {
            case .missing(let what): missing.append(what)
            case .failed(let code, let step): return send(.failed(code: code, step: step))
            case nil: break
            }
        }
        send(.started(process: Int(child), missing: missing))
    }

    /// Sends a message to the server; if there is no room for it, the message is lost.
    static func send(_ message: LaunchMessage) {
        let bytes = message.bytes
        _ = bytes.withUnsafeBytes {
            Glibc.send(control, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
    }
}
