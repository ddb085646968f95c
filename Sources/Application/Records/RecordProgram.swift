import GradingKit
import Institutions
import Records
public import Shared

/// The description of a record's program under the rules that apply to the record, and of what the caller may do. This
/// is all a client needs to show the record, even if the caller has no access to the institution's programs.
public struct RecordProgram: Sendable {
    private let records: RecordService
    private let sharings: RecordSharings

    /// Creates the description over the records of a service.
    public init(_ records: RecordService, _ sharings: RecordSharings) {
        self.records = records
        self.sharings = sharings
    }

    /// Returns the JSON document `{"program","view","may"}`.
    public func document(of id: RecordID, for context: AccountContext) async throws -> [UInt8] {
        let (permit, _) = try await records.snapshot(id, for: context)
        let (program, number) = (permit.program, permit.recordRules.programVersion)
        guard let version = try await records.institutions.programs.version(number, of: program.id) else {
            throw UseCaseError.notFound
        }
        let actions = try await actions(on: permit, for: context)
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("program") { program.write(to: &$0, judgedBy: version) }
            writer.member("view", permit.view == .full ? "full" : "released")
            writer.member("may") { writer in
                writer.array { for action in actions { $0.string(action) } }
            }
        }
        return writer.bytes
    }

    /// Returns what the caller may do with the record besides reading it.
    private func actions(on permit: RecordPermit, for context: AccountContext) async throws -> [String] {
        var actions: [String] = []
        for action in [Action.write, .delete, .give] {
            let decision = try await records.decision(action, permit.head, permit.program, for: context.principal)
            if case .allowed = decision { actions.append(action.rawValue) }
        }
        if try await sharings.mayShare(permit.head, context) { actions.append("share") }
        return actions
    }
}
