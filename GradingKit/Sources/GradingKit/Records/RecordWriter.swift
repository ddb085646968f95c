/// Who asks for a change of a record, as far as its rules care.
public enum RecordWriter: Sendable, Equatable {
    /// The student, who sees what is released and changes nothing that staff entered.
    case student
    /// Staff. Each value is noted with its author; `nil` notes no author, as in one's own record.
    case staff(author: String?)
    /// A person who tries what a change would give; nothing is stored, and every visible field may be tried.
    case preview(isStaff: Bool)

    /// Whether hidden entries are seen and may be written.
    var isStaff: Bool {
        switch self {
        case .student: false
        case .staff: true
        case .preview(let isStaff): isStaff
        }
    }

    /// Who is noted with what is entered.
    var author: String? { if case .staff(let author) = self { author } else { nil } }
}
