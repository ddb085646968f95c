/// The author of a change, as far as a record's rules care.
public enum RecordWriter: Sendable, Equatable {
    /// The student, who sees what is released and may not change what staff entered.
    case student
    /// Staff. Each value is stored with its author; `nil` stores none, as in one's own record. `giving` is noted beside
    /// given figures and outcomes; `nil` if the author may give none.
    case staff(author: String?, giving: GivingAuthor? = nil)
    /// A person previewing a change; nothing is stored, and every visible field may be tried.
    case preview(isStaff: Bool)

    /// Whether the author sees hidden entries and may write them.
    var isStaff: Bool {
        switch self {
        case .student: false
        case .staff: true
        case .preview(let isStaff): isStaff
        }
    }

    /// Whether nothing is stored.
    var storesNothing: Bool { if case .preview = self { true } else { false } }

    /// The author to store with what is entered.
    var author: String? { if case .staff(let author, _) = self { author } else { nil } }

    /// The author to note beside figures and outcomes; `nil` if the author may give none.
    var giving: GivingAuthor? { if case .staff(_, let giving) = self { giving } else { nil } }
}

/// A person who may give figures and outcomes, at the time of the change.
public struct GivingAuthor: Sendable, Equatable {
    /// The account.
    public let account: String
    /// The time, as RFC 3339.
    public let time: String

    /// Creates an author.
    public init(account: String, time: String) {
        self.account = account
        self.time = time
    }
}
