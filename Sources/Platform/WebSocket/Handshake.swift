public import HTTP

/// A client's request to speak WebSocket, checked (RFC 6455, section 4.2.1).
///
/// ```swift
/// let handshake = try Handshake(request.head)
/// guard handshake.offers("gradecast.live.v1") else { … }
/// ```
public struct Handshake: Sendable {
    /// Why the request cannot become a WebSocket.
    public enum Fault: Error, Hashable, Sendable {
        /// It does not ask for a WebSocket, or not with GET in HTTP/1.1 without a body.
        case notAnUpgrade
        /// The version is not 13; the answer is 426 and names 13 in `Sec-WebSocket-Version`.
        case version
        /// `Sec-WebSocket-Key` is missing, repeated or not 16 bytes in base 64.
        case key
        /// `Sec-WebSocket-Protocol` is not a list of different tokens.
        case subprotocols

        /// The status of the answer.
        public var status: Status { self == .version ? .upgradeRequired : .badRequest }
    }

    /// The subprotocols that the client offers, in its order of preference.
    public let subprotocols: [String]
    /// The terms of compression that the client offers, if they can be met; `nil` for none.
    public let deflate: Deflate?
    private let key: String

    /// Checks a request.
    public init(_ head: RequestHead) throws(Fault) {
        let headers = head.headers
        guard head.method == .get, head.version == .http11, !head.hasBody,
            headers.hasToken("websocket", in: "Upgrade"), headers.hasToken("upgrade", in: "Connection")
        else { throw .notAnUpgrade }
        guard headers.count(of: "Sec-WebSocket-Version") == 1, headers["Sec-WebSocket-Version"] == "13" else {
            throw .version
        }
        guard headers.count(of: "Sec-WebSocket-Key") == 1, let key = headers["Sec-WebSocket-Key"],
            AcceptKey.isKey(key)
        else { throw .key }
        self.key = key
        deflate = Deflate(offers: headers.values("Sec-WebSocket-Extensions"))
        subprotocols = headers.values("Sec-WebSocket-Protocol").flatMap(Handshake.members)
        guard subprotocols.allSatisfy({ !$0.isEmpty }), Set(subprotocols).count == subprotocols.count else {
            throw .subprotocols
        }
    }

    /// Returns whether the client offers `subprotocol`; case matters.
    public func offers(_ subprotocol: String) -> Bool { subprotocols.contains(subprotocol) }

    /// Returns the fields of the 101 response that accepts the request, except for `Upgrade` and `Connection`.
    ///
    /// - Parameters:
    ///   - subprotocol: one that the client offers, or `nil` for none.
    ///   - deflate: the client's `deflate`, or `nil` for no compression.
    public func accepting(_ subprotocol: String?, deflate: Deflate? = nil) -> Headers {
        var headers: Headers = ["Sec-WebSocket-Accept": AcceptKey.answer(to: key)]
        if let subprotocol { headers.append("Sec-WebSocket-Protocol", subprotocol) }
        if let deflate { headers.append("Sec-WebSocket-Extensions", deflate.answer) }
        return headers
    }

    private static func members(_ list: String) -> [String] {
        list.split(separator: ",", omittingEmptySubsequences: false).map { member in
            let start = member.drop { $0 == " " || $0 == "\t" }
            let end = start.lastIndex { $0 != " " && $0 != "\t" }
            return end.map { String(start[...$0]) } ?? ""
        }
    }
}
