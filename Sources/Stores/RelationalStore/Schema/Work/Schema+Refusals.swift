extension Schema {
    /// Why bulk changes refused records, whether they judge rows of closed classes, and of how many records a rehearsal says
    /// that such rows would change.
    static let refusals = Migration(
        name: "refusals",
        script: """
            ALTER TABLE bulk_changes ADD COLUMN closed INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE bulk_changes ADD COLUMN refusals TEXT;
            ALTER TABLE rehearsals ADD COLUMN closed INTEGER NOT NULL DEFAULT 0;
            """)
}
