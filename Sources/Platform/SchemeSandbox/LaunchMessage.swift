import JSON

/// A message of the launcher to the server: one datagram on descriptor 4.
public enum LaunchMessage: Sendable, Equatable {
    /// The scheme runs as this process, without the listed parts of its confinement.
    case started(process: Int, missing: [String])
    /// It could not be started: the system's error number, or 0, and the step that failed.
    case failed(code: Int32, step: String)
    /// A line of its standard error, escaped and of limited length.
    case line(String)

    /// The step that fails if the system has no filters for system calls.
    public static let filterStep = "system call filter"

    /// The largest message, in bytes.
    public static let longest = 16_384

    /// The message as it is sent.
    public var bytes: [UInt8] {
        let message: JSON =
            switch self {
            case .started(let process, let missing):
                ["process": .number(String(process)), "missing": .array(missing.map { .string($0) })]
            case .failed(let code, let step): ["failed": .string(step), "code": .number(String(code))]
            case .line(let line): ["line": .string(line)]
            }
        return Array(message.text.utf8)
    }

    /// Reads a message; `nil` if the bytes are not one.
    public init?(_ bytes: [UInt8]) {
        guard let json = try? JSON.parse(bytes) else { return nil }
        if let line = json["line"]?.string {
            self = .line(line)
        } else if let step = json["failed"]?.string {
            self = .failed(code: Int32(clamping: json["code"]?.integer ?? 0), step: step)
        } else if let process = json["process"]?.integer {
            self = .started(process: process, missing: (json["missing"]?.array ?? []).compactMap(\.string))
        } else {
            return nil
        }
    }
}
