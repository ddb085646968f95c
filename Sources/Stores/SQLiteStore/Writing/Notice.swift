import Shared

/// What a program that writes beside the server tells it, in the transaction of the change.
///
/// The server keeps in memory who may do what. It looks for notices a few times a second, takes each as if the change
/// had been its own, and removes it; its author sees by that that it was heeded.
enum Notice: Equatable {
    /// Something changed, for those who keep connections up to date.
    case event(StoreEvent)
    /// Permits that rest on this are void; `nil` for a change that affects no permission.
    case voided(AccessSubject?)

    /// One word or two: the kind, and the thing it is about.
    var text: String {
        switch self {
        case .event(.accessChanged(let id)): "access \(id)"
        case .event(.sessionEnded(let id)): "session \(id)"
        case .event(.accountsChanged): "accounts"
        case .event(.programChanged(let id)): "program \(id)"
        case .event(.audienceChanged(let id)): "audience \(id)"
        case .event(.recordsChanged(let id)): "records \(id)"
        case .voided(.account(let id)?): "void-account \(id)"
        case .voided(.institution(let id)?): "void-institution \(id)"
        case .voided(.program(let id)?): "void-program \(id)"
        case .voided(nil): "void"
        }
    }

    /// Reads it back; `nil` for what this version does not know.
    init?(text: String) {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        switch (words.first, words.dropFirst().first) {
        case ("access"?, let id?): self = .event(.accessChanged(AccountID(id)))
        case ("session"?, let id?): self = .event(.sessionEnded(SessionID(id)))
        case ("accounts"?, nil): self = .event(.accountsChanged)
        case ("program"?, let id?): self = .event(.programChanged(ProgramID(id)))
        case ("audience"?, let id?): self = .event(.audienceChanged(ProgramID(id)))
        case ("records"?, let id?): self = .event(.recordsChanged(AccountID(id)))
        case ("void-account"?, let id?): self = .voided(.account(AccountID(id)))
        case ("void-institution"?, let id?): self = .voided(.institution(InstitutionID(id)))
        case ("void-program"?, let id?): self = .voided(.program(ProgramID(id)))
        case ("void"?, nil): self = .voided(nil)
        default: return nil
        }
    }
}
