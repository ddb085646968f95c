extension Schema {
    /// What a sign-in with a provider needs when the person comes back. Attempts under way must begin again.
    static let signInAttempts = Migration(
        name: "sign-in attempts", expands: false,
        script: """
            DELETE FROM one_use_tokens WHERE kind = 'rosefireAttempt';
            ALTER TABLE one_use_tokens ADD COLUMN provider TEXT;
            ALTER TABLE one_use_tokens ADD COLUMN purpose TEXT;
            ALTER TABLE one_use_tokens ADD COLUMN verifier TEXT;
            ALTER TABLE one_use_tokens ADD COLUMN nonce TEXT;
            ALTER TABLE one_use_tokens ADD COLUMN return_to TEXT;
            """)
}
