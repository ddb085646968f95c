import CLinux
import Glibc

/// Starts a scheme, confined, and stays as its parent: the server's program in another part.
///
/// The server gives it the scheme's socket as descriptor 3 and a line to itself as descriptor 4. It prepares what the
/// scheme is confined by, lets a child become the scheme, and then does two things until the scheme ends: it passes on
/// what the scheme complains of, in bounded measure, and it kills the scheme when the server goes away, however it goes.
public enum SchemeLauncher {
    private static let socket: Int32 = 3
    private static let control: Int32 = 4

    /// Does what the argument, a ``LaunchPlan``, says. The process must not have a second thread.
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
        // What an unconfined scheme has started is in the launcher's process group.
        if !plan.isConfined { kill(0, SIGKILL) }
        exit(0)
    }

    private static func makePipe() throws(LaunchTarget.Failure) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw LaunchTarget.Failure(code: errno, step: "") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Hears how the child fares until it is the scheme, and tells the server.
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

    /// Tells the server; what it has no room for is lost.
    static func send(_ message: LaunchMessage) {
        let bytes = message.bytes
        _ = bytes.withUnsafeBytes {
            Glibc.send(control, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
    }
}
