extension Schema {
    /// The version in force of each program, so that the program's document changes only with its revision, not with
    /// the day; and the number assigned last, because a withdrawn version's number is never reused.
    static let versionsInForce = Migration(
        name: "versions in force", expands: false,
        script: """
            ALTER TABLE programs ADD COLUMN in_force INTEGER;
            ALTER TABLE programs ADD COLUMN in_force_from INTEGER;
            ALTER TABLE programs ADD COLUMN last_number INTEGER NOT NULL DEFAULT 0;
            UPDATE programs SET
                last_number = ifnull(newest, 0),
                in_force = (
                    SELECT ifnull(max(iif(effective_from <= unixepoch() / 86400, number, NULL)), min(number))
                    FROM program_versions AS version WHERE version.program = programs.id);
            UPDATE programs SET in_force_from = (
                SELECT effective_from FROM program_versions AS version
                WHERE version.program = programs.id AND version.number = programs.in_force);
            """)
}
