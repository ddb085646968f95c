/// Builds a request's head from its lines, refusing whatever two parsers could read in two ways.
struct HeadBuilder {
    private let method: Method
    private let target: Target
    private let authority: ArraySlice<UInt8>?
    private let version: RequestHead.Version
    private(set) var headers = Headers()

    /// Reads the request line, given without its line end.
    init(requestLine line: ArraySlice<UInt8>) throws(RequestFault) {
        guard let first = line.firstIndex(of: Bytes.space), first > line.startIndex,
            let last = line.lastIndex(of: Bytes.space), last > first + 1
        else { throw .requestLine }
        guard line[..<first].allSatisfy(Bytes.token.contains) else { throw .requestLine }
        method = HeadBuilder.method(line[..<first])
        version = try HeadBuilder.version(line[(last + 1)...])
        (authority, target) = try HeadBuilder.target(line[(first + 1)..<last], method: method)
    }

    /// Makes room for `bytes` of header lines at once.
    mutating func reserve(bytes: Int) { headers.reserve(bytes: bytes) }

    /// Reads a header line, given without its line end.
    mutating func add(line: ArraySlice<UInt8>) throws(RequestFault) {
        let (name, value) = try HeadBuilder.field(line)
        headers.append(line: line, name: name, value: value)
    }

    /// The head, once the empty line has come.
    func finish() throws(RequestFault) -> RequestHead {
        try checkHost()
        let framing = try framing()
        let expectation = headers.bytes(of: "Expect")
        if let expectation, !headers.equals(expectation, "100-continue") || headers.count(of: "Expect") > 1 {
            throw .expectation
        }
        let isKeepAlive =
            switch version {
            case .http11: !headers.hasToken("close", in: "Connection")
            case .http10:
                headers.hasToken("keep-alive", in: "Connection") && !headers.hasToken("close", in: "Connection")
            }
        return RequestHead(
            method: method, target: target, version: version, headers: headers, framing: framing,
            expectsContinue: expectation != nil && version == .http11, isKeepAlive: isKeepAlive)
    }

    /// Where name and value lie in a header or trailer line.
    static func field(_ line: ArraySlice<UInt8>) throws(RequestFault) -> (name: Range<Int>, value: Range<Int>) {
        var colon = line.startIndex
        while colon < line.endIndex, Bytes.token.contains(line[colon]) { colon += 1 }
        guard colon > line.startIndex, colon < line.endIndex, line[colon] == UInt8(ascii: ":") else {
            throw .headerField
        }
        var start = colon + 1
        var end = line.endIndex
        while start < end, line[start] == Bytes.space || line[start] == Bytes.tab { start += 1 }
        while end > start, line[end - 1] == Bytes.space || line[end - 1] == Bytes.tab { end -= 1 }
        for index in start..<end where !Bytes.isFieldContent(line[index]) { throw .headerField }
        return (line.startIndex..<colon, start..<end)
    }
}

extension HeadBuilder {
    private static func method(_ bytes: ArraySlice<UInt8>) -> Method {
        if bytes.elementsEqual([0x47, 0x45, 0x54]) { return .get }
        return Method(String(decoding: bytes, as: UTF8.self))
    }

    private static func version(_ bytes: ArraySlice<UInt8>) throws(RequestFault) -> RequestHead.Version {
        guard bytes.count == 8, bytes.starts(with: "HTTP/".utf8) else { throw .requestLine }
        let major = bytes[bytes.startIndex + 5]
        let minor = bytes[bytes.startIndex + 7]
        guard bytes[bytes.startIndex + 6] == UInt8(ascii: "."), (0x30...0x39).contains(major),
            (0x30...0x39).contains(minor)
        else { throw .requestLine }
        switch (major, minor) {
        case (0x31, 0x31): return .http11
        case (0x31, 0x30): return .http10
        default: throw .version
        }
    }

    /// Splits `http://authority/path` (as sent to a proxy) in two; `finish` holds the authority against `Host`.
    private static func target(_ bytes: ArraySlice<UInt8>, method: Method) throws(RequestFault) -> (
        ArraySlice<UInt8>?, Target
    ) {
        let scheme = ["http://", "https://"].first { scheme in
            bytes.count > scheme.utf8.count
                && zip(bytes, scheme.utf8).allSatisfy { Bytes.lowercased($0) == $1 }
        }
        guard let scheme else {
            let target = try Target(bytes: bytes)
            guard !target.isAsterisk || method == .options else { throw .target }
            return (nil, target)
        }
        let rest = bytes.dropFirst(scheme.utf8.count)
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        let path = rest[end...]
        guard path.first == UInt8(ascii: "/") else {
            return (rest[..<end], try Target(bytes: ([UInt8(ascii: "/")] + path)[...]))
        }
        return (rest[..<end], try Target(bytes: path))
    }

    private func checkHost() throws(RequestFault) {
        guard let host = headers.bytes(of: "Host") else {
            guard version == .http10, authority == nil else { throw .host }
            return
        }
        guard headers.count(of: "Host") == 1, !host.isEmpty, host.allSatisfy(Bytes.authority.contains) else {
            throw .host
        }
        if let authority {
            guard host.count == authority.count,
                zip(host, authority).allSatisfy({ Bytes.lowercased($0) == Bytes.lowercased($1) })
            else { throw .target }
        }
    }

    private func framing() throws(RequestFault) -> RequestHead.Framing {
        let length = headers.bytes(of: "Content-Length")
        if let coding = headers.bytes(of: "Transfer-Encoding") {
            guard length == nil, version == .http11, headers.count(of: "Transfer-Encoding") == 1,
                headers.equals(coding, "chunked")
            else { throw .framing }
            return .chunked
        }
        guard let length else { return .length(0) }
        guard !length.isEmpty, headers.count(of: "Content-Length") == 1 else { throw .framing }
        var count = 0
        for byte in length {
            guard (0x30...0x39).contains(byte) else { throw .framing }
            let (product, tooLarge) = count.multipliedReportingOverflow(by: 10)
            let (sum, carried) = product.addingReportingOverflow(Int(byte - 0x30))
            // A well-formed length beyond counting is a body beyond any limit.
            count = tooLarge || carried ? Int.max : sum
        }
        return .length(count)
    }
}
