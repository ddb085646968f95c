import GradingLaws
import Testing

@testable import HTTP

@Suite struct `The request parser` {
    static let valid = [
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "\r\nGET /a%20b/c?x=1&y=+ HTTP/1.1\r\nHost: a:80\r\nAccept:\t*/* \r\nEmpty:\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: [::1]:80\r\nContent-Length: 5\r\n\r\nhello",
        "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 005\r\nExpect: 100-Continue\r\n\r\nhello",
        "PUT /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n0A;x=y\r\n0123456789\r\n0\r\n\r\n",
        "PUT /a HTTP/1.1\r\nHost: a\r\ntransfer-encoding: chunked\r\n\r\n000\r\nTrailer: x\r\n\r\n",
        "GET / HTTP/1.0\r\n\r\n",
        "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nConnection: Close, x\r\n\r\n",
        "GET http://A.example/x?y HTTP/1.1\r\nHost: a.example\r\n\r\n",
        "GET http://a.example?y HTTP/1.1\r\nHost: a.example\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
        "PURGE /x HTTP/1.1\r\nHost: a\r\nX: \u{E9}\r\n\r\n",
    ]

    @Test(arguments: valid) func `accepts what is right`(request: String) {
        let reading = Reading(request)
        #expect(reading.fault == nil)
        #expect(reading.requests.count == 1)
    }

    @Test func `says the same however the bytes are cut`() {
        let stream = Array(Self.valid.joined().utf8)
        let whole = Reading(stream)
        #expect(whole.requests.count == Self.valid.count)
        for size in [1, 2, 3, 5, 7, 64, 100] { #expect(Reading(stream, pieces: size) == whole) }
        for request in Self.valid.map({ Array($0.utf8) }) {
            for size in 1...request.count { #expect(Reading(request, pieces: size) == Reading(request)) }
        }
    }

    @Test func `reports the head before the body and keeps its bytes`() throws {
        var parser = RequestParser()
        parser.feed(Array("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\nab".utf8))
        guard case .head(let head) = try parser.next() else {
            Issue.record("no head")
            return
        }
        #expect(head.expectsContinue)
        #expect(head.framing == .length(4))
        #expect(try parser.next() == nil)
        try parser.acceptBody(upTo: 4)
        #expect(try parser.next() == nil)
        #expect(parser.isReadingBody)
        parser.feed(Array("cdGET".utf8))
        #expect(try parser.next() == .request(head, body: Array("abcd".utf8)))
        #expect(!parser.isBetweenRequests)
        #expect(parser.takeRemainder() == Array("GET".utf8))
        #expect(parser.isBetweenRequests)
    }

    @Test func `tells no client of HTTP 1_0 to go on`() throws {
        var parser = RequestParser()
        parser.feed(Array("POST /x HTTP/1.0\r\nHost: h\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n".utf8))
        guard case .head(let head) = try parser.next() else {
            Issue.record("no head")
            return
        }
        #expect(!head.expectsContinue)
    }

    static let malformed: [(String, RequestFault)] = [
        // The request line.
        ("GET / HTTP/1.1\nHost: a\r\n\r\n", .requestLine),
        ("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", .target),
        ("GET  HTTP/1.1\r\nHost: a\r\n\r\n", .target),
        ("GET / \r\nHost: a\r\n\r\n", .requestLine),
        ("GET \r\nHost: a\r\n\r\n", .requestLine),
        ("GET\r\nHost: a\r\n\r\n", .requestLine),
        (" \r\nHost: a\r\n\r\n", .requestLine),
        ("GET /\r\nHost: a\r\n\r\n", .requestLine),
        (" GET / HTTP/1.1\r\nHost: a\r\n\r\n", .requestLine),
        ("G@T / HTTP/1.1\r\nHost: a\r\n\r\n", .requestLine),
        ("GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n", .requestLine),
        ("GET / HTTP/1.1 \r\nHost: a\r\n\r\n", .requestLine),
        ("GET / http/1.1\r\nHost: a\r\n\r\n", .requestLine),
        ("GET / HTTP/1.10\r\nHost: a\r\n\r\n", .requestLine),
        ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", .version),
        ("GET / HTTP/0.9\r\nHost: a\r\n\r\n", .version),
        ("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .requestLine),
        ("\u{16}\u{3}\u{1}\u{2}\n", .requestLine),
        // The target.
        ("GET a HTTP/1.1\r\nHost: a\r\n\r\n", .target),
        ("GET * HTTP/1.1\r\nHost: a\r\n\r\n", .target),
        ("CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n", .target),
        ("GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n", .target),
        ("GET http:/// HTTP/1.1\r\nHost: a\r\n\r\n", .target),
        ("GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n", .target),
        ("GET /%4 HTTP/1.1\r\nHost: a\r\n\r\n", .target),
        ("GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", .target),
        ("GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n", .target),
        ("GET /%ff HTTP/1.1\r\nHost: a\r\n\r\n", .target),
        ("GET /?a=%c3%28 HTTP/1.1\r\nHost: a\r\n\r\n", .target),
        ("GET /#x HTTP/1.1\r\nHost: a\r\n\r\n", .target),
        ("GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", .target),
        ("GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n", .target),
        ("GET /\u{E9} HTTP/1.1\r\nHost: a\r\n\r\n", .target),
        ("GET /\r/ HTTP/1.1\r\nHost: a\r\n\r\n", .target),
        // Header fields.
        ("GET / HTTP/1.1\r\nHost: a\nX: y\r\n\r\n", .headerField),
        ("GET / HTTP/1.1\r\nHost: a\r\n\n", .headerField),
        ("GET / HTTP/1.1\r\nHost: a\r\n X: y\r\n\r\n", .headerField),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: y\r\n\tz\r\n\r\n", .headerField),
        ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", .headerField),
        ("GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n", .headerField),
        ("GET / HTTP/1.1\r\nHost: a\r\n: y\r\n\r\n", .headerField),
        ("GET / HTTP/1.1\r\nHost: a\r\nX(: y\r\n\r\n", .headerField),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n", .headerField),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n", .headerField),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: \u{7F}\r\n\r\n", .headerField),
        // Host.
        ("GET / HTTP/1.1\r\n\r\n", .host),
        ("GET / HTTP/1.1\r\nHost:\r\n\r\n", .host),
        ("GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n", .host),
        ("GET / HTTP/1.0\r\nHost: a\r\nhost: b\r\n\r\n", .host),
        ("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", .host),
        ("GET / HTTP/1.1\r\nHost: a@b\r\n\r\n", .host),
        ("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", .host),
        ("GET / HTTP/1.1\r\nHost: a,b\r\n\r\n", .host),
        ("GET http://a/ HTTP/1.0\r\n\r\n", .host),
        // Expectations.
        ("GET / HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\n\r\n", .expectation),
    ]

    @Test(arguments: malformed) func `refuses what is malformed`(request: String, fault: RequestFault) {
        expect(request, fault)
    }

    static let smuggling: [(String, RequestFault)] = [
        ("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", .framing),
        ("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n", .framing),
        ("Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello", .framing),
        ("Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello", .framing),
        ("Content-Length: 5, 5\r\n\r\nhello", .framing),
        ("Content-Length: +5\r\n\r\nhello", .framing),
        ("Content-Length: -5\r\n\r\nhello", .framing),
        ("Content-Length: 5 5\r\n\r\nhello", .framing),
        ("Content-Length: 0x5\r\n\r\nhello", .framing),
        ("Content-Length: 5.0\r\n\r\nhello", .framing),
        ("Content-Length: five\r\n\r\nhello", .framing),
        ("Content-Length:\r\n\r\nhello", .framing),
        ("Content-Length : 5\r\n\r\nhello", .headerField),
        ("Content-Length\t: 5\r\n\r\nhello", .headerField),
        ("Content-Length: 5\r\n Transfer-Encoding: chunked\r\n\r\n", .headerField),
        ("Content-Length: 1025\r\n\r\n", .bodyTooLarge(limit: 1024)),
        ("Content-Length: 99999999999999999999999999\r\n\r\n", .bodyTooLarge(limit: 1024)),
        ("Transfer-Encoding: identity\r\n\r\n", .framing),
        ("Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", .framing),
        ("Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n", .framing),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", .framing),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n", .framing),
        ("Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", .framing),
        ("Transfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n", .framing),
        ("Transfer-Encoding: chunked;q=1\r\n\r\n0\r\n\r\n", .framing),
        ("Transfer-Encoding:\u{B}chunked\r\n\r\n0\r\n\r\n", .headerField),
        ("Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n", .headerField),
        ("Transfer-Encoding\r\n: chunked\r\n\r\n0\r\n\r\n", .headerField),
        ("Transfer-Encoding: chunked\r\n\r\n0 7\r\n\r\n", .chunk),
        ("Transfer-Encoding: chunked\r\n\r\n 5\r\nhello\r\n0\r\n\r\n", .chunk),
        ("Transfer-Encoding: chunked\r\n\r\n5 \r\nhello\r\n0\r\n\r\n", .chunk),
        ("Transfer-Encoding: chunked\r\n\r\n5 ;x\r\nhello\r\n0\r\n\r\n", .chunk),
        ("Transfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n", .chunk),
        ("Transfer-Encoding: chunked\r\n\r\n+5\r\nhello\r\n0\r\n\r\n", .chunk),
        ("Transfer-Encoding: chunked\r\n\r\n-1\r\nhello\r\n0\r\n\r\n", .chunk),
        ("Transfer-Encoding: chunked\r\n\r\n\r\nhello\r\n0\r\n\r\n", .chunk),
        ("Transfer-Encoding: chunked\r\n\r\n;x\r\nhello\r\n0\r\n\r\n", .chunk),
        ("Transfer-Encoding: chunked\r\n\r\n5\nhello\r\n0\r\n\r\n", .chunk),
        ("Transfer-Encoding: chunked\r\n\r\n5;a\nb\r\nhello\r\n0\r\n\r\n", .chunk),
        ("Transfer-Encoding: chunked\r\n\r\n5;a\rb\r\nhello\r\n0\r\n\r\n", .chunk),
        ("Transfer-Encoding: chunked\r\n\r\n5\r\nhelloX\r\n0\r\n\r\n", .chunk),
        ("Transfer-Encoding: chunked\r\n\r\n5\r\nhello\n0\r\n\r\n", .chunk),
        ("Transfer-Encoding: chunked\r\n\r\n4\r\nhello\r\n0\r\n\r\n", .chunk),
        ("Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n", .chunk),
        ("Transfer-Encoding: chunked\r\n\r\n7FFFFFFFFFFFFFFF\r\n", .bodyTooLarge(limit: 1024)),
        ("Transfer-Encoding: chunked\r\n\r\n401\r\n", .bodyTooLarge(limit: 1024)),
        ("Transfer-Encoding: chunked\r\n\r\n0\r\nX : y\r\n\r\n", .headerField),
        ("Transfer-Encoding: chunked\r\n\r\n0\r\nX: y\n\r\n", .headerField),
        ("Transfer-Encoding: chunked\r\n\r\n0\r\n X: y\r\n\r\n", .headerField),
    ]

    @Test(arguments: smuggling) func `refuses what two parsers could read in two ways`(
        fields: String, fault: RequestFault
    ) {
        expect("POST / HTTP/1.1\r\nHost: a\r\n" + fields, fault)
    }

    @Test func `refuses chunks from HTTP/1.0`() {
        expect("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", .framing)
    }

    @Test func `bounds the request line at 8 KiB`() {
        let fits = "GET /" + String(repeating: "a", count: 8192 - 14) + " HTTP/1.1"
        #expect(fits.utf8.count == 8192)
        #expect(Reading(fits + "\r\nHost: a\r\n\r\n").fault == nil)
        expect(fits + "a\r\nHost: a\r\n\r\n", .requestLineTooLong)
        expect(String(repeating: "a", count: 8194), .requestLineTooLong)
    }

    @Test func `bounds the header fields at 32 KiB and 100`() {
        let start = "GET / HTTP/1.1\r\nHost: a\r\n"
        let line = "X: " + String(repeating: "a", count: 32 * 1024 - 9 - 3 - 2)
        #expect(Reading(start + line + "\r\n\r\n").fault == nil)
        expect(start + line + "a\r\n\r\n", .headersTooLarge)
        expect(start + String(repeating: "a", count: 33_000), .headersTooLarge)
        #expect(Reading(start + String(repeating: "X: y\r\n", count: 99) + "\r\n").fault == nil)
        expect(start + String(repeating: "X: y\r\n", count: 100) + "\r\n", .headersTooLarge)
    }

    @Test func `bounds trailers and chunk extensions`() {
        let start = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        expect(start + "0\r\n" + String(repeating: "X: y\r\n", count: 101) + "\r\n", .headersTooLarge)
        expect(start + "1;" + String(repeating: "x", count: 300) + "\r\na\r\n0\r\n\r\n", .chunk)
        expect(start + String(repeating: "1;" + String(repeating: "x", count: 200) + "\r\na\r\n", count: 30), .chunk)
    }

    @Test func `answers nothing behind a fault`() {
        let reading = Reading(Self.valid[0] + "BAD\r\n\r\n" + Self.valid[0])
        #expect(reading.requests.count == 1)
        #expect(reading.fault == .requestLine)
    }

    @Test func `survives ten thousand mutations, the same however they are cut`() {
        var random = SeededGenerator(seed: 1)
        let seeds = (Self.valid + Self.malformed.map(\.0)).map { Array($0.utf8) }
        for _ in 0..<10_000 {
            var bytes = (0..<3).flatMap { _ in seeds[Int.random(in: 0..<seeds.count, using: &random)] }
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
                default: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                }
            }
            let whole = Reading(bytes)
            #expect((whole.fault?.status.code ?? 400) != 500)
            #expect(Reading(bytes, pieces: Int.random(in: 1...16, using: &random)) == whole)
        }
    }

    private func expect(_ request: String, _ fault: RequestFault) {
        let reading = Reading(request)
        #expect(reading.fault == fault)
        #expect(reading.requests.isEmpty)
        #expect(Reading(request, pieces: 1) == reading)
    }
}
