extension Schema {
    /// Second factors with sealed seeds, and sign-ins that wait for one. `recovery` contains the digests of the unused
    /// recovery codes, 32 bytes each, concatenated.
    static let secondFactors = Migration(
        name: "second factors", expands: false,
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

    /// What was shown in sign-ins that wait for a second factor. Sign-ins already waiting must begin again.
    static let signInProofs = Migration(
        name: "sign-in proofs", expands: false,
        script: "ALTER TABLE sign_in_challenges ADD COLUMN proof BLOB NOT NULL DEFAULT x'';")

    /// Which institutions require a second factor of their staff, and which factors each session has shown. For
    /// accounts with an authenticator app, every existing session was opened with it.
    static let requiredSecondFactors = Migration(
        name: "required second factors", expands: false,
        script: """
            ALTER TABLE institutions ADD COLUMN second_factor TEXT NOT NULL DEFAULT 'none';
            ALTER TABLE sessions ADD COLUMN factors TEXT NOT NULL DEFAULT 'one';
            UPDATE sessions SET factors = 'own'
            WHERE account IN (SELECT account FROM second_factors WHERE seed IS NOT NULL);
            """)

    /// A sign-in now counts as a proof only if the time of authentication is known, which it was for all existing
    /// sessions.
    static let signInMoments = Migration(
        name: "moments of sign-ins", expands: false,
        script: """
            INSERT INTO session_proofs (session, proven_at) SELECT id, created_at FROM sessions WHERE TRUE
            ON CONFLICT DO NOTHING;
            """)

    /// When the owners of sessions last proved their identity.
    static let sessionProofs = Migration(
        name: "session proofs", expands: false,
        script: """
            CREATE TABLE session_proofs (
                session TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
                proven_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            """)

    /// From which devices and addresses sign-ins wait for a second factor.
    static let challengeAskers = Migration(
        name: "askers of sign-in challenges", expands: false,
        script: """
            ALTER TABLE sign_in_challenges ADD COLUMN known INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE sign_in_challenges ADD COLUMN asker BLOB NOT NULL DEFAULT x'';
            """)

    /// From which networks sign-ins wait for a second factor. Those already waiting count as from one network.
    static let challengeNetworks = Migration(
        name: "networks of sign-in challenges", expands: false,
        script: "ALTER TABLE sign_in_challenges ADD COLUMN network BLOB NOT NULL DEFAULT x'';")

    /// Who made links with which passwords are set: they hold no longer than their maker may make them.
    static let tokenMakers = Migration(
        name: "makers of one-time tokens", expands: false, script: "ALTER TABLE one_time_tokens ADD COLUMN maker TEXT;")
}
