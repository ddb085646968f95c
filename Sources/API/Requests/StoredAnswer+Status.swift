import HTTP
import Shared

extension Status {
    /// The status of an answer of that kind.
    init(_ kind: StoredAnswer.Kind) {
        self =
            switch kind {
            case .created: .created
            case .changed: .ok
            case .begun: .accepted
            case .deleted: .noContent
            }
    }
}

extension StoredAnswer.Kind {
    /// The kind of an answer with that status; `nil` for a refusal.
    init?(_ status: Status) {
        guard let kind = Self.allCases.first(where: { Status($0) == status }) else { return nil }
        self = kind
    }
}
