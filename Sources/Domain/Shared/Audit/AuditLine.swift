/// A row of an audit trail with its number.
public struct AuditLine: Sendable {
    /// Its number in its trail, from 1, without gaps.
    public let number: Int
    /// The row; its detail is `nil` if there is none or it was erased.
    public let entry: AuditEntry

    /// Creates a row as it is stored.
    public init(number: Int, entry: AuditEntry) {
        self.number = number
        self.entry = entry
    }

    /// Appends the values that enter the chain only as a digest, so that they can be erased.
    public func particulars(_ values: inout HashedValues) { values.append(entry.detail) }

    /// Appends the values that enter the chain itself.
    public func metadata(_ values: inout HashedValues) {
        values.append("audit")
        values.append(entry.scope)
        values.append(number)
        values.append(Int(entry.at.microseconds))
        values.append(entry.account?.text)
        values.append(entry.source)
        values.append(entry.action)
        values.append(entry.subject)
    }
}

/// The end of a trail, which the next row continues.
public struct AuditHead: Sendable, Equatable {
    /// The number of the last row.
    public let number: Int
    /// The last link of the chain.
    public let link: [UInt8]

    /// Creates an end as it is stored.
    public init(number: Int, link: [UInt8]) {
        self.number = number
        self.link = link
    }
}

extension AuditEntry {
    /// The name of the trail it belongs to: the institution's identifier, or empty for the server's own.
    public var scope: String { Self.scope(of: institution) }

    /// Returns the name of an institution's trail; empty for the server's own.
    public static func scope(of institution: InstitutionID?) -> String { institution?.text ?? "" }

    /// Returns the row, its seal and the new end of its trail; `head` is the current end, `nil` for an empty trail.
    public func next(after head: AuditHead?) -> (line: AuditLine, seal: ChainSeal, head: AuditHead) {
        let line = AuditLine(number: (head?.number ?? 0) + 1, entry: self)
        let seal = AuditChain.seal(line.particulars, line.metadata, after: head?.link)
        return (line, seal, AuditHead(number: line.number, link: seal.link))
    }
}
