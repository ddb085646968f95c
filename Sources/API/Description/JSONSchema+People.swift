import Accounts
import Application
import Forms
import GradingKit
import Institutions
import Shared

extension JSONSchema {
    // MARK: Accounts

    static let account = document(
        "Account",
        [
            "id": .text, "login": .text, "displayName": .text, "givenName": .text.nullable,
            "familyName": .text.nullable, "description": .text, "gender": .choice(of: Gender.self),
            "avatarHue": .number,
            "locale": language.nullable.described("What the person chose; null leaves it to the browser."),
            "discoverable": .flag, "followers": .choice(of: FollowerRule.self), "lists": .choice(of: ListAudience.self),
            "avatar": JSONSchema.text.nullable.described("The path of the picture; another picture has another."),
            "role": .choice(of: ServerRole.self).nullable, "disabled": .flag, "createdAt": .moment,
        ])
    static let ownAccount = document(
        "OwnAccount",
        [
            "id": .text, "login": .text, "displayName": .text, "givenName": .text.nullable,
            "familyName": .text.nullable, "description": .text, "gender": .choice(of: Gender.self),
            "avatarHue": .number, "locale": language.nullable, "avatar": .text.nullable,
            "discoverable": JSONSchema.flag.described("Whether everyone who is signed in can find me."),
            "followers": JSONSchema.choice(of: FollowerRule.self).described("Who may follow me without asking."),
            "lists": JSONSchema.choice(of: ListAudience.self).described("Who sees my friends."),
            "role": .choice(of: ServerRole.self).nullable, "disabled": .flag, "createdAt": .moment,
            "enrolment": one(of: [
                .document("Enrolment", ["ways": .array(of: .choice(of: ProofWay.self))]),
                JSONSchema(["type": "null"]),
            ]).described(
                "What this session has to do before anything else: show the second factor in one of these ways, or set "
                    + "one up where there is none; null for nothing. A token with this answer does nothing any more."),
        ])
    static let currentSession = document(
        "CurrentSession",
        [
            "account": ownAccount,
            "sealingKey?": JSONSchema.text.described("As of `GET /v1/accounts/me/sealing-key`."),
            "memberships?": .array(of: membership), "invitations?": .array(of: invitation),
        ]
    ).described("A session with an `enrolment` still to do has `account` alone.")
    static let sealingKey = document(
        "SealingKey",
        [
            "account": .text,
            "key": JSONSchema.text.described("256 bits in base64url; the same until the server's own key changes."),
        ])
    static let language = choice(["en", "fr", "zh-Hans"])
    static let session = document(
        "Session",
        [
            "id": .text, "kind": .choice(of: SessionKind.self), "createdAt": .moment, "lastSeenAt": .moment,
            "expiresAt": .moment, "source": .text, "client": .text,
            "deviceName": .text.nullable,
            "current": JSONSchema.flag.described("Whether it is the session of this request."),
        ])
    static let newSession = document(
        "NewSession",
        [
            "id": .text,
            "token?": JSONSchema.text.described("For `Authorization: Bearer`; absent where a cookie was asked for."),
            "expiresAt": .moment,
        ])
    static let admission = document(
        "Admission",
        [
            "account": .account, "session": .newSession,
            "device?": JSONSchema.text.described(
                "What to show as `device` at the next sign-in; keep it like a password."),
            "returnTo?": JSONSchema.text.described("The page of this site that the sign-in was begun for."),
        ])
    static let identity = document(
        "LinkedIdentity",
        [
            "provider": JSONSchema.text.described("The provider, or its issuer where the configuration names none."),
            "issuer": .text, "subject": .text, "linkedAt": .moment,
            "offered": JSONSchema.flag.described("Whether one can sign in with it: its provider is configured."),
        ])
    static let activity = document(
        "Activity",
        [
            "id": .integer, "at": .moment, "action": .choice(AccountActivity.actions),
            "own": JSONSchema.flag.described(
                "Whether the owner did it here; else an administrator, the server's operator or, for "
                    + "`session.loggedOut`, the sign-in provider."),
            "source": JSONSchema.text.nullable.described("From where, shortened, of the owner's own acts."),
            "way": JSONSchema.text.nullable.described("Of a sign-in: `password`, `passkey` or `provider`."),
            "provider": .text.nullable, "deviceName": .text.nullable,
            "newDevice": JSONSchema.flag.described(
                "Whether the device had not signed in here before, though others had."),
        ])
    static let auditLine = document(
        "AuditLine",
        [
            "id": .integer, "at": .moment, "institution": .text.nullable, "by": .text.nullable, "source": .text,
            "action": .text, "subject": .text, "detail": .any, "names": .object,
        ])

    // MARK: Institutions

    static let institution = document(
        "Institution",
        [
            "id": .text, "slug": .text, "title": .text, "locale": .language, "open": .flag,
            "keepsReading": JSONSchema.flag.described("Whether removed members go on reading their records."),
            "secondFactor": JSONSchema.choice(of: SecondFactorDemand.self).described(
                "Who must have a second factor: `none`, or the `staff`, whose sessions may only enrol without one."),
            "sharing": JSONSchema.choice(of: SharingPolicy.self).described("Whether students may share their records."),
            "timeZone": JSONSchema.text.described("A name of the IANA database, `UTC` at first."), "createdAt": .moment,
        ])
    static let term = document(
        "Term",
        [
            "id": .text, "kind": .choice(of: Term.Kind.self),
            "parent": JSONSchema.text.nullable.described("The year or term in which it stands."), "title": .text,
            "from": JSONSchema.text.described("The first day, `YYYY-MM-DD`."),
            "until": JSONSchema.text.described("The last day."),
            "locked": JSONSchema.flag.described("Whether results of work that was due in these days stay as they are."),
        ])
    static let membership = document(
        "Membership",
        [
            "institution": .text, "account": .text, "role": .choice(of: MemberRole.self),
            "programs": .array(of: .text), "since": .moment, "studentNumber": studentNumber, "grants": grants,
        ])
    private static let studentNumber = JSONSchema.text.nullable.described(
        "By what the institution knows the member on paper; no other member has it.")
    private static let grants = JSONSchema.array(
        of: .document(
            "Grant",
            [
                "by": .choice(of: Grant.Kind.self), "role": .choice(of: MemberRole.self),
                "programs": .array(of: .text), "since": .moment,
                "until": JSONSchema.moment.nullable.described(
                    "When it lapses, unless a sign-in with the provider renews it before."),
                "rule": JSONSchema.one(of: [
                    .document("GrantRule", ["issuer": .text, "claim": .text, "equals": .text]),
                    JSONSchema(["type": "null"]),
                ]),
            ])
    ).described("Where the membership comes from: it is the highest of these.")
    static let member = document(
        "Member",
        [
            "institution": .text, "account": .text, "role": .choice(of: MemberRole.self),
            "programs": .array(of: .text), "since": .moment, "studentNumber": studentNumber, "grants": grants,
            "login": .text, "displayName": .text, "givenName": .text.nullable, "familyName": .text.nullable,
        ])
    static let invitation = document(
        "Invitation",
        [
            "id": .text, "institution": .text,
            "title?": JSONSchema.text.described("The institution's, for the person who is invited."),
            "account": JSONSchema.text.nullable.described("To whom it is made out; `null` for the bearer of a link."),
            "role": .choice(of: MemberRole.self), "programs": .array(of: .text), "expiresAt": .moment,
            "token?": JSONSchema.text.described("Told once, to the one who invites."),
            "url?": JSONSchema.text.described("The whole link, beside the token, of a server with a `publicUrl`."),
        ])

    // MARK: Programs

    static let programItem = document(
        "ProgramItem",
        [
            "id": .text, "institution": .text, "scheme": .text, "title": .text, "entry": .choice(of: EntryPolicy.self),
            "given": JSONSchema.choice(of: GivenPolicy.self).described("Who gives figures and outcomes of records."),
            "version": .integer.nullable, "effectiveFrom": .day.nullable,
        ])
    static let program = document(
        "Program",
        [
            "id": .text, "institution": .text, "scheme": .text, "title": .text, "entry": .choice(of: EntryPolicy.self),
            "given": JSONSchema.choice(of: GivenPolicy.self).described("Who gives figures and outcomes of records."),
            "version": .integer.nullable, "effectiveFrom": .day.nullable,
            "configuration": JSONSchema.object.nullable.described("The one in force."),
            "waiting": .array(
                of: .document(
                    "WaitingVersion",
                    [
                        "version": .integer, "effectiveFrom": .day, "records": .choice(of: RecordTreatment.self),
                        "configuration": .object,
                    ])),
            "stale?": JSONSchema.integer.described(
                "Records that another executable of the scheme has computed, for staff; only where it is an executable."
            ),
            "draft?": JSONSchema.one(of: [
                .document("Draft", ["preset": .text.nullable, "configuration": .object, "editedAt": .moment]),
                JSONSchema(["type": "null"]),
            ]).described("For the institution's staff."),
        ])
    static let programVersion = document(
        "ProgramVersion",
        [
            "program": .text, "version": .integer, "preset": .text.nullable, "configuration": .object,
            "effectiveFrom": .day, "publishedAt": .moment, "publishedBy": .text.nullable,
            "records": .choice(of: RecordTreatment.self), "rehearsal": .text.nullable,
        ])
    static let checkedProgram = document(
        "CheckedProgram", ["program": .program, "warnings?": .array(of: .fault)])
}
