/// A line of the audit trail in its place.
public struct AuditLine: Sendable {
    /// Its number in its trail, from 1, without gaps.
    public let number: Int
    /// What it says; the detail is `nil` when there was none or it was erased.
    public let entry: AuditEntry

    /// A line as it is stored.
    public init(number: Int, entry: AuditEntry) {
        self.number = number
        self.entry = entry
    }

    /// What is hashed by digest only, so that it can be erased.
    public func particulars(_ values: inout HashedValues) { values.append(entry.detail) }

    /// What is hashed into the chain itself.
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

/// Where a trail ends: what the next line is tied to.
public struct AuditHead: Sendable, Equatable {
    /// The last line's number.
    public let number: Int
    /// The last link of the chain.
    public let link: [UInt8]

    /// An end as it is stored.
    public init(number: Int, link: [UInt8]) {
        self.number = number
        self.link = link
    }
}

extension AuditEntry {
    /// How the trail to which it belongs is named: by its institution, or by nothing for the server's own.
    public var scope: String { Self.scope(of: institution) }

    /// The name of an institution's trail; empty for the server's own.
    public static func scope(of institution: InstitutionID?) -> String { institution?.text ?? "" }

    /// The next line of its trail, which ends at `head`; `nil` for a trail without a line.
    public func next(after head: AuditHead?) -> (line: AuditLine, seal: ChainSeal, head: AuditHead) {
        let line = AuditLine(number: (head?.number ?? 0) + 1, entry: self)
        let seal = AuditChain.seal(line.particulars, line.metadata, after: head?.link)
        return (line, seal, AuditHead(number: line.number, link: seal.link))
    }
}
