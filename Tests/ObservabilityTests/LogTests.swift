import Observability
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
}
