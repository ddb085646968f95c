extension Schema {
    /// Audit lines written at most once an hour for each account, action and subject; kept for the current hour and the
    /// previous one.
    static let hourlyLines = Migration(
        name: "hourly lines", expands: false,
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
