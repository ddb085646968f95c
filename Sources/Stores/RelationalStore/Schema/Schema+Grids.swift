extension Schema {
    /// The versions of a class at which every row became another because its structure did, and at which the class last
    /// said something else of itself than its rows do. Of older classes these are not known: their readers start over.
    static let grids = Migration(
        name: "grids", expands: false,
        script: """
            ALTER TABLE classes ADD COLUMN structured INTEGER NOT NULL DEFAULT 1;
            ALTER TABLE classes ADD COLUMN restated INTEGER NOT NULL DEFAULT 1;
            UPDATE classes SET structured = version, restated = version;
            """)
}
