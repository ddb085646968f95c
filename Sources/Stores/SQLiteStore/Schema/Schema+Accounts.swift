extension Schema {
    /// People.
    static let accounts = Migration(
        name: "accounts",
        script: """
            CREATE TABLE accounts (
                id TEXT PRIMARY KEY,
                display_name TEXT NOT NULL
            ) STRICT;
            """)
}
