extension Schema {
    /// Programs say which version is in force, so that their documents change with their revisions alone and not with
    /// the day; and which number was given last, since that of a withdrawn version is not given again.
    static let versionsInForce = Migration(
        name: "versions in force",
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
