extension Schema {
    /// How much of the records a rehearsed draft would lose.
    static let losses = Migration(
        name: "losses", expands: false,
        script: "ALTER TABLE rehearsals ADD COLUMN lost INTEGER NOT NULL DEFAULT 0;")
}
