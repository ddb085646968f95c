/// The connection to a scheme that runs in its own process. WIRE.md documents its messages.
///
/// The kit defines the messages; implementations decide on transport, time limits, and how to treat a process that does
/// not answer.
public protocol SchemeLink: Sendable {
    /// Sends a request and blocks until its answer arrives.
    ///
    /// - Parameter records: the number of records in the request; more of them allow it more time.
    func answer(to request: [UInt8], records: Int) throws(SchemeFailure) -> [UInt8]

    /// Runs work that may block for answers, away from the caller's thread.
    ///
    /// - Throws: `not_computable` when too much work is waiting already; otherwise what the work throws.
    func perform<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value

    /// Ends the process; no requests may follow.
    func close()

    /// SHA-256 of the answering executable, as 64 hexadecimal digits, available after its first answer; `nil` if there
    /// is no file to digest.
    var digest: String? { get }
}

extension SchemeLink {
    /// By default, there is no file.
    public var digest: String? { nil }
}

/// A scheme in its own process gave no answer, or an unusable one.
public struct SchemeFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The reason, in English, for operators.
    public let description: String

    /// Creates a failure.
    public init(_ description: String) { self.description = description }
}

extension FaultCode {
    /// The scheme runs in its own process and does not answer now. A retry may help.
    public static let notComputable: FaultCode = "not_computable"
}

extension FaultList {
    /// Whether a scheme in its own process gave no answer, so that a retry may help.
    public var isNotComputable: Bool { faults.contains { $0.code == .notComputable } }

    /// Creates the fault of a whole request that the scheme failed to answer.
    public init(_ failure: SchemeFailure) {
        self.init([Fault(.notComputable, ["detail": .string(failure.description)])])
    }
}

/// The constants on which both ends of the wire must agree.
public enum SchemeWire {
    /// The version of the wire that the kit speaks. Since version 2, explanations share equal nodes.
    public static let version = 2
    /// The oldest version of the wire that a scheme may speak.
    public static let oldest = 1
    /// The version of the kit, for messages.
    public static let kit = "0.1.0"
    /// The greatest length of a frame, in bytes, without its length prefix.
    public static let longestFrame = 16 << 20
    /// The limits of its JSON; explanations nest deeper than requests.
    static let limits = JSONLimits(depth: 256, numberLength: 8_192)
}
