/// The author of a change, as far as a record's rules care.
public enum RecordWriter: Sendable, Equatable {
    /// The student, who sees what is released and may not change what staff entered.
    case student
    /// Staff. Each value is stored with its author; `nil` stores none, as in one's own record.
    case staff(author: String?)
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

    /// The author to store with what is entered.
    var author: String? { if case .staff(let author) = self { author } else { nil } }
}
