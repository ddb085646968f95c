extension Schema {
    /// First and last names of people. The former program leaves them as they are; an account that it changes meanwhile is
    /// not found by them in searches until it changes again.
    static let personNames = Migration(
        name: "person names", expands: true,
        script: """
            ALTER TABLE accounts ADD COLUMN given_name TEXT;
            ALTER TABLE accounts ADD COLUMN family_name TEXT;
            """)
}
