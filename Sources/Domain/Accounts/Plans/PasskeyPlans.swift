import JSON
import Messages
import Shared

/// The rules of passkeys, over the rows that a store has found.
enum PasskeyPlans {
    /// A new passkey, which was made in a session: its owner has shown both factors there.
    static func registration(
        of passkey: Passkey, in session: SessionID, _ situation: PasskeySituation, by act: AuditContext
    ) throws(FaultList) -> AccountPlan<Passkey> {
        guard !situation.isTaken else { throw Passkeys.refused }
        guard situation.passkeys.count < Passkey.capacity else {
            throw FaultList([Fault(.passkeyLimit, at: "", ["max": .number(String(Passkey.capacity))])])
        }
        let shown = situation.sessions.filter { $0.id == session }
        return AccountPlan(
            [.insertPasskey(passkey)] + shown.map { .updateSession($0.showing(.own)) },
            audit: [act.entry("passkey.added", of: passkey.account.text)], altered: [.account(passkey.account)],
            value: passkey)
    }

    /// Another name for a passkey.
    static func renaming(
        _ id: String, to name: String, in situation: PasskeySituation, by act: AuditContext
    ) throws(StoreError) -> AccountPlan<Passkey> {
        guard var passkey = situation.passkeys.first(where: { $0.id == id }) else { throw .notFound }
        passkey.name = name
        return AccountPlan(
            [.updatePasskey(passkey)], audit: [act.entry("passkey.renamed", of: passkey.account.text)], value: passkey)
    }

    /// The end of a passkey, unless it is the only way in.
    ///
    /// - Parameter issuers: those of the providers that the configuration names.
    static func removal(
        of id: String, in situation: PasskeySituation, through issuers: Set<String>, by act: AuditContext
    ) throws -> AccountPlan<Void> {
        guard situation.passkeys.contains(where: { $0.id == id }) else { throw StoreError.notFound }
        guard situation.passkeys.count > 1 || situation.otherWays.areOpen(through: issuers) else {
            throw FaultList([Fault(.lastSignIn)])
        }
        return AccountPlan(
            [.removePasskey(id)], audit: [act.entry("passkey.removed", of: situation.account.text)],
            voided: [.account(situation.account)], events: [.accessChanged(situation.account)])
    }

    /// A use of a passkey whose signature was right. An authenticator that counts must count on: if it does not, there may
    /// be a copy of the key, which is refused, and the owner finds it in the trail and beside the passkey.
    static func use(
        _ credential: [UInt8], counter: UInt32, in situation: PasskeySituation, by act: AuditContext
    ) throws(StoreError) -> AccountPlan<Bool> {
        guard var passkey = situation.passkeys.first(where: { $0.credential == credential }) else { throw .notFound }
        guard counter > passkey.counter || counter == 0 && passkey.counter == 0 else {
            passkey.refusedAt = act.at
            return AccountPlan(
                [.updatePasskey(passkey)], audit: [act.entry("passkey.refused", of: passkey.account.text)], value: false
            )
        }
        passkey.counter = counter
        passkey.usedAt = act.at
        return AccountPlan([.updatePasskey(passkey)], value: true)
    }
}
