/// What a scheme writes to its standard error, on its way to the log: cut into lines, with what moves a terminal or
/// forges a line escaped, and no more than a budget of lines and bytes that refills with time. A value without a clock.
public struct Complaints: Sendable {
    /// The longest line, in bytes as written; the rest of it is left out.
    public static let longestLine = 1_024
    /// The most lines and bytes at once.
    public static let burst = (lines: 64, bytes: 32_768)
    /// What comes back in a second.
    public static let refill = (lines: 8, bytes: 4_096)

    private var pending: [UInt8] = []
    /// Bytes of the present line that did not fit into it.
    private var surplus = 0
    private var lines = Double(burst.lines)
    private var bytes = Double(burst.bytes)
    private var dropped = (lines: 0, bytes: 0)

    /// Nothing written yet.
    public init() {}

    /// Whether the budget is used up, so that whatever comes now is dropped.
    public var isExhausted: Bool { lines < 1 || bytes < 1 }

    /// Gives back what has been earned since the last time; answers with what there is to tell of dropped lines.
    public mutating func wait(seconds: Double) -> String? {
        lines = min(Double(Self.burst.lines), lines + seconds * Double(Self.refill.lines))
        bytes = min(Double(Self.burst.bytes), bytes + seconds * Double(Self.refill.bytes))
        guard dropped.bytes > 0, lines >= Double(Self.refill.lines) else { return nil }
        defer { dropped = (0, 0) }
        lines -= 1
        return "[\(dropped.lines) lines, \(dropped.bytes) bytes left out]"
    }

    /// Takes what was written; answers with the lines to log.
    public mutating func take(_ chunk: some Sequence<UInt8>) -> [String] {
        var found: [String] = []
        for byte in chunk {
            if byte == UInt8(ascii: "\n") {
                if let line = endLine() { found.append(line) }
            } else if pending.count < Self.longestLine {
                pending.append(byte)
            } else {
                surplus += 1
            }
        }
        return found
    }

    /// What there is to log when nothing follows any more.
    public mutating func finish() -> [String] {
        let last = pending.isEmpty ? nil : endLine()
        let rest = dropped.bytes == 0 ? nil : "[\(dropped.lines) lines, \(dropped.bytes) bytes left out]"
        dropped = (0, 0)
        return [last, rest].compactMap { $0 }
    }

    private mutating func endLine() -> String? {
        defer {
            pending.removeAll(keepingCapacity: true)
            surplus = 0
        }
        guard lines >= 1, bytes >= Double(pending.count) else {
            dropped.lines += 1
            dropped.bytes += pending.count + surplus + 1
            return nil
        }
        lines -= 1
        bytes -= Double(pending.count)
        return Self.escaped(pending) + (surplus == 0 ? "" : " [\(surplus) bytes left out]")
    }

    /// The text with its control characters, direction marks and line ends written out, so that all of them show.
    static func escaped(_ bytes: [UInt8]) -> String {
        var text = ""
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate:
                text += scalar == "\t" ? " " : "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
