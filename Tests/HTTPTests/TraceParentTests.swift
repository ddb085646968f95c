import HTTP
import Testing

@Suite struct TraceParentTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let parent = "00f067aa0ba902b7"

    @Test(arguments: [
        "00-\(trace)-\(parent)-01", "00-\(trace)-\(parent)-00", "cc-\(trace)-\(parent)-09",
        "cc-\(trace)-\(parent)-09-what-comes-later", "cc-\(trace)-\(parent)-09-",
    ]) func `the trace and the caller are read`(text: String) throws {
        let read = try #require(TraceParent(text))
        #expect((read.trace, read.parent) == (Self.trace, Self.parent))
    }

    @Test(arguments: [
        "", "00", "00-\(trace)-\(parent)", "00-\(trace)-\(parent)-", "00-\(trace)-\(parent)-01-more",
        "ff-\(trace)-\(parent)-01", "0-\(trace)-\(parent)-01", "00-\(trace.uppercased())-\(parent)-01",
        "00-\(String(repeating: "0", count: 32))-\(parent)-01", "00-\(trace)-\(String(repeating: "0", count: 16))-01",
        "00-\(trace)0-\(parent)-01", "00-\(trace)-\(parent)0-01", "00-\(trace)-\(parent)-0x",
        " 00-\(trace)-\(parent)-01", "00-\(trace.dropLast())é-\(parent)-01",
        "cc-\(trace)-\(parent)-01-" + String(repeating: "x", count: 300),
    ]) func `what does not follow the specification is not read`(text: String) {
        #expect(TraceParent(text) == nil)
    }
}
