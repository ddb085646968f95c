package import Cryptography
public import Messages
public import Shared

/// Plans the writes of accounts' e-mail addresses from the rows that the store found.
public enum EmailPlans {
    /// Plans to confirm an address, replacing another unconfirmed one. The confirmed address stays in use until then.
    ///
    /// - Parameter mail: The mail with the link.
    /// - Throws: ``MailLimitReached``.
    package static func request(
        _ pending: AccountEmail.Pending, in situation: EmailSituation, by mail: Mail, audit: AuditEntry
    ) throws(MailLimitReached) -> AccountPlan<AccountEmail> {
        try MailPlans.check(mail, after: situation.earlier)
        var email = situation.email
        email.pending = pending
        email.language = mail.language
        return AccountPlan(
            [.email(.takeBackMails(.confirmation, of: email.account)), .email(.set(email))], audit: [audit],
            mails: [mail],
            value: email)
    }

    /// Plans to remove the unconfirmed address.
    package static func withdrawal(in situation: EmailSituation) -> AccountPlan<AccountEmail> {
        var email = situation.email
        guard email.pending != nil else { return AccountPlan([], value: email) }
        email.pending = nil
        return AccountPlan(
            [.email(.takeBackMails(.confirmation, of: email.account)), .email(.set(email))], value: email)
    }

    /// Plans to confirm an address whose owner followed the link. Links that were sent to the previous address become
    /// void, and mails with news that wait for it are not sent.
    ///
    /// - Parameter notice: Creates the mail to the previous address, if it was a different one.
    /// - Throws: `StoreError.notFound` if the token is not that of the link, or the link has expired.
    package static func confirmation(
        _ token: TokenDigest, in situation: EmailSituation, audit: AuditEntry, notice: (EmailAddress) -> Mail
    ) throws(StoreError) -> AccountPlan<Void> {
        var email = situation.email
        guard let pending = email.pending, pending.token == token, audit.at < pending.expiresAt,
            !situation.account.isDisabled
        else { throw .notFound }
        let before = email.address.flatMap { $0.key == pending.address.key ? nil : $0 }
        email = AccountEmail(of: email.account, address: pending.address, confirmedAt: audit.at, in: email.language)
        let voided: [AccountRowChange] =
            before == nil
            ? []
            : [
                .token(.removeAll(of: email.account)), .email(.takeBackResets(of: email.account)),
                .email(.takeBackMails(.notice, of: email.account)),
            ]
        return AccountPlan([.email(.set(email))] + voided, audit: [audit], mails: before.map { [notice($0)] } ?? [])
    }

    /// Plans to remove an account's address. Links and mails with news that wait for it are not sent.
    ///
    /// - Parameter notice: Creates the mail to the removed address.
    /// - Throws: `StoreError.notFound` if the account has no address.
    package static func removal(
        in situation: EmailSituation, audit: AuditEntry, notice: (EmailAddress) -> Mail
    ) throws(StoreError) -> AccountPlan<Void> {
        let email = situation.email
        guard !email.isEmpty else { throw .notFound }
        let mails = email.address.map { [notice($0)] } ?? []
        return AccountPlan(
            [
                .email(.takeBackMails(.confirmation, of: email.account)),
                .email(.takeBackMails(.notice, of: email.account)),
                .email(.takeBackResets(of: email.account)), .token(.removeAll(of: email.account)),
                .email(.set(AccountEmail(of: email.account))),
            ], audit: [audit], mails: mails)
    }

    /// Plans to store a wish for a reset, for any login, unless too many are waiting.
    ///
    /// - Parameter waiting: The number of waiting wishes.
    public static func noting(_ wish: ResetWish, besides waiting: Int) -> AccountPlan<Bool> {
        guard waiting < ResetWish.capacity else { return AccountPlan([], value: false) }
        return AccountPlan([.email(.setResetWish(wish))], value: true)
    }

    /// Plans to answer a wish for a reset. It sends a link if the account has an address and a password and is not over
    /// the mail limit, which is one for the owner's own wishes and another for those of anyone. Earlier links stay valid, because anyone can make a wish; using one voids all.
    package static func reset(
        _ wish: ResetWish, in situation: ResetSituation?, at now: Timestamp,
        link: (ResetSituation, EmailAddress) -> (mail: Mail, token: TokenDigest)
    ) -> AccountPlan<Void> {
        let done = AccountRowChange.email(.removeResetWish(wish))
        guard let situation, situation.hasPassword, !situation.email.account.isDisabled,
            let address = situation.email.email.address,
            MailPlans.wait(for: situation.kind, at: now, after: situation.email.earlier) == nil
        else { return AccountPlan([done]) }
        let account = situation.email.account
        let (mail, digest) = link(situation, address)
        let act = AuditContext(by: nil, from: wish.source, at: now)
        let token = OneTimeToken(purpose: .reset, account: account.id, expiresAt: mail.expiresAt)
        let issue = PasswordPlans.issue(
            token, digest: digest, inPlaceOf: [], audit: act.entry("link.mailed", of: account.id.text))
        return AccountPlan([done] + issue.changes, audit: issue.audit, mails: [mail])
    }

    /// Returns the mail about a sign-in from a device that has not signed in to the account before; `nil` if the device
    /// is known, the account has no address, or it is over the mail limit.
    public static func newDevice(
        _ notice: NewDeviceNotice, in situation: EmailSituation, isKnown: Bool
    ) -> Mail? {
        guard !isKnown, let address = situation.email.address,
            MailPlans.wait(for: .newDevice, at: notice.at, after: situation.earlier) == nil
        else { return nil }
        let account = situation.account
        let device = notice.device(situation.language)
        return Mail(
            id: notice.mail, .newDevice, to: address, about: account.id, in: situation.language,
            ["login": account.login.text, "device": device, "source": notice.source], at: notice.at)
    }
}

extension EmailPlans {
    /// The audit actions that are reported to an account's owner by mail, which the thief of a session cannot undo.
    public static let toldActions: Set<String> = [
        "password.changed", "password.set", "second-factor.set", "second-factor.removed", "second-factor.refused",
        "recovery-codes.renewed", "recovery-code.used", "passkey.added", "passkey.removed", "passkey.refused",
        "identity.linked", "identity.unlinked", "token.created",
    ]

    /// Returns the mail about an action on an account's credentials; `nil` if the action is not reported, the account
    /// has no address, or it is over the mail limit. If another person or the server acted, the mail does not say from
    /// where.
    ///
    /// - Parameters:
    ///   - entry: The audit row of the action, with the account as its subject.
    ///   - name: The identifier of the mail, if there is one.
    public static func security(_ entry: AuditEntry, in situation: EmailSituation, named name: String) -> Mail? {
        let account = situation.account
        guard toldActions.contains(entry.action), let address = situation.email.address,
            MailPlans.wait(for: .security, at: entry.at, after: situation.earlier) == nil
        else { return nil }
        let source = entry.account == account.id ? entry.source : ""
        return Mail(
            id: name, .security, to: address, about: account.id, in: situation.language,
            ["action": entry.action, "login": account.login.text, "source": source], at: entry.at)
    }
}

extension EmailPlans {
    /// The mail that tells an account's owner that it was deleted; empty without a confirmed address. It names no account, so
    /// that it is sent after the account is gone.
    package static func deletion(_ entry: AuditEntry, in situation: EmailSituation) -> [Mail] {
        guard let address = situation.email.address else { return [] }
        let account = situation.account
        return [
            Mail(
                id: "deleted-\(account.id.text)", .accountDeleted, to: address, in: situation.language,
                ["login": account.login.text], at: entry.at)
        ]
    }
}

/// The notice of a sign-in from a device that has not signed in to the account before.
public struct NewDeviceNotice: Sendable {
    /// The identifier of the mail, if there is one.
    let mail: String
    /// Returns the name of the device in a language.
    let device: @Sendable (Language) -> String
    /// The source of the sign-in.
    let source: String
    /// When the sign-in happened.
    public let at: Timestamp

    /// Creates a notice.
    ///
    /// - Parameters:
    ///   - mail: The identifier of the mail, if there is one.
    ///   - device: Returns the name of the device in a language; empty for a device without a name.
    ///   - source: The source of the sign-in.
    public init(mail: String, device: @escaping @Sendable (Language) -> String, source: String, at: Timestamp) {
        self.mail = mail
        self.device = device
        self.source = source
        self.at = at
    }
}
