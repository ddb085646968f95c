import Dispatch
import Glibc
import GradingKit
import SchemeHost
import Synchronization
import TestKit
import Testing

@Suite struct SchemeHostTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func host(
        _ name: String = "moody", _ limits: SchemeLimits = .patient,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) throws -> SchemeHost {
        try Program.host(try Program.fixture(name, in: folder), limits, now: now)
    }

    private func marks(_ titles: String..., in rules: Rulebook) throws -> RecordTree {
        let entries = titles.enumerated().map { index, title -> JSON in
            ["id": .string("m\(index)"), "kind": "mark", "fields": ["title": .string(title), "grade": 12]]
        }
        return try rules.calculation(fields: .null, entries: .array(entries), newID: { EntryID("?") })
    }

    private func mean(_ titles: String..., by rules: Rulebook) throws -> String {
        let tree = try marks(titles.joined(separator: ", "), in: rules)
        return try rules.standing(of: tree).figure("mean")?.display ?? ""
    }

    @Test func `a process that hangs is given up, and the next one answers`() throws {
        var limits = SchemeLimits.patient
        // Long enough for a busy machine to answer what does not hang.
        limits.deadline = .seconds(3)
        let host = try host("moody", limits)
        let rules = try InstalledScheme(host).rulebook()
        let first = try #require(host.process)
        let hanging = try marks("hang", in: rules)
        let error = #expect(throws: FaultList.self) { try rules.standing(of: hanging) }
        #expect(error?.faults.map(\.code) == [.notComputable])
        #expect(kill(pid_t(first), 0) == -1)
        let answered = host.calls.answered
        #expect(try mean("calm", by: rules) == "12.00")
        #expect((host.calls.late, host.calls.failed, host.calls.refused) == (1, 0, 0))
        #expect(host.calls.answered == answered + 2)
    }

    @Test func `a process killed in the middle of a request is replaced, and the request answered`() async throws {
        let host = try host()
        let rules = try InstalledScheme(host).rulebook()
        let tree = try marks("calm", in: rules)
        let first = pid_t(try #require(host.process))
        // Stopped, it cannot answer; what is asked of it is under way until it is killed.
        #expect(kill(first, SIGSTOP) == 0)
        async let standing = rules.perform { try rules.standing(of: tree).figure("mean")?.display }
        #expect(kill(first, SIGKILL) == 0)
        #expect(try await standing == "12.00")
        #expect(host.process.map { pid_t($0) } != first)
        #expect((host.calls.late, host.calls.failed, host.calls.refused) == (0, 0, 0))
    }

    @Test func `a scheme that dies of a record leaves another scheme alone`() throws {
        let (dying, other) = (try host(), try host("chalkboard"))
        let rules = try InstalledScheme(dying).rulebook()
        let board = try InstalledScheme(other).rulebook()
        let process = other.process
        let tree = try marks("die", in: rules)
        #expect(throws: FaultList.self) { try rules.standing(of: tree) }
        #expect(try board.standing(of: board.emptyRecord).figure("gpa")?.display == "")
        #expect(other.process == process)
    }

    @Test func `an executable of other bytes is not started in the place of the first`() throws {
        let program = folder.file("copy")
        for copy in [program, program + "2"] {
            try copyFile(try Program.built("SchemeFixture"), to: copy)
            try #require(chmod(copy, 0o755) == 0)
        }
        try #require(chmod(folder.path, 0o755) == 0)
        let host = try Program.host(program)
        #expect(host.digest == nil)
        let rules = try InstalledScheme(host).rulebook()
        let digest = try #require(host.digest)
        #expect(digest == ExecutableDigest.ofFile(program) && digest.utf8.count == 64)
        #expect(rules.executable?.digest == digest)
        // Another file in the same place, which behaves the same.
        let file = try #require(fopen(program + "2", "a"))
        try #require(fputc(0, file) == 0 && fclose(file) == 0 && rename(program + "2", program) == 0)
        #expect(kill(pid_t(try #require(host.process)), SIGKILL) == 0)
        let error = #expect(throws: FaultList.self) { try mean("calm", by: rules) }
        #expect(
            error?.faults.first?.arguments["detail"] == "it is another program by now; the server must be restarted")
        #expect(host.digest == digest)
    }

    @Test func `failures in a row are answered at once, with growing pauses before the next start`() throws {
        let clock = Clock()
        let host = try host("moody", .patient, now: { clock.now })
        let rules = try InstalledScheme(host).rulebook()
        let deadly = try marks("die", in: rules)
        for _ in 0..<2 { #expect(throws: FaultList.self) { try rules.standing(of: deadly) } }
        #expect(throws: FaultList.self) { try mean("calm", by: rules) }
        #expect(host.process == nil)
        clock.advance(by: .milliseconds(99))
        #expect(throws: FaultList.self) { try mean("calm", by: rules) }
        #expect((host.calls.late, host.calls.failed, host.calls.refused) == (0, 2, 2))
        clock.advance(by: .milliseconds(1))
        #expect(try mean("calm", by: rules) == "12.00")
        #expect(throws: FaultList.self) { try rules.standing(of: deadly) }
        #expect(try mean("calm", by: rules) == "12.00")
    }

    @Test func `what is known of a process is told while an answer is waited for`() async throws {
        let (gate, kills) = (Gate(), Recorder<Int>())
        let host = try host(
            "moody",
            now: {
                if !kills.items.isEmpty { gate.pass() }
                return ContinuousClock.now
            })
        let rules = try InstalledScheme(host).rulebook()
        let (digest, process) = (try #require(host.digest), try #require(host.process))
        kills.record(process)
        // Its successor is started in the middle of a request, and for that the clock is looked at.
        #expect(kill(pid_t(process), SIGKILL) == 0)
        async let answer = onThread { try mean("calm", by: rules) }
        await gate.waitUntilReached()
        #expect(host.digest == digest)
        #expect(host.process == process)
        gate.open()
        #expect(try await answer == "12.00")
        #expect(host.process != process)
    }

    @Test func `a closed host refuses, and has no process left`() throws {
        let host = try host()
        let rules = try InstalledScheme(host).rulebook()
        let process = try #require(host.process)
        host.close()
        #expect(kill(pid_t(process), 0) == -1)
        #expect(host.process == nil)
        #expect(throws: FaultList.self) { try mean("calm", by: rules) }
    }

    @Test func `where too much waits, more is refused at once`() async throws {
        var limits = SchemeLimits.patient
        limits.queue = 1
        let host = try host("moody", limits)
        let (began, ends) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
        async let first = host.perform {
            began.continuation.yield()
            ends.wait()
            return 1
        }
        for await _ in began.stream { break }
        let error = await #expect(throws: FaultList.self) { try await host.perform { 2 } }
        #expect(error?.isNotComputable == true)
        #expect(host.calls.refused == 1)
        ends.signal()
        #expect(try await first == 1)
        #expect(try await host.perform { 3 } == 3)
    }

    @Test func `what an unconfined program has started ends with it`() throws {
        let program = folder.file("starter")
        try #require(symlink(Program.script("starter"), program) == 0)
        try #require(mkfifo(program + ".held", 0o600) == 0)
        let held = open(program + ".held", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(held) }
        var limits = SchemeLimits.patient
        limits.isConfined = false
        #expect(throws: SchemeFailure.self) { try InstalledScheme(try Program.host(program, limits)) }
        var watched = pollfd(fd: held, events: Int16(POLLIN), revents: 0)
        #expect(poll(&watched, 1, Int32(Patience.seconds * 1_000)) == 1)
        #expect(watched.revents & Int16(POLLHUP) != 0)
    }

    @Test(.disabled(if: Sanitizer.isPresent, "what looks for faults needs more addresses than a limit leaves"))
    func `a process that wants too much memory ends alone`() throws {
        let rules = try InstalledScheme(try host()).rulebook()
        let tree = try marks("devour", in: rules)
        #expect(throws: FaultList.self) { try rules.standing(of: tree) }
    }

    @Test func `what cannot be started is told with its path`() throws {
        let error = #expect(throws: SchemeFailure.self) { try InstalledScheme(try Program.host("/nowhere/scheme")) }
        #expect(error?.description == "it cannot be started: No such file or directory")
    }

    @Test func `a scheme in another language checks and computes`() throws {
        let scheme = try InstalledScheme(try Program.host(Program.script("pass-fail")))
        let rules = try scheme.rulebook()
        func task(_ title: String, done: JSON = false) -> JSON {
            ["id": .string(title), "kind": "task", "fields": ["title": .string(title), "done": done]]
        }
        let tree = try rules.calculation(
            fields: .null, entries: [task("a", done: true), task("b"), task("c", done: true)],
            newID: { EntryID("?") })
        let standing = try rules.standing(of: tree)
        #expect(standing.figure("share")?.display == "66.6")
        #expect(standing.outcomes.map(\.decision.state) == [.met])
        let error = #expect(throws: FaultList.self) {
            let nameless: JSON = ["id": "b", "kind": "task", "fields": ["done": true]]
            return try rules.calculation(fields: .null, entries: [task("vain"), nameless], newID: { EntryID("?") })
        }
        #expect(
            error?.faults.map { "\($0.code) \($0.path)" } == [
                "one_task_is_vain /entries/0/fields/title", "missing_field /entries/1/fields/title",
            ])
        let refusal = #expect(throws: FaultList.self) { try scheme.rulebook(configuration: ["wind": 1]) }
        #expect(refusal?.faults.map(\.path) == ["/configuration/wind"])
    }
}

/// A clock that goes when it is told to.
private final class Clock: Sendable {
    private let moment = Mutex(ContinuousClock.now)

    var now: ContinuousClock.Instant { moment.withLock { $0 } }

    func advance(by duration: Duration) { moment.withLock { $0 += duration } }
}

extension SchemeLimits {
    /// So much time that only what hangs is late.
    static var patient: SchemeLimits {
        var limits = SchemeLimits()
        limits.deadline = .seconds(Patience.seconds)
        limits.startTime = .seconds(Patience.seconds)
        if Sanitizer.isPresent { limits.memory = .max }
        return limits
    }
}
