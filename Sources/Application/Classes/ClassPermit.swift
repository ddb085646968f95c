public import Classes
import Gradebook
public import GradingKit
import Institutions
import Records
import Shared

/// What a caller wants to read of a class. A grader who is limited to groups may read only the rows of their students.
enum ClassSight: Sendable {
    /// The class itself, without rows.
    case outline
    /// The row of one student.
    case row(Classes.Enrolment)
    /// The rows of a group.
    case group(GroupID)
    /// Every row.
    case everyRow

    /// The rows of a group; without a group, every row.
    init(_ group: GroupID?) { self = group.map { .group($0) } ?? .everyRow }

    /// Whether a grader who is limited to these groups may read it.
    func isWithin(_ groups: [GroupID]) -> Bool {
        switch self {
        case .outline: true
        case .row(let enrolment): enrolment.groups.isWithin(groups)
        case .group(let group): groups.contains(group)
        case .everyRow: false
        }
    }

    /// Whether the class has the requested group. Everything else exists in every class.
    func isKnown(in snapshot: ClassSnapshot) -> Bool {
        if case .group(let group) = self { snapshot.group(group) != nil } else { true }
    }
}

/// What a caller may do in one class, with the access versions of the permission.
public struct ClassPermit: Sendable {
    /// The class at the time of the permit.
    public let snapshot: ClassSnapshot
    /// The caller's role; `nil` for registrars, and for administrators who only look.
    public let role: ClassRole?
    /// Its program.
    let program: Program
    /// Whether the caller is a registrar of its institution, who may open closed classes again.
    let isRegistrar: Bool
    /// The version of the program that judges new records; `nil` if none is in force.
    let current: Version?
    let context: ActContext
}

extension ClassSnapshot {
    /// Writes the class as its staff see it in a list.
    public func write(to writer: inout JSONWriter) { writer.object { writeMembers(to: &$0) } }

    /// - Parameters:
    ///   - structure: the structure with the names of the newest rules; `nil` for the stored one.
    ///   - names: the names of the staff; members without a name here are written without one.
    func writeMembers(
        to writer: inout JSONWriter, structure: ClassStructure? = nil, naming names: [AccountID: String] = [:]
    ) {
        writer.member("id", head.id.text)
        writer.member("institution", head.institution.text)
        writer.member("program", head.program.text)
        writer.member("title", head.title)
        writer.member("state", head.state.rawValue)
        writer.member("posting", head.isPostedByHand ? "manual" : "automatic")
        writer.member("term") { calendar.write(to: &$0) }
        writer.member("v", version)
        writer.member("groups", JSON.array(groups.map(\.json)))
        writer.member("structure", (structure ?? self.structure).json)
        writer.member("staff") { writer in
            writer.array { writer in
                for member in staff {
                    writer.object {
                        $0.member("account", member.account.text)
                        $0.member("role", member.role.rawValue)
                        if let name = names[member.account] { $0.member("name", name) }
                        if let lines = member.lines {
                            $0.member("lines", JSON.array(lines.map { .string($0.text) }))
                        }
                        if let groups = member.groups {
                            $0.member("groups", JSON.array(groups.map { .string($0.text) }))
                        }
                    }
                }
            }
        }
    }
}

extension ClassCalendar? {
    /// Writes the term with its periods, or `null`.
    fileprivate func write(to writer: inout JSONWriter) {
        guard let calendar = self else { return writer.null() }
        writer.object { writer in
            calendar.term.writeMembers(to: &writer)
            writer.member("periods") { writer in
                writer.array { for period in calendar.periods { period.write(to: &$0) } }
            }
        }
    }
}

extension LedgerLine {
    /// The line without the values of marks that a reader does not see.
    func seen(by reader: AccountID, in structure: ClassStructure) -> LedgerLine {
        LedgerLine(
            classID: classID, number: number, enrolment: enrolment, version: version, at: at, account: account,
            source: source, operation: operation, reason: reason,
            before: before.map { Self.seen($0, by: reader, in: structure) },
            after: after.map { Self.seen($0, by: reader, in: structure) })
    }

    private static func seen(_ text: [UInt8], by reader: AccountID, in structure: ClassStructure) -> [UInt8] {
        guard let members = (try? JSON.parse(text))?.object,
            members.contains(where: { $0.value["marks"] != nil })
        else { return text }
        var shown = members
        for member in members where member.value["marks"] != nil {
            let marking = Int(member.name).flatMap { structure.line(numbered: $0) }?.marking
            // Content that is not a cell is not shown.
            shown[member.name] = ClassCell(member.value)?.json(seenBy: reader, in: marking) ?? .object([:])
        }
        return JSON.object(shown).bytes
    }

    /// Writes a line of the ledger as staff see it: the content of cells, by the numbers of their lines.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("number", number)
            writer.member("v", version)
            writer.member("at", at.description)
            writer.member("account", account.text)
            writer.member("operation", operation)
            writer.member("enrolment", enrolment?.text)
            writer.member("reason", reason)
            for (name, text) in [("before", before), ("after", after)] {
                writer.name(name)
                if let text { writer.raw(text) } else { writer.null() }
            }
        }
    }
}
