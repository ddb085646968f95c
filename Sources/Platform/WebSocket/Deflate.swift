/// The terms of compression that both ends have agreed on: permessage-deflate (RFC 7692), without context takeover.
///
/// Nothing is carried over from one message to the next, in either direction. So a connection keeps no compressor, and
/// a message for many receivers is compressed once.
public struct Deflate: Hashable, Sendable {
    /// The longest window, in bits (32 KiB). Messages that are compressed once for many receivers use it.
    public static let longestWindow = 15

    /// The window with which this end compresses, in bits: 9…15.
    public let window: Int

    /// Accepts the first of a client's offers that can be met; `nil` if there is none, and then nothing is compressed.
    ///
    /// - Parameter offers: the values of `Sec-WebSocket-Extensions`.
    public init?(offers: [String]) {
        for offer in offers.flatMap({ Deflate.split($0, at: ",") }) {
            guard let window = Deflate.window(offer) else { continue }
            self.window = window
            return
        }
        return nil
    }

    /// The server's answer: the terms, whether or not the client has asked for them.
    public var answer: String {
        "permessage-deflate; server_no_context_takeover; client_no_context_takeover"
            + (window < Deflate.longestWindow ? "; server_max_window_bits=\(window)" : "")
    }

    /// Returns the window that an offer leaves to the server; `nil` if it is another extension or cannot be met.
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
            // A limit on the client's own window; what it sends is read with the longest window in any case.
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

    /// Reads a number from 8 to 15 without leading zeros; `nil` for anything else.
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
