/// Builds a request's head from its lines, refusing everything that two parsers could read differently.
///
/// The few fields that determine framing and the connection are noted as they pass, so that no line is read twice.
struct HeadBuilder {
    /// A field that may occur at most once: how often it did, and where its last value is in the headers.
    private struct Sighting {
        var count = 0
        var value = 0..<0

        mutating func see(_ value: Range<Int>) {
            count += 1
            self.value = value
        }
    }

    private let method: Method
    /// The checked target; its bytes come before the header lines.
    private let target: Target.Shape
    private let targetEnd: Int
    /// The authority of an absolute-form target, which must equal `Host`.
    private let authority: [UInt8]?
    private let version: RequestHead.Version
    private var headers: Headers
    private var host = Sighting()
    private var length = Sighting()
    private var coding = Sighting()
    private var expectation = Sighting()
    private var asksToClose = false
    private var asksToStay = false

    /// Reads the request line, given without its line end, and makes room for `bytes` of header lines.
    init(requestLine line: Span<UInt8>, roomFor bytes: Int) throws(RequestFault) {
        var first = 0
        while first < line.count, Bytes.token.contains(line[first]) { first += 1 }
        var last = line.count - 1
        while last >= 0, line[last] != Bytes.space { last -= 1 }
        guard first > 0, first < last, line[first] == Bytes.space else { throw .requestLine }
        method = HeadBuilder.method(line.extracting(..<first))
        version = try HeadBuilder.version(line.extracting((last + 1)...))
        let words = line.extracting((first + 1)..<last)
        let start = HeadBuilder.pathStart(words)
        authority = start > 0 ? HeadBuilder.authority(words.extracting(..<start)) : nil
        var headers = Headers(roomFor: words.count + 1 + bytes)
        // `http://authority` and `http://authority?query` mean the path `/`.
        if start > 0, !words.extracting(start...).starts(with: "/") { headers.prefix([UInt8(ascii: "/")].span) }
        headers.prefix(words.extracting(start...))
        targetEnd = headers.wire.count
        target = try Target.Shape(of: headers.wire.span)
        self.headers = headers
        if headers.wire.first == UInt8(ascii: "*"), method != .options { throw .target }
    }

    /// Reads a header line, given without its line end.
    mutating func add(line: Span<UInt8>) throws(RequestFault) {
        let (colon, value) = try HeadBuilder.field(line)
        let stored = headers.append(line: line, nameEnd: colon, value: value)
        switch colon {
        case 4 where line.spells("host", upTo: colon): host.see(stored)
        case 6 where line.spells("expect", upTo: colon): expectation.see(stored)
        case 14 where line.spells("content-length", upTo: colon): length.see(stored)
        case 17 where line.spells("transfer-encoding", upTo: colon): coding.see(stored)
        case 10 where line.spells("connection", upTo: colon):
            asksToClose = headers.hasToken("close", in: "Connection")
            asksToStay = headers.hasToken("keep-alive", in: "Connection")
        default: break
        }
    }

    /// Returns the head, once the empty line has come; throws if fields are missing, repeated or contradictory.
    func finish() throws(RequestFault) -> RequestHead {
        try checkHost()
        let framing = try framing()
        if expectation.count > 0 {
            guard expectation.count == 1, headers.wire[expectation.value].spell("100-continue") else {
                throw .expectation
            }
        }
        let isKeepAlive = !asksToClose && (version == .http11 || asksToStay)
        return RequestHead(
            method: method, target: Target(target, first: targetEnd, of: headers.wire), version: version,
            headers: headers, framing: framing,
            expectsContinue: expectation.count > 0 && version == .http11, isKeepAlive: isKeepAlive)
    }

    /// Returns where the name ends and where the value is in a header or trailer line.
    static func field(_ line: Span<UInt8>) throws(RequestFault) -> (nameEnd: Int, value: Range<Int>) {
        var colon = 0
        while colon < line.count, Bytes.token.contains(line[colon]) { colon += 1 }
        guard colon > 0, colon < line.count, line[colon] == UInt8(ascii: ":") else { throw .headerField }
        var start = colon + 1
        var end = line.count
        while start < end, Bytes.isBlank(line[start]) { start += 1 }
        while end > start, Bytes.isBlank(line[end - 1]) { end -= 1 }
        for index in start..<end where !Bytes.isFieldContent(line[index]) { throw .headerField }
        return (colon, start..<end)
    }
}

// The request line.
extension HeadBuilder {
    private static func method(_ name: Span<UInt8>) -> Method {
        if name.count == 3, name[0] == 0x47, name[1] == 0x45, name[2] == 0x54 { return .get }
        return Method(name.text)
    }

    private static func version(_ bytes: Span<UInt8>) throws(RequestFault) -> RequestHead.Version {
        let prefix: StaticString = "HTTP/"
        guard bytes.count == 8, bytes.starts(with: prefix), bytes[6] == UInt8(ascii: "."),
            (0x30...0x39).contains(bytes[5]), (0x30...0x39).contains(bytes[7])
        else { throw .requestLine }
        switch (bytes[5], bytes[7]) {
        case (0x31, 0x31): return .http11
        case (0x31, 0x30): return .http10
        default: throw .version
        }
    }

    /// Returns where path and query begin in a target: after the authority in `http://authority/path`, which is sent to
    /// proxies, and otherwise at 0.
    private static func pathStart(_ bytes: Span<UInt8>) -> Int {
        guard !bytes.starts(with: "/"), var end = authorityStart(bytes) else { return 0 }
        while end < bytes.count, bytes[end] != UInt8(ascii: "/"), bytes[end] != UInt8(ascii: "?") { end += 1 }
        return end
    }

    /// Returns the authority of `http://authority`.
    private static func authority(_ bytes: Span<UInt8>) -> [UInt8] {
        bytes.extracting((authorityStart(bytes) ?? 0)...).array
    }

    private static func authorityStart(_ bytes: Span<UInt8>) -> Int? {
        if bytes.count > 7, bytes.spells("http://", upTo: 7) { return 7 }
        if bytes.count > 8, bytes.spells("https://", upTo: 8) { return 8 }
        return nil
    }
}

// Checks that involve several fields.
extension HeadBuilder {
    private func checkHost() throws(RequestFault) {
        guard host.count > 0 else {
            guard version == .http10, authority == nil else { throw .host }
            return
        }
        let value = headers.wire[host.value]
        guard host.count == 1, !value.isEmpty, value.allSatisfy(Bytes.authority.contains) else { throw .host }
        guard let authority else { return }
        guard value.elementsEqual(authority, by: { Bytes.lowercased($0) == Bytes.lowercased($1) }) else {
            throw .target
        }
    }

    private func framing() throws(RequestFault) -> RequestHead.Framing {
        if coding.count > 0 {
            guard length.count == 0, version == .http11, coding.count == 1,
                headers.wire[coding.value].spell("chunked")
            else { throw .framing }
            return .chunked
        }
        guard length.count > 0 else { return .length(0) }
        guard length.count == 1, !length.value.isEmpty else { throw .framing }
        var count = 0
        for byte in headers.wire[length.value] {
            guard (0x30...0x39).contains(byte) else { throw .framing }
            let (product, tooLarge) = count.multipliedReportingOverflow(by: 10)
            let (sum, carried) = product.addingReportingOverflow(Int(byte - 0x30))
            // A well-formed length that overflows is beyond any limit.
            count = tooLarge || carried ? Int.max : sum
        }
        return .length(count)
    }
}
