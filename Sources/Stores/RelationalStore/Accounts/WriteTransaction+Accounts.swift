import Accounts
import Cryptography
import Database
import GradingKit
import Shared

extension Connection {
    func account(_ id: AccountID) throws -> Account? {
        try first("SELECT \(AccountRow.columns) FROM accounts WHERE id = ?", .text(id.text)) { AccountRow.account($0) }
    }

    /// How each enabled administrator can sign in, not counting `id`.
    func administrators(besides id: String) throws -> [WaysIn] {
        let others = try all(
            "SELECT id FROM accounts WHERE role = 'administrator' AND disabled = 0 AND id <> ?", .text(id)
        ) { AccountID($0.text(0)) }
        return try others.map { try waysIn(to: $0) }
    }

    /// How an account's owner can sign in.
    func waysIn(to account: AccountID) throws -> WaysIn {
        WaysIn(
            hasPassword: try password(of: account) != nil, hasPasskey: try hasPasskey(account),
            identities: try identities(of: account))
    }

    func situation(of id: AccountID) throws -> AccountSituation? {
        try account(id).map { account in
            let isAdministrator = account.role == .administrator && !account.isDisabled
            return AccountSituation(
                account: account, otherAdministrators: isAdministrator ? try administrators(besides: id.text) : [])
        }
    }

    func password(of id: AccountID) throws -> PasswordHash? {
        try first("SELECT password FROM accounts WHERE id = ?", .text(id.text)) { row in
            AccountRow.password(row.optionalText(0))
        } ?? nil
    }

    /// Returns an account's sessions, newest first.
    func sessions(of id: AccountID) throws -> [Session] {
        try all("SELECT \(SessionRow.columns) FROM sessions WHERE account = ? ORDER BY id DESC", .text(id.text)) {
            SessionRow.session($0)
        }
    }

    func sessionIDs(of id: AccountID) throws -> [SessionID] {
        try all("SELECT id FROM sessions WHERE account = ?", .text(id.text)) { SessionID($0.text(0)) }
    }
}

extension WriteTransaction {
    func apply<Value>(_ plan: AccountPlan<Value>, holding subject: WriteSubject? = nil) throws -> Value {
        let value = try apply(plan, holding: subject) { try apply($0) }
        for entry in plan.audit { try tellOwner(of: entry) }
        return value
    }

    /// Queues the mail that notifies an account's owner of an act already recorded in the trail, if one is due.
    func tellOwner(of entry: AuditEntry) throws {
        guard EmailPlans.toldActions.contains(entry.action),
            let account = try connection.account(AccountID(entry.subject))
        else { return }
        let email = try connection.email(of: account.id)
        let earlier = try connection.earlierMails(.security, to: email.address, about: account.id, at: entry.at)
        let line = try connection.first("SELECT max(seq) FROM audit") { $0.integer(0) } ?? 0
        let name = "security-\(line)-\(entry.action)-\(entry.at.microseconds)"
        let situation = EmailSituation(account: account, email: email, earlier: earlier)
        if let mail = EmailPlans.security(entry, in: situation, named: name) { try queue(mail) }
    }

    private func apply(_ change: AccountRowChange) throws {
        switch change {
        case .insert(let account, let password):
            try insert(account, password)
            try connection.index(.account(account.id))
        case .update(let account):
            try update(account)
            try connection.index(.account(account.id))
        case .remove(let id):
            try forgetFeed(of: id)
            try connection.run("DELETE FROM accounts WHERE id = ?", .text(id.text))
            try connection.index(.account(id))
        case .forgetAnswers(let id):
            for table in ["idempotency", "imports"] {
                try connection.run("DELETE FROM \(table) WHERE account = ?", .text(id.text))
            }
            try connection.run("DELETE FROM import_rows WHERE student = ?", .text(id.text))
        case .eraseAuditDetails(let id): try eraseAuditDetails(about: id.text)
        case .setPassword(let hash, let id):
            try connection.run("UPDATE accounts SET password = ? WHERE id = ?", .text(hash.text), .text(id.text))
        case .setPicture(let picture, let id): try set(picture, of: id)
        case .session(let change): try apply(change)
        case .token(let change): try apply(change)
        case .secondFactor(let change): try apply(change)
        case .passkey(let change): try apply(change)
        case .apiToken(let change): try apply(change)
        case .email(let change): try apply(change)
        case .identity(let change): try apply(change)
        }
    }

    private func insert(_ account: Account, _ password: PasswordHash?) throws {
        try connection.run(
            """
            INSERT INTO accounts (
                login, display_name, description, gender, hue, locale, role, disabled, picture, search,
                discoverable, followers, lists, given_name, family_name, id, created_at, password, service_of,
                service_scopes)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            AccountRow.values(account) + [
                .text(account.id.text), .integer(account.createdAt.microseconds), .text(password?.text),
                .text(account.service?.institution.text), .text(APITokenRow.text(account.service?.scopes ?? [])),
            ])
    }

    private func update(_ account: Account) throws {
        try connection.run(
            """
            UPDATE accounts SET login = ?, display_name = ?, description = ?, gender = ?, hue = ?, locale = ?,
            role = ?, disabled = ?, picture = ?, search = ?, discoverable = ?, followers = ?, lists = ?,
            given_name = ?, family_name = ? WHERE id = ?
            """,
            AccountRow.values(account) + [.text(account.id.text)])
    }

    private func set(_ picture: Picture?, of id: AccountID) throws {
        try connection.run("DELETE FROM pictures WHERE account = ?", .text(id.text))
        guard let picture else { return }
        try connection.run(
            "INSERT INTO pictures (account, format, bytes) VALUES (?, ?, ?)",
            .text(id.text), .text(picture.format.rawValue), .blob(picture.bytes))
    }

    private func apply(_ change: SessionRowChange) throws {
        switch change {
        case .insert(let session, let token): try insert(session, token)
        case .update(let session):
            try connection.run(
                """
                UPDATE sessions SET kind = ?, expires_at = ?, last_seen_at = ?, factors = ?, voucher = ? WHERE id = ?
                """,
                .text(session.kind.rawValue), .integer(session.expiresAt.microseconds),
                .integer(session.lastSeenAt.microseconds), .text(session.factors.kind), .text(session.factors.voucher),
                .text(session.id.text))
        case .prove(let session, let moment):
            try connection.run(
                """
                INSERT INTO session_proofs (session, proven_at) VALUES (?, ?)
                ON CONFLICT (session) DO UPDATE SET proven_at = excluded.proven_at
                """,
                .text(session.text),
                .integer(moment.microseconds))
        case .setOrigin(let origin, let session):
            try connection.run(
                "INSERT INTO session_origins (session, issuer, subject, name) VALUES (?, ?, ?, ?)",
                .text(session.text), .text(origin.issuer), .blob(origin.subject), .blob(origin.session))
        case .remove(let id): try connection.run("DELETE FROM sessions WHERE id = ?", .text(id.text))
        case .noteDevice(let device, let account, let moment):
            try connection.run(
                """
                INSERT INTO devices (account, token, seen_at) VALUES (?, ?, ?)
                ON CONFLICT (account, token) DO UPDATE SET seen_at = excluded.seen_at
                """,
                .text(account.text), .blob(device.bytes), .integer(moment.microseconds))
        case .removeDevice(let device, let account):
            try connection.run(
                "DELETE FROM devices WHERE account = ? AND token = ?", .text(account.text), .blob(device.bytes))
        case .removeDevices(let account, let kept):
            try connection.run(
                "DELETE FROM devices WHERE account = ? AND token IS DISTINCT FROM ?", .text(account.text),
                .blob(kept?.bytes))
        }
    }

    private func insert(_ session: Session, _ token: TokenDigest) throws {
        try connection.run(
            """
            INSERT INTO sessions (
                token, id, account, kind, created_at, expires_at, last_seen_at, source, client, device, factors,
                voucher)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .blob(token.bytes), .text(session.id.text), .text(session.account.text), .text(session.kind.rawValue),
            .integer(session.createdAt.microseconds), .integer(session.expiresAt.microseconds),
            .integer(session.lastSeenAt.microseconds), .text(session.source), .text(session.client),
            .text(session.device), .text(session.factors.kind), .text(session.factors.voucher))
    }

    private func apply(_ change: TokenRowChange) throws {
        switch change {
        case .insert(let token, let digest):
            try connection.run(
                "INSERT INTO one_time_tokens (token, purpose, account, maker, expires_at) VALUES (?, ?, ?, ?, ?)",
                .blob(digest.bytes), .text(token.purpose.rawValue), .text(token.account?.text),
                .text(token.maker?.text), .integer(token.expiresAt.microseconds))
        case .remove(let digest):
            try connection.run("DELETE FROM one_time_tokens WHERE token = ?", .blob(digest.bytes))
        case .removeAll(let account):
            try connection.run("DELETE FROM one_time_tokens WHERE account = ?", .text(account.text))
        case .removeMade(let maker):
            try connection.run("DELETE FROM one_time_tokens WHERE maker = ?", .text(maker.text))
        case .insertOneUse(let token, let digest, let number): try insert(token, digest, number: number)
        case .removeOneUse(let digest): try removeOneUseToken(digest)
        }
    }

    private func apply(_ change: IdentityRowChange) throws {
        switch change {
        case .useAssertion(let assertion):
            try connection.run(
                "INSERT INTO used_assertions (digest, expires_at) VALUES (?, ?)", .blob(assertion.digest.bytes),
                .integer(assertion.expiresAt.microseconds))
        case .useNotice(let digest, let end):
            try connection.run(
                "INSERT INTO used_assertions (digest, expires_at) VALUES (?, ?)", .blob(digest.bytes),
                .integer(end.microseconds))
        case .insert(let identity):
            try connection.run(
                "INSERT INTO identities (issuer, subject, account, linked_at, vouches) VALUES (?, ?, ?, ?, ?)",
                .text(identity.issuer), .text(identity.subject), .text(identity.account.text),
                .integer(identity.linkedAt.microseconds), .integer(identity.vouching.rawValue))
        case .remove(let identity):
            try connection.run(
                "DELETE FROM identities WHERE account = ? AND issuer = ?", .text(identity.account.text),
                .text(identity.issuer))
        case .noteVouching(let issuer, let account):
            try connection.run(
                "UPDATE identities SET vouches = 1 WHERE account = ? AND issuer = ?", .text(account.text),
                .text(issuer))
        case .dropPresumedVouching(let issuer, let account):
            try connection.run(
                "UPDATE identities SET vouches = 0 WHERE account = ? AND issuer = ? AND vouches = ?",
                .text(account.text), .text(issuer), .integer(Vouching.presumed.rawValue))
        case .lowerVouched(let account, let issuer):
            for table in ["sessions", "api_tokens"] {
                try connection.run(
                    "UPDATE \(table) SET factors = ?, voucher = NULL WHERE account = ? AND voucher = ?",
                    .text(ShownFactors.one.kind), .text(account.text), .text(issuer))
            }
        case .forgetVouching(let account):
            try connection.run("UPDATE identities SET vouches = 0 WHERE account = ?", .text(account.text))
        }
    }
}
