extension Schema {
    /// The invitations with which people began to sign in.
    static let invitedAttempts = Migration(
        name: "invited attempts", expands: false, script: "ALTER TABLE one_use_tokens ADD COLUMN invitation BLOB;")
}
