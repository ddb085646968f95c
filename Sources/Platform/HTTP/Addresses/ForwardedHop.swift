/// One element of `Forwarded` (RFC 7239): what one proxy reports about the hop before it.
struct ForwardedHop: Equatable {
    /// How a proxy may name the machine that sent it the request.
    enum Node: Equatable {
        case address(IPAddress)
        /// `unknown`, or a name of the proxy's own such as `_gazonk`.
        case hidden
    }

    /// The value of `for`; `unknown` if there is none.
    var node = "unknown"
    /// The value of `proto`.
    var scheme: String?
    /// The value of `host`.
    var host: String?

    /// Reads all elements of a field; `nil` if one is malformed.
    static func list(_ field: String) -> [ForwardedHop]? {
        var scanner = ForwardedScanner(bytes: Array(field.utf8))
        return scanner.hops()
    }

    /// Reads a node: an address, possibly in brackets and with a port, or a word that hides one. `nil` if it is
    /// malformed.
    static func address(_ text: String) -> Node? {
        if let address = IPAddress(text) { return .address(address) }
        if text.lowercased() == "unknown" || isObfuscated(text[...]) { return .hidden }
        let isBracketed = text.first == "["
        guard let end = isBracketed ? text.firstIndex(of: "]") : text.firstIndex(of: ":") else { return nil }
        let host = isBracketed ? text[..<end].dropFirst() : text[..<end]
        let port = text[end...].dropFirst(isBracketed ? 1 : 0)
        guard port.isEmpty || port.first == ":" && isPort(port.dropFirst()) else { return nil }
        if !isBracketed, host.lowercased() == "unknown" || isObfuscated(host) { return .hidden }
        guard host.contains(":") == isBracketed else { return nil }
        return IPAddress(String(host)).map { .address($0) }
    }

    private static func isPort(_ text: Substring) -> Bool {
        (1...5).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) } || isObfuscated(text)
    }

    /// Returns whether a text is `_` followed by letters, digits, `.`, `_` or `-`.
    private static func isObfuscated(_ text: Substring) -> Bool {
        text.utf8.count > 1 && text.utf8.first == UInt8(ascii: "_")
            && text.utf8.allSatisfy { Bytes.token.contains($0) && ForwardedHop.obfuscated.contains($0) }
    }

    private static let obfuscated = Bytes.Set("._-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
}

/// Reads the grammar of `Forwarded` byte by byte: `for=192.0.2.1;proto=https, for="[2001:db8::1]:4711"`.
///
/// It is strict: a quote that a client leaves open makes the whole field malformed, so it never swallows what a proxy
/// adds after it.
private struct ForwardedScanner {
    let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Reads all elements; `nil` if one is malformed.
    mutating func hops() -> [ForwardedHop]? {
        var hops: [ForwardedHop] = []
        while true {
            skipBlanks()
            if let byte = next, byte != UInt8(ascii: ",") {
                guard let hop = hop() else { return nil }
                hops.append(hop)
                skipBlanks()
            }
            guard let byte = next else { return hops }
            guard byte == UInt8(ascii: ",") else { return nil }
            position += 1
        }
    }

    /// Reads `pair *( ";" pair )`, each name at most once; `nil` if it is malformed.
    private mutating func hop() -> ForwardedHop? {
        var hop = ForwardedHop()
        var seen: [String] = []
        while true {
            guard let name = token()?.lowercased(), !seen.contains(name), seen.count < 16,
                next == UInt8(ascii: "=")
            else { return nil }
            seen.append(name)
            position += 1
            guard let value = next == UInt8(ascii: "\"") ? quoted() : token() else { return nil }
            switch name {
            case "for": hop.node = value
            case "proto": hop.scheme = value
            case "host": hop.host = value
            default: break
            }
            guard next == UInt8(ascii: ";") else { return hop }
            position += 1
        }
    }

    private mutating func token() -> String? {
        let start = position
        while let byte = next, Bytes.token.contains(byte) { position += 1 }
        return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
    }

    private mutating func quoted() -> String? {
        var value: [UInt8] = []
        position += 1
        while var byte = next {
            position += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: value, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                guard let escaped = next else { return nil }
                byte = escaped
                position += 1
            }
            guard Bytes.isFieldContent(byte) else { return nil }
            value.append(byte)
        }
        return nil
    }

    private mutating func skipBlanks() {
        while let byte = next, Bytes.isBlank(byte) { position += 1 }
    }
}
