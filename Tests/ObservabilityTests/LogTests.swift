import Glibc
import Observability
import Synchronization
import TestKit
import Testing

@Suite struct LogTests {
    private let lines = Recorder<String>()

    private func log(_ form: LogOutput.Form, level: LogLevel = .info) -> Log {
        Log(
            level: level,
            output: LogOutput(form: form, time: { "2026-11-21T09:31:05.120Z" }) { [lines] in
                lines.record(String(decoding: $0, as: UTF8.self))
            })
    }

    @Test func `a line for machines is one JSON object`() {
        log(.json).with(["loop": 1]).warning("slow \"client\"\n", ["peer": "::1", "stalled": true])
        #expect(
            lines.items == [
                #"{"time":"2026-11-21T09:31:05.120Z","level":"warning","message":"slow \"client\"\n","loop":1,"#
                    + #""peer":"::1","stalled":true}"# + "\n"
            ])
    }

    @Test func `no field takes the place of time, level or message`() {
        log(.json).with(["a": 1]).info("x", ["level": "error", "a": 2])
        #expect(lines.items.first?.contains(#""level":"info""#) == true)
        #expect(lines.items.first?.hasSuffix("\"message\":\"x\",\"a\":2}\n") == true)
    }

    @Test func `a line for eyes quotes what would mislead them`() {
        log(.plain).error("failed", ["path": "/v1/a b", "agent": "x\u{1B}[2J\ny", "code": 500, "empty": ""])
        #expect(
            lines.items == [
                #"2026-11-21T09:31:05.120Z ERROR failed path="/v1/a b" agent="x\u001b[2J\ny" code=500 empty="""# + "\n"
            ])
    }

    @Test func `a line below the level is not even made`() {
        var isMade = false
        log(.json).debug(
            {
                isMade = true; return "x"
            }())
        #expect(!isMade)
        #expect(lines.items.isEmpty)
    }

    @Test func `a log that is not read drops lines, and tells how many once it is read again`() async throws {
        let pipe = try Pipe(holding: 4_096)
        let output = try LogOutput(descriptor: pipe.input, form: .plain, lines: 8, time: { "now" })
        let log = Log(level: .info, output: output)
        let long = String(repeating: "x", count: 1_000)
        // Four of them fit into the pipe, one is being written, eight wait.
        for _ in 0..<100 { log.info(long) }
        let dropped = output.droppedLines
        #expect(dropped >= 87)
        async let text = pipe.read()
        await output.close(within: .seconds(Patience.seconds))
        pipe.end()
        let lines = try await text.split(separator: "\n")
        #expect(lines.filter { $0 == "now INFO \(long)" }.count == 100 - dropped)
        let told = lines.filter { $0.hasPrefix("now WARNING lines were dropped lines=") }
        #expect(told.compactMap { Int($0.split(separator: "=").last ?? "") }.reduce(0, +) == dropped)
        #expect(lines.count == 100 - dropped + told.count)
    }

    @Test func `lines of too many bytes are dropped like too many lines`() async throws {
        let pipe = try Pipe(holding: 4_096)
        let output = try LogOutput(descriptor: pipe.input, form: .plain, bytes: 1_000, time: { "now" })
        let log = Log(level: .info, output: output)
        log.info(String(repeating: "x", count: 1_000))
        log.info("short")
        await output.close(within: .seconds(Patience.seconds))
        pipe.end()
        #expect(try await pipe.read() == "now INFO short\nnow WARNING lines were dropped lines=1\n")
    }

    @Test func `closing waits for a log that is not read no longer than it may`() async throws {
        let pipe = try Pipe(holding: 4_096)
        let output = try LogOutput(descriptor: pipe.input, form: .plain, time: { "now" })
        let log = Log(level: .info, output: output)
        let long = String(repeating: "x", count: 1_000)
        for _ in 0..<20 { log.info(long) }
        await output.close(within: .milliseconds(1))
        log.info("too late")
        #expect(output.droppedLines == 1)
        // As long as the process lives, what waits is still written.
        #expect(try await pipe.read(20 * 1_010).split(separator: "\n").filter { $0 == "now INFO \(long)" }.count == 20)
    }
}

/// A pipe of the kernel that holds so many bytes.
private final class Pipe: Sendable {
    let input: Int32
    private let output: Int32
    private let hasEnded = Atomic(false)

    init(holding size: Int32) throws {
        let setSize: Int32 = 1_031  // F_SETPIPE_SZ, which Glibc's module does not show
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        (output, input) = (ends[0], ends[1])
        try #require(fcntl(input, setSize, size) == size)
    }

    deinit {
        end()
        close(output)
    }

    /// Closes the end that is written to.
    func end() { if !hasEnded.exchange(true, ordering: .relaxed) { close(input) } }

    /// What comes until that many bytes were read or the pipe ends.
    func read(_ limit: Int = .max) async throws -> String {
        try await onThread { [output] in
            var bytes: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 4_096)
            while bytes.count < limit {
                var watched = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
                try #require(poll(&watched, 1, Int32(Patience.seconds * 1_000)) == 1)
                let count = Glibc.read(output, &piece, piece.count)
                guard count > 0 else { break }
                bytes += piece[..<count]
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
