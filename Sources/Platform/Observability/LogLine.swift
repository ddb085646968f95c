import JSON

/// One named field of a log line.
struct LogField: Sendable, Equatable {
    let name: String
    let value: LogValue
}

/// A log line before it is written.
struct LogLine: Sendable {
    let level: LogLevel
    let message: String
    let fields: [LogField]

    /// Returns the line as a JSON object; of fields with the same name, the last wins.
    func json(at time: String) -> [UInt8] {
        var object = JSONObject()
        for field in fields { object[field.name] = field.value.json }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("time", time)
            writer.member("level", level.rawValue)
            writer.member("message", message)
            for member in object where !["time", "level", "message"].contains(member.name) {
                writer.member(member.name, member.value)
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    /// Returns the line for people: time, level, message, then `name=value`.
    func plain(at time: String) -> [UInt8] {
        let words = [time, level.rawValue.uppercased(), LogLine.printable(message)]
        let pairs = fields.map { "\($0.name)=\($0.value.word)" }
        return Array((words + pairs).joined(separator: " ").utf8) + [UInt8(ascii: "\n")]
    }

    /// Returns a text that neither moves a terminal's cursor nor ends the line.
    static func printable(_ text: String) -> String {
        text.unicodeScalars.allSatisfy(isPrintable) ? text : quoted(text)
    }

    fileprivate static func quoted(_ text: String) -> String {
        // JSON escapes the characters below the space; others that cannot be shown are replaced.
        let shown = text.unicodeScalars.map { isPrintable($0) || $0.value < 0x20 ? $0 : "\u{FFFD}" }
        return JSON.string(String(String.UnicodeScalarView(shown))).text
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory != .control && scalar.properties.generalCategory != .format
    }
}

extension LogValue {
    fileprivate var json: JSON {
        switch self {
        case .text(let text): .string(text)
        case .integer(let number): .number(String(number))
        case .flag(let flag): .bool(flag)
        }
    }

    fileprivate var word: String {
        guard case .text(let text) = self else { return json.text }
        let isBare = !text.isEmpty && text.allSatisfy { $0 != " " && $0 != "\"" && $0 != "=" }
        return isBare ? LogLine.printable(text) : LogLine.quoted(text)
    }
}
