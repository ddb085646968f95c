package import Shared

/// A message to other programs over the same store, stored in the transaction of the change.
///
/// A server caches permissions. Over a file, it polls for the notices of programs beside it, applies each like a change of
/// its own, and deletes it, which tells the author that it was applied. Over a database of PostgreSQL notices are a log
/// that every node follows (``NodeLog``).
package enum Notice: Equatable {
    /// Something changed, for those who keep connections up to date.
    case event(StoreEvent)
    /// A subject's data changed, and its access version may have risen: caches read it again.
    case altered(AccessSubject)

    /// The notice as text: its kind, and the identifier of its subject if it has one.
    package var text: String {
        switch self {
        case .event(.accessChanged(let id)): "access \(id)"
        case .event(.sessionEnded(let id)): "session \(id)"
        case .event(.tokenEnded(let id)): "token \(id)"
        case .event(.accountsChanged): "accounts"
        case .event(.programChanged(let id)): "program \(id)"
        case .event(.audienceChanged(let id)): "audience \(id)"
        case .event(.recordsChanged(let id)): "records \(id)"
        case .event(.sharingChanged(let id)): "sharing \(id)"
        // Which rows it was is not told: the server compares versions.
        case .event(.classChanged(let news)): "class \(news.id)"
        case .event(.classAudienceChanged(let id, let rows)):
            "class-audience " + ([id.text] + rows.map(\.text)).joined(separator: " ")
        case .altered(let subject): "altered-\(subject.kind) \(subject.id)"
        }
    }

    /// Parses a notice; `nil` for a kind that this version does not know.
    package init?(text: String) {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        switch (words.first, words.dropFirst().first) {
        case ("access"?, let id?): self = .event(.accessChanged(AccountID(id)))
        case ("session"?, let id?): self = .event(.sessionEnded(SessionID(id)))
        case ("token"?, let id?): self = .event(.tokenEnded(APITokenID(id)))
        case ("accounts"?, nil): self = .event(.accountsChanged)
        case ("program"?, let id?): self = .event(.programChanged(ProgramID(id)))
        case ("audience"?, let id?): self = .event(.audienceChanged(ProgramID(id)))
        case ("records"?, let id?): self = .event(.recordsChanged(AccountID(id)))
        case ("sharing"?, let id?): self = .event(.sharingChanged(RecordID(id)))
        case ("class"?, let id?): self = .event(.classChanged(ClassNews(ClassID(id), version: nil)))
        case ("class-audience"?, let text?):
            let ids = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            guard let id = ids.first else { return nil }
            self = .event(.classAudienceChanged(ClassID(id), rows: ids.dropFirst().map { EnrolmentID($0) }))
        case ("altered-account"?, let id?): self = .altered(.account(AccountID(id)))
        case ("altered-institution"?, let id?): self = .altered(.institution(InstitutionID(id)))
        case ("altered-program"?, let id?): self = .altered(.program(ProgramID(id)))
        default: return nil
        }
    }
}
