public import Classes
import Gradebook
public import GradingKit
import Shared

/// A class for its staff: its structure and staff, its columns and figures, and how many students it has.
public struct ClassDocument: Sendable {
    /// The current state of the class.
    public let snapshot: ClassSnapshot
    /// `nil` while no version of its program accepts the structure.
    let columns: ClassColumns?
    let roster: ClassRoster
    /// The names of its staff.
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
