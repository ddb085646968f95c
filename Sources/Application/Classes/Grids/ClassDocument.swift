public import Classes
import Gradebook
public import GradingKit
import Shared

/// A class as its staff see it: its structure and staff, what its columns take, which figures its rows have, and how many
/// students are in it.
public struct ClassDocument: Sendable {
    /// The class as it stands.
    public let snapshot: ClassSnapshot
    /// `nil` while no version of its program takes the structure.
    let columns: ClassColumns?
    let roster: ClassRoster
    /// What the members of its staff are called.
    let names: [AccountID: String]

    /// Writes the class.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            snapshot.writeMembers(to: &writer, structure: columns?.structure, naming: names)
            writer.member("students", roster.students)
            writer.member("withdrawn", roster.withdrawn)
            writer.member("corrections", roster.corrections)
            columns?.writeMembers(to: &writer)
        }
    }
}
