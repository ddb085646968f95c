import Cryptography
import GradingKit
public import Shared

/// The digest of what was rehearsed: both configurations, the build that judged, and the version of every record in the
/// order of the records.
///
/// Each part is preceded by its length, so that different rehearsals never hash the same bytes.
public struct RehearsalDigest: Sendable {
    private var hash = SHA256()

    /// Creates the digest of a rehearsal that has compared no record.
    public init(of program: ProgramID, _ basis: RehearsalBasis) {
        append(Array("gradecast rehearsal 1".utf8))
        append(Array(program.text.utf8))
        append(Array(String(basis.published ?? 0).utf8))
        append(basis.publishedConfiguration)
        append(basis.proposedConfiguration)
        if let executable = basis.executable { append(Array("\(basis.subject) \(executable.text)".utf8)) }
    }

    /// Adds the next record.
    public mutating func add(_ record: ComparedRecord) {
        append(Array("\(record.record) \(record.version) \(record.programVersion)".utf8))
    }

    /// The digest as 64 hexadecimal digits.
    public var text: String {
        let digits = Array("0123456789abcdef".utf8)
        let bytes = hash.finalize().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func append(_ bytes: [UInt8]) {
        hash.update("\(bytes.count):".utf8)
        hash.update(bytes)
    }
}
