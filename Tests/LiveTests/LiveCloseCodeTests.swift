import Glibc
import Live
import Testing

@Suite struct LiveCloseCodeTests {
    @Test func `the documented table is the enum`() throws {
        let rows = try documentedRows(of: "LiveCloseCode").filter { UInt16($0[0]) != nil }
        #expect(rows.map { [$0[0], $0[1]] } == LiveCloseCode.allCases.map { ["\($0.rawValue)", "\($0)"] })
        #expect(rows.allSatisfy { !$0[2].isEmpty })
    }

    @Test func `the range says what a client does`() {
        let stopping = LiveCloseCode.allCases.filter { $0.verdict == .stop }
        #expect(stopping.map(\.rawValue) == [1003, 1007, 1009, 4500, 4501, 4503, 4504])
        for code in LiveCloseCode.allCases where code.rawValue >= 4000 {
            #expect(code.verdict == (code.rawValue < 4500 ? .reconnect : .stop))
        }
    }
}

@Suite struct LiveErrorCodeTests {
    @Test func `the documented table is the enum`() throws {
        let rows = try documentedRows(of: "LiveErrorCode").filter { $0[0].hasPrefix("`") }
        #expect(
            rows.map { [$0[0], $0[1]] }
                == LiveErrorCode.allCases.map { ["`\($0.rawValue)`", $0.canRetry ? "yes" : "no"] })
    }

    @Test func `the codes are those of the protocol`() {
        #expect(
            LiveErrorCode.allCases.map(\.rawValue) == [
                "bad_request", "unauthenticated", "forbidden", "limit", "rate_limited", "too_large", "unavailable",
                "internal",
            ])
        #expect(EndReason.allCases.map(\.rawValue) == ["revoked", "gone", "unsub", "reset"])
    }
}

/// What `docs/live-protocol.md` says to the authors of clients.
@Suite struct LiveProtocolDocumentTests {
    private let cells: Set<String>

    init() throws {
        let document = try #require(contents(of: repository() + "/docs/live-protocol.md"))
        cells = Set(document.split { $0 == "|" || $0 == "\n" }.map { trimmed($0) })
    }

    @Test(arguments: LiveCloseCode.allCases)
    func `it names every close code`(code: LiveCloseCode) { #expect(cells.contains("\(code.rawValue)")) }

    @Test(arguments: LiveErrorCode.allCases)
    func `it names every error code`(code: LiveErrorCode) { #expect(cells.contains("`\(code.rawValue)`")) }
}

private func repository(_ file: String = #filePath) -> String {
    "/" + file.split(separator: "/").dropLast(3).joined(separator: "/")
}

private func trimmed(_ cell: some StringProtocol) -> String {
    String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
}

/// The cells of the rows of the tables in a source file's doc comments.
private func documentedRows(of type: String) throws -> [[String]] {
    let source = try #require(contents(of: repository() + "/Sources/Domain/Live/Protocol/\(type).swift"))
    return source.split(separator: "\n").filter { $0.hasPrefix("/// |") }.map { line in
        line.dropFirst(5).split(separator: "|").map { trimmed($0) }
    }
}

private func contents(of path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
}
