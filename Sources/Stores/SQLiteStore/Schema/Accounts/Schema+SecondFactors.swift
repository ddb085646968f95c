extension Schema {
    /// Second factors with their seeds sealed, and sign-ins that wait for one. `recovery` holds the digests of the unused
    /// recovery codes, 32 bytes each, one after the other.
    static let secondFactors = Migration(
        name: "second factors",
        script: """
            CREATE TABLE second_factors (
                account TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
                seed BLOB,
                since INTEGER,
                last_step INTEGER,
                enrolment BLOB,
                enrolment_ends INTEGER,
                recovery BLOB NOT NULL
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE sign_in_challenges (
                token BLOB PRIMARY KEY,
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                expires_at INTEGER NOT NULL,
                failures INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX sign_in_challenges_of_account ON sign_in_challenges (account);
            """)

    /// What was shown in sign-ins that wait for a second factor. One that waits already has to begin again.
    static let signInProofs = Migration(
        name: "sign-in proofs", script: "ALTER TABLE sign_in_challenges ADD COLUMN proof BLOB NOT NULL DEFAULT x'';")

    /// Which institutions want their staff to have a second factor, and how much was shown in each session. Where an
    /// authenticator app counts, no session is older than that.
    static let requiredSecondFactors = Migration(
        name: "required second factors",
        script: """
            ALTER TABLE institutions ADD COLUMN second_factor TEXT NOT NULL DEFAULT 'none';
            ALTER TABLE sessions ADD COLUMN factors TEXT NOT NULL DEFAULT 'one';
            UPDATE sessions SET factors = 'own'
            WHERE account IN (SELECT account FROM second_factors WHERE seed IS NOT NULL);
            """)

    /// Signing in counts as a proof where it is known when the person was asked: so far it always did.
    static let signInMoments = Migration(
        name: "moments of sign-ins",
        script: """
            INSERT OR IGNORE INTO session_proofs (session, proven_at) SELECT id, created_at FROM sessions;
            """)

    /// When the owners of sessions last showed who they are.
    static let sessionProofs = Migration(
        name: "session proofs",
        script: """
            CREATE TABLE session_proofs (
                session TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
                proven_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            """)

    /// From which devices and addresses sign-ins wait for a second factor.
    static let challengeAskers = Migration(
        name: "askers of sign-in challenges",
        script: """
            ALTER TABLE sign_in_challenges ADD COLUMN known INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE sign_in_challenges ADD COLUMN asker BLOB NOT NULL DEFAULT x'';
            """)

    /// Who made links with which passwords are set: they hold no longer than their maker may make them.
    static let tokenMakers = Migration(
        name: "makers of one-time tokens", script: "ALTER TABLE one_time_tokens ADD COLUMN maker TEXT;")
}
