import Shared

/// What a program that writes beside the server tells it, in the transaction of the change.
///
/// The server keeps in memory who may do what. It looks for notices a few times a second, takes each as if the change
/// had been its own, and removes it; its author sees by that that it was heeded.
enum Notice: Equatable {
    /// Something changed, for those who keep connections up to date.
    case event(StoreEvent)
    /// Something else is said of a subject, and its access version may have risen: what is remembered of it is read again.
    case altered(AccessSubject)

    /// One word or two: the kind, and the thing it is about.
    var text: String {
        switch self {
        case .event(.accessChanged(let id)): "access \(id)"
        case .event(.sessionEnded(let id)): "session \(id)"
        case .event(.tokenEnded(let id)): "token \(id)"
        case .event(.accountsChanged): "accounts"
        case .event(.programChanged(let id)): "program \(id)"
        case .event(.audienceChanged(let id)): "audience \(id)"
        case .event(.recordsChanged(let id)): "records \(id)"
        case .altered(let subject): "altered-\(subject.kind) \(subject.id)"
        }
    }

    /// Reads it back; `nil` for what this version does not know.
    init?(text: String) {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        switch (words.first, words.dropFirst().first) {
        case ("access"?, let id?): self = .event(.accessChanged(AccountID(id)))
        case ("session"?, let id?): self = .event(.sessionEnded(SessionID(id)))
        case ("token"?, let id?): self = .event(.tokenEnded(APITokenID(id)))
        case ("accounts"?, nil): self = .event(.accountsChanged)
        case ("program"?, let id?): self = .event(.programChanged(ProgramID(id)))
        case ("audience"?, let id?): self = .event(.audienceChanged(ProgramID(id)))
        case ("records"?, let id?): self = .event(.recordsChanged(AccountID(id)))
        case ("altered-account"?, let id?): self = .altered(.account(AccountID(id)))
        case ("altered-institution"?, let id?): self = .altered(.institution(InstitutionID(id)))
        case ("altered-program"?, let id?): self = .altered(.program(ProgramID(id)))
        default: return nil
        }
    }
}
