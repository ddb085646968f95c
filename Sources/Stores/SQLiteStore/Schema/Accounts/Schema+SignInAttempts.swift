extension Schema {
    /// What a sign-in with a provider needs when it comes back. Those that were under way begin anew.
    static let signInAttempts = Migration(
        name: "sign-in attempts",
        script: """
            DELETE FROM one_use_tokens WHERE kind = 'rosefireAttempt';
            ALTER TABLE one_use_tokens ADD COLUMN provider TEXT;
            ALTER TABLE one_use_tokens ADD COLUMN purpose TEXT;
            ALTER TABLE one_use_tokens ADD COLUMN verifier TEXT;
            ALTER TABLE one_use_tokens ADD COLUMN nonce TEXT;
            ALTER TABLE one_use_tokens ADD COLUMN return_to TEXT;
            """)
}
