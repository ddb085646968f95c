extension Schema {
    /// Audit lines written at most once an hour for each account and subject, of this hour and the one before.
    static let hourlyLines = Migration(
        name: "hourly lines",
        script: """
            CREATE TABLE hourly_lines (
                hour INTEGER NOT NULL,
                account TEXT NOT NULL,
                action TEXT NOT NULL,
                subject TEXT NOT NULL,
                PRIMARY KEY (hour, account, action, subject)
            ) STRICT, WITHOUT ROWID;
            """)
}
