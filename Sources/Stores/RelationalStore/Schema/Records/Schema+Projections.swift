extension Schema {
    /// Versions of documents that are composed on reading.
    static let projections = Migration(
        name: "projections", expands: false,
        script: """
            CREATE TABLE projections (
                name    TEXT PRIMARY KEY,
                version INTEGER NOT NULL,
                digest  BLOB NOT NULL
            ) STRICT, WITHOUT ROWID;
            """)
}
