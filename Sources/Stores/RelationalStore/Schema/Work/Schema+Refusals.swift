extension Schema {
    /// The reasons for which bulk changes refused records, whether moves judge closed classes, and how many records a
    /// rehearsal found in which something of a closed class would change.
    static let refusals = Migration(
        name: "refusals", expands: false,
        script: """
            ALTER TABLE bulk_changes ADD COLUMN closed INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE bulk_changes ADD COLUMN refusals TEXT;
            ALTER TABLE rehearsals ADD COLUMN closed INTEGER NOT NULL DEFAULT 0;
            """)
}
