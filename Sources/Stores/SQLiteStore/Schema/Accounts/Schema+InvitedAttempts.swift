extension Schema {
    /// With which invitations people set out to sign in.
    static let invitedAttempts = Migration(
        name: "invited attempts", script: "ALTER TABLE one_use_tokens ADD COLUMN invitation BLOB;")
}
