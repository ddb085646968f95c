extension Schema {
    /// Records state which of their values staff entered. Existing records get this from their history.
    static let authorship = Migration(name: "authorship", expands: false, script: "") {
        try AuthorshipUpgrade.run(on: $0)
    }
}
