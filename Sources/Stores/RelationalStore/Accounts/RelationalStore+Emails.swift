public import Accounts
public import Cryptography
import Database
import GradingKit
public import Shared

extension RelationalStore: EmailStore {
    /// Returns an account's email address.
    public func email(of id: AccountID) async throws -> AccountEmail { try await read { try $0.email(of: id) } }

    /// Returns the account whose address the link with this token confirms.
    public func account(confirming token: TokenDigest) async throws -> AccountID? {
        try await read { connection in
            try connection.first("SELECT account FROM emails WHERE token = ?", .blob(token.bytes)) {
                AccountID($0.text(0))
            }
        }
    }

    /// Changes an account's email address.
    public func changeEmail<Value: Sendable>(
        of id: AccountID, sending mail: (kind: Mail.Kind, to: EmailAddress)?, at now: Timestamp,
        _ plan: @escaping @Sendable (EmailSituation) throws -> AccountPlan<Value>
    ) async throws -> Value {
        try await write { transaction in
            let connection = transaction.connection
            guard let account = try connection.account(id) else { throw StoreError.notFound }
            let earlier = try mail.map { try connection.earlierMails($0.kind, to: $0.to, about: id, at: now) }
            let situation = EmailSituation(
                account: account, email: try connection.email(of: id), earlier: earlier ?? [])
            return try transaction.apply(plan(situation))
        }
    }

    /// Stores a request for a password reset; returns whether it was accepted.
    public func note(_ wish: ResetWish) async throws -> Bool {
        try await write { transaction in
            let connection = transaction.connection
            let waiting = try connection.first("SELECT count(*) FROM reset_wishes") { $0.integer(0) } ?? 0
            return try transaction.apply(EmailPlans.noting(wish, besides: waiting))
        }
    }

    /// Returns waiting reset requests, oldest first.
    public func resetWishes(_ limit: Int) async throws -> [ResetWish] {
        try await read { connection in
            try connection.all(
                "SELECT login, source, at, account, device FROM reset_wishes ORDER BY number LIMIT ?",
                .integer(limit)
            ) { row in
                let (account, device) = (row.text(3), row.bytes(4))
                return ResetWish(
                    login: Login(stored: row.text(0)), account: account.isEmpty ? nil : AccountID(account),
                    device: device.isEmpty ? nil : TokenDigest(bytes: device), from: row.text(1),
                    at: Timestamp(microseconds: Int64(row.integer(2))))
            }
        }
    }

    /// Answers a reset request.
    public func answer(
        _ wish: ResetWish, at now: Timestamp,
        _ plan: @escaping @Sendable (ResetSituation?) throws -> AccountPlan<Void>
    ) async throws {
        try await write { transaction in
            try transaction.apply(plan(try transaction.connection.resetSituation(of: wish, at: now)))
        }
    }
}

extension Connection {
    func email(of id: AccountID) throws -> AccountEmail {
        try first(
            "SELECT address, confirmed_at, pending, token, pending_ends, language FROM emails WHERE account = ?",
            .text(id.text)
        ) { row in
            let pending = row.optionalText(2).map { address in
                AccountEmail.Pending(
                    address: EmailAddress(stored: address), token: TokenDigest(bytes: row.bytes(3)),
                    expiresAt: Timestamp(microseconds: Int64(row.integer(4))))
            }
            return AccountEmail(
                of: id, address: row.optionalText(0).map { EmailAddress(stored: $0) },
                confirmedAt: row.optionalInteger(1).map { Timestamp(microseconds: Int64($0)) }, pending: pending,
                in: Language(rawValue: row.text(5)) ?? .english)
        } ?? AccountEmail(of: id)
    }

    fileprivate func resetSituation(of wish: ResetWish, at now: Timestamp) throws -> ResetSituation? {
        let found = try first("SELECT \(AccountRow.columns) FROM accounts WHERE login = ?", .text(wish.login.text)) {
            AccountRow.account($0)
        }
        guard let account = found else { return nil }
        let email = try email(of: account.id)
        let knowsDevice =
            try wish.device.map { device in
                try first(
                    "SELECT 1 FROM devices WHERE account = ? AND token = ?", .text(account.id.text),
                    .blob(device.bytes)
                ) { _ in true } ?? false
            } ?? false
        let kind = ResetSituation.kind(of: wish, by: account.id, knowsDevice: knowsDevice)
        let earlier = try earlierMails(kind, to: email.address, about: account.id, at: now)
        return ResetSituation(
            email: EmailSituation(account: account, email: email, earlier: earlier), kind: kind,
            hasPassword: try password(of: account.id) != nil)
    }
}

extension WriteTransaction {
    func apply(_ change: EmailRowChange) throws {
        switch change {
        case .set(let email): try set(email)
        case .dropPending(let account):
            try connection.run(
                "UPDATE emails SET pending = NULL, token = NULL, pending_ends = NULL WHERE account = ?",
                .text(account.text))
            try connection.run("DELETE FROM emails WHERE account = ? AND address IS NULL", .text(account.text))
        case .takeBackMails(let kind, let account):
            try endMails("account = ? AND kind = ?", .text(account.text), .text(kind.rawValue))
        case .takeBackResets(let account):
            for kind in [Mail.Kind.reset, .ownReset] {
                try endMails("account = ? AND kind = ?", .text(account.text), .text(kind.rawValue))
            }
        case .setResetWish(let wish):
            // One that is wished again waits behind the others.
            try remove(wish)
            try connection.run(
                "INSERT INTO reset_wishes (login, account, device, source, at) VALUES (?, ?, ?, ?, ?)",
                .text(wish.login.text), .text(wish.account?.text ?? ""), .blob(wish.device?.bytes ?? []),
                .text(wish.source), .integer(wish.at.microseconds))
        case .removeResetWish(let wish): try remove(wish)
        }
    }

    private func remove(_ wish: ResetWish) throws {
        try connection.run(
            "DELETE FROM reset_wishes WHERE login = ? AND account = ? AND device = ?", .text(wish.login.text),
            .text(wish.account?.text ?? ""), .blob(wish.device?.bytes ?? []))
    }

    private func set(_ email: AccountEmail) throws {
        guard !email.isEmpty else {
            try connection.run("DELETE FROM emails WHERE account = ?", .text(email.account.text))
            return
        }
        try connection.run(
            """
            INSERT INTO emails (account, address, confirmed_at, pending, token, pending_ends, language)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (account) DO UPDATE SET address = excluded.address, confirmed_at = excluded.confirmed_at,
            pending = excluded.pending, token = excluded.token, pending_ends = excluded.pending_ends,
            language = excluded.language
            """,
            .text(email.account.text), .text(email.address?.text), .integer(email.confirmedAt?.microseconds),
            .text(email.pending?.address.text), .blob(email.pending?.token.bytes),
            .integer(email.pending?.expiresAt.microseconds), .text(email.language.rawValue))
    }
}
