import JSON
package import Messages
package import Shared

/// Plans the writes of passkeys from the rows that the store found.
package enum PasskeyPlans {
    /// The error of a passkey that does not answer its challenge, or is not the account's.
    package static let refused = FaultList([Fault(.passkeyRefused)])

    /// Plans a new passkey. Its owner thereby showed both factors in the session in which it was created.
    package static func registration(
        of passkey: Passkey, in session: SessionID, _ situation: PasskeySituation, by act: AuditContext
    ) throws(FaultList) -> AccountPlan<Passkey> {
        guard !situation.isTaken else { throw refused }
        guard situation.passkeys.count < Passkey.capacity else {
            throw FaultList([Fault(.passkeyLimit, at: "", ["max": .number(String(Passkey.capacity))])])
        }
        let shown = situation.sessions.filter { $0.id == session }
        return AccountPlan(
            [.passkey(.insert(passkey))] + shown.map { .session(.update($0.showing(.own))) },
            audit: [act.entry("passkey.added", of: passkey.account.text)], altered: [.account(passkey.account)],
            value: passkey)
    }

    /// Plans to rename a passkey.
    package static func renaming(
        _ id: String, to name: String, in situation: PasskeySituation, by act: AuditContext
    ) throws(StoreError) -> AccountPlan<Passkey> {
        guard var passkey = situation.passkeys.first(where: { $0.id == id }) else { throw .notFound }
        passkey.name = name
        return AccountPlan(
            [.passkey(.update(passkey))], audit: [act.entry("passkey.renamed", of: passkey.account.text)],
            value: passkey)
    }

    /// Plans to remove a passkey, unless it is the only way to sign in.
    ///
    /// - Parameter issuers: The issuers of the configured providers.
    package static func removal(
        of id: String, in situation: PasskeySituation, through issuers: Set<String>, by act: AuditContext
    ) throws -> AccountPlan<Void> {
        guard situation.passkeys.contains(where: { $0.id == id }) else { throw StoreError.notFound }
        guard situation.passkeys.count > 1 || situation.otherWays.areOpen(through: issuers) else {
            throw FaultList([Fault(.lastSignIn)])
        }
        return AccountPlan(
            [.passkey(.remove(id))], audit: [act.entry("passkey.removed", of: situation.account.text)],
            voided: [.account(situation.account)], events: [.accessChanged(situation.account)])
    }

    /// Plans the use of a passkey whose signature was valid. The counter of an authenticator that counts must rise. If
    /// it does not, there may be a copy of the key: the use is refused, and the owner sees this in the activity and at
    /// the passkey.
    package static func use(
        _ credential: [UInt8], counter: UInt32, in situation: PasskeySituation, by act: AuditContext
    ) throws(StoreError) -> AccountPlan<Bool> {
        guard var passkey = situation.passkeys.first(where: { $0.credential == credential }) else { throw .notFound }
        guard counter > passkey.counter || counter == 0 && passkey.counter == 0 else {
            passkey.refusedAt = act.at
            return AccountPlan(
                [.passkey(.update(passkey))], audit: [act.entry("passkey.refused", of: passkey.account.text)],
                value: false
            )
        }
        passkey.counter = counter
        passkey.usedAt = act.at
        return AccountPlan([.passkey(.update(passkey))], value: true)
    }
}
