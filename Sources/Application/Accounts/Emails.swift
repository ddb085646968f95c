public import Accounts
public import Cryptography
import Forms
public import GradingKit
public import Shared

/// The use cases of accounts' e-mail addresses. They exist only if the server sends mail.
public struct Emails: Sendable {
    let store: any AccountStore
    let links: LinkKeys
    let clock: WallClock
    let identifiers: UUIDSource

    /// Returns an account's address.
    public func email(of account: AccountID) async throws -> AccountEmail { try await store.email(of: account) }

    /// Sends a link to an address, which is used once the link is followed. If it is already the confirmed address,
    /// sends nothing and removes any unconfirmed one.
    ///
    /// - Parameter language: The language of the mail, unless the account's owner chose one.
    /// - Throws: `MailLimitReached` if the account or the address has got enough mails.
    public func request(
        _ address: EmailAddress, of account: AccountID, in language: Language, by act: AuditContext
    ) async throws -> AccountEmail {
        let (name, links) = (identifiers.next(), links)
        return try await store.changeEmail(of: account, sending: (.confirmation, address), at: act.at) { situation in
            if situation.email.address == address { return EmailPlans.withdrawal(in: situation) }
            let pending = AccountEmail.Pending(
                address: address, token: links.token(of: name).digest,
                expiresAt: act.at.adding(seconds: AccountEmail.Pending.lifetime))
            let mail = Mail(
                id: name, .confirmation, to: address, about: account,
                in: situation.account.profile.locale ?? language, ["login": situation.account.login.text],
                at: act.at, until: pending.expiresAt)
            return try EmailPlans.request(
                pending, in: situation, by: mail, audit: act.entry("email.requested", of: account.text))
        }
    }

    /// Confirms an address, which is used from now on, and notifies the previous address. Throws a `FaultList` with
    /// `token_refused`.
    public func confirm(_ confirmation: EmailConfirmation, from client: Client) async throws {
        let refusal = FaultList([Fault(.tokenRefused, at: "/token")])
        guard let token = confirmation.token?.digest,
            let account = try await store.account(confirming: token)
        else { throw refusal }
        let act = AuditContext(by: account, from: client.source, at: clock.now)
        do {
            try await store.changeEmail(of: account, sending: nil, at: act.at) { [self] situation in
                try EmailPlans.confirmation(
                    token, in: situation, audit: act.entry("email.confirmed", of: account.text),
                    notice: { self.notice(.addressChanged, to: $0, in: situation, at: act.at) })
            }
        } catch StoreError.notFound {
            throw refusal
        }
    }

    /// Removes an account's address and notifies it; throws `StoreError.notFound` if there is none.
    public func remove(of account: AccountID, by act: AuditContext) async throws {
        try await store.changeEmail(of: account, sending: nil, at: act.at) { [self] situation in
            try EmailPlans.removal(
                in: situation, audit: act.entry("email.removed", of: account.text),
                notice: { self.notice(.addressRemoved, to: $0, in: situation, at: act.at) })
        }
    }

    private func notice(
        _ kind: Mail.Kind, to address: EmailAddress, in situation: EmailSituation, at now: Timestamp
    ) -> Mail {
        Mail(
            id: identifiers.next(), kind, to: address, about: situation.account.id, in: situation.language,
            ["login": situation.account.login.text], at: now)
    }

    /// Stores a wish for a link that resets a password, in the same way for every login, whether or not an account has
    /// it; ``answerWishes()`` does the rest.
    ///
    /// - Parameters:
    ///   - account: The account that is signed in; `nil` for a guest.
    ///   - device: The token of the browser from an earlier sign-in.
    /// - Throws: `AccountError.busy` if too many wishes are waiting.
    public func wishReset(
        _ request: ResetRequest, by account: AccountID?, device: SecretToken?, from client: Client
    ) async throws {
        let wish = ResetWish(
            login: request.login ?? Login(stored: ""), account: account, device: (request.device ?? device)?.digest,
            from: client.source, at: clock.now)
        guard try await store.note(wish) else { throw AccountError.busy(retryAfter: 5) }
    }

    /// Writes the mails for up to 100 waiting wishes; returns the number of wishes answered.
    public func answerWishes() async throws -> Int {
        let wishes = try await store.resetWishes(100)
        for wish in wishes {
            let (name, links, now) = (identifiers.next(), links, clock.now)
            try await store.answer(wish, at: now) { situation in
                EmailPlans.reset(wish, in: situation, at: now) { situation, address in
                    let owner = situation.email
                    let mail = Mail(
                        id: name, situation.kind, to: address, about: owner.account.id, in: owner.language,
                        ["login": owner.account.login.text], at: now,
                        until: now.adding(seconds: OneTimeToken.Purpose.reset.lifetime))
                    return (mail, links.token(of: name).digest)
                }
            }
        }
        return wishes.count
    }

    /// Returns the notice of a sign-in, which is mailed if the device is unknown.
    func notice(of session: Session) -> NewDeviceNotice {
        NewDeviceNotice(
            mail: identifiers.next(), device: { session.deviceName(in: $0) ?? "" },
            source: session.source, at: session.createdAt)
    }
}
