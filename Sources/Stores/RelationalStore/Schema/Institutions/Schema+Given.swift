extension Schema {
    /// Who gives figures and outcomes of a program's records beside the computed ones.
    static let given = Migration(
        name: "given", expands: false,
        script: "ALTER TABLE programs ADD COLUMN given TEXT NOT NULL DEFAULT 'registrar';")
}
