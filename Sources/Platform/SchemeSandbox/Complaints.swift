/// What a scheme writes to its standard error, on its way to the log. It is cut into lines, everything that moves a
/// terminal's cursor or forges a line is escaped, and a budget limits lines and bytes; the budget refills with time. A
/// value without a clock.
public struct Complaints: Sendable {
    /// The longest line that is kept, in bytes before escaping; the rest of a longer one is left out.
    public static let longestLine = 1_024
    /// How many lines and bytes may come at once.
    public static let burst = (lines: 64, bytes: 32_768)
    /// How many lines and bytes the budget regains in a second.
    public static let refill = (lines: 8, bytes: 4_096)

    private var pending: [UInt8] = []
    /// Bytes of the current line that did not fit into it.
    private var surplus = 0
    private var lines = Double(burst.lines)
    private var bytes = Double(burst.bytes)
    private var dropped = (lines: 0, bytes: 0)

    /// Starts with a full budget.
    public init() {}

    /// Whether the budget is used up, so that whatever comes is dropped.
    public var isExhausted: Bool { lines < 1 || bytes < 1 }

    /// Refills the budget for the time since the last call; returns a line about dropped lines if there is one to log.
    public mutating func wait(seconds: Double) -> String? {
        lines = min(Double(Self.burst.lines), lines + seconds * Double(Self.refill.lines))
        bytes = min(Double(Self.burst.bytes), bytes + seconds * Double(Self.refill.bytes))
        guard dropped.bytes > 0, lines >= Double(Self.refill.lines) else { return nil }
        defer { dropped = (0, 0) }
        lines -= 1
        return "[\(dropped.lines) lines, \(dropped.bytes) bytes left out]"
    }

    /// Takes what was written; returns the lines to log.
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

    /// Returns the lines that are left to log at the end of the output.
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

    /// Returns the text with control characters, direction marks and line ends as visible escapes.
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
