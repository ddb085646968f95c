/// The connection to a scheme that runs in a process of its own. What goes over it is written down in WIRE.md.
///
/// The kit defines the messages; implementations decide on transport, time limits, and what to do with a process that
/// does not answer.
public protocol SchemeLink: Sendable {
    /// Sends a request and waits for its answer.
    ///
    /// - Parameter records: how many records the request speaks of, by which it may take longer.
    func answer(to request: [UInt8], records: Int) throws(SchemeFailure) -> [UInt8]

    /// Does work that may have to wait for answers, off the caller's thread.
    ///
    /// Throws `not_computable` when too much work waits already, and what the work throws.
    func perform<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value

    /// Ends the process: nothing more is asked.
    func close()

    /// SHA-256 of the executable that answers, as 64 hexadecimal digits, once it has answered; `nil` where there is no
    /// file that could be digested.
    var digest: String? { get }
}

extension SchemeLink {
    /// No file.
    public var digest: String? { nil }
}

/// A scheme in a process of its own gave no answer, or none that can be used.
public struct SchemeFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// What happened, in English, for operators.
    public let description: String

    /// A failure.
    public init(_ description: String) { self.description = description }
}

extension FaultCode {
    /// The scheme runs in a process of its own and gives no answer now. Trying again may help.
    public static let notComputable: FaultCode = "not_computable"
}

extension FaultList {
    /// Whether a scheme in a process of its own gave no answer, so that trying again may help.
    public var isNotComputable: Bool { faults.contains { $0.code == .notComputable } }

    /// The whole request is in vain while the scheme does not answer.
    public init(_ failure: SchemeFailure) {
        self.init([Fault(.notComputable, ["detail": .string(failure.description)])])
    }
}

/// The numbers that both ends of the wire must agree on.
public enum SchemeWire {
    /// The version of the wire that the kit speaks. In version 2 explanations share what is equal.
    public static let version = 2
    /// The oldest version that a scheme may answer in.
    public static let oldest = 1
    /// The version of the kit, for messages.
    public static let kit = "0.1.0"
    /// The longest frame, in bytes, without its length.
    public static let longestFrame = 16 << 20
    /// How deep its JSON may nest: explanations are deeper than requests.
    static let limits = JSONLimits(depth: 256, numberLength: 8_192)
}
