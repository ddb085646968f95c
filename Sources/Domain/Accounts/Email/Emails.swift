import Cryptography
import Forms
import JSON
public import Messages
public import Shared

/// The address of an account, and what is done with it. There is none of these where no mail is sent.
public struct Emails: Sendable {
    let store: any AccountStore
    let links: LinkKeys
    let clock: WallClock
    let identifiers: UUIDSource

    /// An account's address.
    public func email(of account: AccountID) async throws -> AccountEmail { try await store.email(of: account) }

    /// Sends a link to the address, which counts once the link is followed. The address
    /// that counts already is sent nothing, and takes back what was begun.
    ///
    /// Throws `MailLimitReached` where the account or the address was sent enough.
    ///
    /// - Parameter language: the language of the mail, unless the account's owner chose one.
    public func request(
        _ input: EmailInput, of account: AccountID, in language: Language, by act: AuditContext
    ) async throws -> AccountEmail {
        let (address, name, links) = (input.address, identifiers.next(), links)
        return try await store.changeEmail(of: account, sending: (.confirmation, address), at: act.at) { situation in
            if situation.email.address == address { return EmailPlans.withdrawal(in: situation) }
            let pending = AccountEmail.Pending(
                address: address, token: links.token(of: name).digest,
                expiresAt: act.at.adding(seconds: AccountEmail.Pending.patience))
            let mail = Mail(
                id: name, .confirmation, to: address, about: account,
                in: situation.account.profile.locale ?? language, ["login": situation.account.login.text],
                at: act.at, until: pending.expiresAt)
            return try EmailPlans.request(
                pending, in: situation, by: mail, audit: act.entry("email.requested", of: account.text))
        }
    }

    /// Confirms an address: from now on the address counts. The previous address is notified. Throws a
    /// `FaultList`: `token_refused`.
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

    /// Removes an account's address and notifies it; `StoreError.notFound` where there is none.
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

    /// Notes the wish for a link that resets a password. It does the same for every login, whether there is such an
    /// account or not; ``answerWishes()`` goes on from there.
    ///
    /// Throws `AccountError.busy`.
    public func wishReset(_ request: ResetRequest, from client: Client) async throws {
        let login = request.login ?? Login(stored: "")
        let wish = ResetWish(login: login, from: client.source, at: clock.now)
        guard try await store.note(wish) else { throw AccountError.busy(retryAfter: 5) }
    }

    /// Writes the mails for the wishes that wait; answers how many waited, at most 100.
    public func answerWishes() async throws -> Int {
        let wishes = try await store.resetWishes(100)
        for wish in wishes {
            let (name, links, now) = (identifiers.next(), links, clock.now)
            try await store.answer(wish, at: now) { situation in
                EmailPlans.reset(wish, in: situation, at: now) { situation, address in
                    let mail = Mail(
                        id: name, .reset, to: address, about: situation.account.id, in: situation.language,
                        ["login": situation.account.login.text], at: now,
                        until: now.adding(seconds: OneTimeToken.Purpose.reset.lifetime))
                    return (mail, links.token(of: name).digest)
                }
            }
        }
        return wishes.count
    }

    /// What is to be told of a sign-in, if it is one from a device that is not known.
    func notice(of session: Session) -> NewDeviceNotice {
        NewDeviceNotice(
            mail: identifiers.next(), device: { session.deviceName(in: $0) ?? "" },
            source: session.source, at: session.createdAt)
    }
}

extension Form {
    /// An e-mail address.
    mutating func email(_ name: String, required: Bool = false) -> EmailAddress? {
        parse(name, text(name, required: required)) { text throws(FaultList) in try EmailAddress(text) }
    }
}
