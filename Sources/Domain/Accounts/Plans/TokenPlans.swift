import Cryptography
import JSON
import Messages
import Shared

/// The rules of API tokens, over the rows that a store has found.
enum TokenPlans {
    /// What was shown in a session; `StoreError.notFound` for one that has ended.
    static func factors(
        shownIn session: SessionID, of situation: TokenSituation
    ) throws(StoreError) -> ShownFactors {
        guard let session = situation.sessions.first(where: { $0.id == session }) else { throw .notFound }
        return session.factors
    }

    /// A new token.
    ///
    /// - Throws: `StoreError.notFound` for an account that is disabled, a `FaultList` for one token too many.
    static func creation(
        of token: APIToken, digest: TokenDigest, in situation: TokenSituation, by act: AuditContext
    ) throws -> AccountPlan<APIToken> {
        guard !situation.account.isDisabled else { throw StoreError.notFound }
        let lasting = situation.tokens.filter { $0.kind == .lasting && act.at < $0.expiresAt }
        guard lasting.count < APIToken.capacity else {
            throw FaultList([Fault(.tokenLimit, at: "", ["max": .number(String(APIToken.capacity))])])
        }
        return AccountPlan(
            [.insertAPIToken(token, digest: digest)],
            audit: [act.entry("token.created", of: token.account.text, detail: token.auditText)], value: token)
    }

    /// The end of a token.
    static func removal(
        of id: APITokenID, in situation: TokenSituation, by act: AuditContext
    ) throws(StoreError) -> AccountPlan<Void> {
        guard let token = situation.tokens.first(where: { $0.id == id && $0.kind == .lasting }) else { throw .notFound }
        return AccountPlan(
            [.removeAPIToken(id)],
            audit: [act.entry("token.ended", of: token.account.text, detail: token.auditText)],
            voided: [.account(token.account)], events: [.tokenEnded(id)])
    }

    /// A token was used; the moment of the last use never goes back. A token that has ended stays so.
    static func touch(_ id: APITokenID, at moment: Timestamp, in situation: TokenSituation) -> AccountPlan<Void> {
        guard let token = situation.tokens.first(where: { $0.id == id }),
            token.usedAt.map({ $0 < moment }) ?? true
        else { return AccountPlan([]) }
        return AccountPlan([.noteAPITokenUse(id, at: moment)])
    }
}
