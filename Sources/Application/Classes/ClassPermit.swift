public import Classes
import Gradebook
public import GradingKit
import Institutions
import Records
import Shared

/// What a caller may do in one class, with the access versions of what that rests on.
public struct ClassPermit: Sendable {
    /// The class, as it was when the permit was given.
    public let snapshot: ClassSnapshot
    /// The caller's role; `nil` for registrars, and for administrators who look.
    public let role: ClassRole?
    /// Its program.
    let program: Program
    /// Whether the caller is a registrar of its institution, who opens closed classes again.
    let isRegistrar: Bool
    /// The version of the program by which new records are judged; `nil` when none is in force.
    let current: Version?
    let context: ActContext
}

extension ClassSnapshot {
    /// The class as its staff see it, in a list.
    public func write(to writer: inout JSONWriter) { writer.object { writeMembers(to: &$0) } }

    /// - Parameter names: what members of the staff are called; those without a name here are written without one.
    func writeMembers(to writer: inout JSONWriter, naming names: [AccountID: String] = [:]) {
        writer.member("id", head.id.text)
        writer.member("institution", head.institution.text)
        writer.member("program", head.program.text)
        writer.member("title", head.title)
        writer.member("state", head.state.rawValue)
        writer.member("posting", head.isPostedByHand ? "manual" : "automatic")
        writer.member("v", version)
        writer.member("structure", structure.json)
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
                    }
                }
            }
        }
    }
}

extension LedgerLine {
    /// A line of the ledger as staff see it: what stood in which cells, by their lines' numbers.
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
