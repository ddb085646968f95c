import HTTP
import Shared

extension Status {
    /// Maps the kind of a stored answer to its status.
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
    /// Maps a status to the kind of a stored answer; `nil` for a refusal.
    init?(_ status: Status) {
        guard let kind = Self.allCases.first(where: { Status($0) == status }) else { return nil }
        self = kind
    }
}
