/// The terms of compression that both ends have agreed on: permessage-deflate (RFC 7692), each message by itself.
///
/// Nothing is carried over from one message to the next in either direction. So a connection keeps no compressor, and
/// a message that many receive is compressed once.
public struct Deflate: Hashable, Sendable {
    /// The longest window, and the one of messages that are compressed once for all: 15 bits, 32 KiB.
    public static let longestWindow = 15

    /// How far back this end may refer in what it sends, in bits: 9…15.
    public let window: Int

    /// Accepts the first of a client's offers that can be met.
    ///
    /// - Parameter offers: the values of `Sec-WebSocket-Extensions`.
    /// - Returns: `nil` when there is none; then nothing is compressed.
    public init?(offers: [String]) {
        for offer in offers.flatMap({ Deflate.split($0, at: ",") }) {
            guard let window = Deflate.window(offer) else { continue }
            self.window = window
            return
        }
        return nil
    }

    /// What the server answers: the terms, whether or not the client has asked for them.
    public var answer: String {
        "permessage-deflate; server_no_context_takeover; client_no_context_takeover"
            + (window < Deflate.longestWindow ? "; server_max_window_bits=\(window)" : "")
    }

    /// The window that an offer leaves to the server; `nil` when it is no offer of the kind or one that cannot be met.
    private static func window(_ offer: String) -> Int? {
        let parts = split(offer, at: ";")
        guard parts.first?.lowercased() == "permessage-deflate" else { return nil }
        var window = longestWindow
        var seen: Set<String> = []
        for part in parts.dropFirst() {
            let pair = split(part, at: "=", most: 1)
            let value = pair.count > 1 ? unquoted(pair[1]) : nil
            guard let name = pair.first?.lowercased(), seen.insert(name).inserted else { return nil }
            switch (name, value) {
            case ("server_no_context_takeover", nil), ("client_no_context_takeover", nil): break
            // What the client may do; it is read with the longest window in any case.
            case ("client_max_window_bits", nil): break
            case ("client_max_window_bits", let text?): guard bits(text) != nil else { return nil }
            // zlib cannot write with a window of 8 bits.
            case ("server_max_window_bits", let text?):
                guard let bits = bits(text), bits > 8 else { return nil }
                window = bits
            default: return nil
            }
        }
        return window
    }

    /// 8…15 without leading zeros.
    private static func bits(_ text: String) -> Int? {
        guard let number = Int(text), (8...15).contains(number), String(number) == text else { return nil }
        return number
    }

    private static func unquoted(_ text: String) -> String {
        text.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\"") ? String(text.dropFirst().dropLast()) : text
    }

    private static func split(_ text: String, at separator: Character, most: Int = .max) -> [String] {
        text.split(separator: separator, maxSplits: most, omittingEmptySubsequences: false).map { part in
            let start = part.drop { $0 == " " || $0 == "\t" }
            let end = start.lastIndex { $0 != " " && $0 != "\t" }
            return end.map { String(start[...$0]) } ?? ""
        }
    }
}
