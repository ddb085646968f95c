import Cryptography
public import Messages
public import Shared

/// The rules of accounts' addresses, over the rows that a store has found.
public enum EmailPlans {
    /// An address is to be confirmed, in place of another that was; the one that counts goes on counting.
    ///
    /// - Parameter mail: the mail with the link.
    static func request(
        _ pending: AccountEmail.Pending, in situation: EmailSituation, by mail: Mail, audit: AuditEntry
    ) throws(MailLimitReached) -> AccountPlan<AccountEmail> {
        try MailPlans.check(mail, after: situation.earlier)
        var email = situation.email
        email.pending = pending
        email.language = mail.language
        return AccountPlan(
            [.takeBackMails(.confirmation, of: email.account), .setEmail(email)], audit: [audit], mails: [mail],
            value: email)
    }

    /// What waited for its confirmation waits no longer.
    static func withdrawal(in situation: EmailSituation) -> AccountPlan<AccountEmail> {
        var email = situation.email
        guard email.pending != nil else { return AccountPlan([], value: email) }
        email.pending = nil
        return AccountPlan([.takeBackMails(.confirmation, of: email.account), .setEmail(email)], value: email)
    }

    /// The owner of an address has followed its link. Links that were sent to the address before are void.
    ///
    /// - Parameter notice: the mail to the address before, if there is another one.
    static func confirmation(
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
            ? [] : [.removeTokens(of: email.account), .takeBackMails(.reset, of: email.account)]
        return AccountPlan([.setEmail(email)] + voided, audit: [audit], mails: before.map { [notice($0)] } ?? [])
    }

    /// An account has no address any more.
    ///
    /// - Parameter notice: the mail to the address that it had.
    static func removal(
        in situation: EmailSituation, audit: AuditEntry, notice: (EmailAddress) -> Mail
    ) throws(StoreError) -> AccountPlan<Void> {
        let email = situation.email
        guard !email.isEmpty else { throw .notFound }
        let mails = email.address.map { [notice($0)] } ?? []
        return AccountPlan(
            [
                .takeBackMails(.confirmation, of: email.account), .takeBackMails(.reset, of: email.account),
                .removeTokens(of: email.account), .setEmail(AccountEmail(of: email.account)),
            ], audit: [audit], mails: mails)
    }

    /// A wish for a reset is noted, whosever login it names, unless too many wait.
    ///
    /// - Parameter waiting: how many wait.
    public static func noting(_ wish: ResetWish, besides waiting: Int) -> AccountPlan<Bool> {
        guard waiting < ResetWish.capacity else { return AccountPlan([], value: false) }
        return AccountPlan([.setResetWish(wish)], value: true)
    }

    /// A wish for a reset: a link to the account's address, where there is one, a password to reset, and room for
    /// another mail. Links that were sent before go on holding, because anyone can ask; using one voids all.
    static func reset(
        _ wish: ResetWish, in situation: ResetSituation?, at now: Timestamp,
        link: (EmailSituation, EmailAddress) -> (mail: Mail, token: TokenDigest)
    ) -> AccountPlan<Void> {
        let done = AccountRowChange.removeResetWish(wish)
        guard let situation, situation.hasPassword, !situation.email.account.isDisabled,
            let address = situation.email.email.address,
            MailPlans.wait(for: .reset, at: now, after: situation.email.earlier) == nil
        else { return AccountPlan([done]) }
        let account = situation.email.account
        let (mail, digest) = link(situation.email, address)
        let act = AuditContext(by: nil, from: wish.source, at: now)
        let token = OneTimeToken(purpose: .reset, account: account.id, expiresAt: mail.expiresAt)
        let issue = PasswordPlans.issue(
            token, digest: digest, inPlaceOf: [], audit: act.entry("link.mailed", of: account.id.text))
        return AccountPlan([done] + issue.changes, audit: issue.audit, mails: [mail])
    }

    /// The mail about a sign-in from a device that has not signed in to the account before; `nil` where there is
    /// nothing to tell, nowhere to send it, or one was sent a moment ago.
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
    /// The acts that an account's owner gets a mail about: a thief of a session cannot take such a mail back.
    public static let toldActions: Set<String> = [
        "password.changed", "password.set", "second-factor.set", "second-factor.removed", "second-factor.refused",
        "recovery-codes.renewed", "recovery-code.used", "passkey.added", "passkey.removed", "passkey.refused",
        "identity.linked", "identity.unlinked", "token.created",
    ]

    /// The mail about an act around the ways into an account; `nil` where it is not told, there is nowhere to send it, or many
    /// were sent lately. Where another person acted, or the server's operator, it does not say from where.
    ///
    /// - Parameters:
    ///   - entry: the act, with the account as its subject.
    ///   - name: the name of the mail, should there be one.
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
    static func deletion(_ entry: AuditEntry, in situation: EmailSituation) -> [Mail] {
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
    /// The name of the mail, should there be one.
    let mail: String
    /// What the device is called.
    let device: @Sendable (Language) -> String
    /// From where.
    let source: String
    /// When.
    public let at: Timestamp

    /// A notice.
    ///
    /// - Parameters:
    ///   - mail: the name of the mail, should there be one.
    ///   - device: what the device is called in a language; empty for a device without a name.
    ///   - source: from where it signed in.
    public init(mail: String, device: @escaping @Sendable (Language) -> String, source: String, at: Timestamp) {
        self.mail = mail
        self.device = device
        self.source = source
        self.at = at
    }
}
