import Accounts
import GradingKit
import HTTP
import Institutions
import Records
import Shared

/// A record's program as the record is judged by it, and what the caller may do: all that a client needs to show the
/// record beside the record itself, also to somebody who may read the record and no longer the institution's programs.
struct RecordProgram: Sendable {
    let desk: RecordService

    func response(to call: SignedInCall) async throws -> Response {
        let (permit, _) = try await desk.snapshot(call.record, for: call)
        let (program, number) = (permit.program, permit.book.programVersion)
        guard let version = try await desk.institutions.programs.version(number, of: program.id) else {
            throw Problem.notFound
        }
        let actions = try await desk.actions(on: permit, for: call.call.principal)
        return .json { writer in
            writer.object { writer in
                writer.member("program") { program.write(to: &$0, judgedBy: version) }
                writer.member("view", permit.view == .full ? "full" : "released")
                writer.member("may") { writer in
                    writer.array { for action in actions { $0.string(action.rawValue) } }
                }
            }
        }
    }
}

extension RecordService {
    /// What a caller may do with a record beside reading it.
    fileprivate func actions(on permit: RecordPermit, for principal: Principal) async throws -> [Action] {
        var actions: [Action] = []
        for action in [Action.write, .delete] {
            let decision = try await decision(action, permit.head, permit.program, for: principal)
            if case .allowed = decision { actions.append(action) }
        }
        return actions
    }
}
