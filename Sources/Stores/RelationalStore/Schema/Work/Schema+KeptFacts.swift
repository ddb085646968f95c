extension Schema {
    /// Of most answers under clients' keys only facts are stored, from which the answer is made again. Answers that an
    /// earlier program has stored stay whole; they are forgotten within a day.
    ///
    /// An earlier program would give an empty body to who repeats a request, so that the step is not marked as one that
    /// only adds.
    static let keptFacts = Migration(
        name: "kept facts", expands: false,
        script: """
            ALTER TABLE idempotency ADD COLUMN facts BLOB;
            """)
}
