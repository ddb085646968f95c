extension Schema {
    /// Records say which of their values staff entered. Those of before learn it from their history.
    static let authorship = Migration(name: "authorship", script: "") { try AuthorshipUpgrade.run(on: $0) }
}
