import Accounts
import GradingKit
import Institutions
public import Records
public import Shared

extension RecordService {
    /// Takes a copy of an earlier record of the same student into a record, in place of the one of that name.
    ///
    /// - Throws: `forbidden` for those who may give nothing, `record_unknown` for a record that the caller may not read or
    ///   that is not the student's own in the same institution.
    public func takeEarlier(
        _ name: String, from source: EarlierSource, into id: RecordID, by context: AccountContext
    ) async throws -> WriteOutcome {
        let permit = try await givingPermit(id, context)
        let copy: JSON
        if let record = source.record {
            copy = try await self.copy(of: record, as: name, for: permit, context)
        } else {
            copy = try source.copy(named: name)
        }
        return try await edit(id, .earlier(name, copy, reason: source.reason), by: context)
    }

    /// Removes the copy of an earlier record.
    public func dropEarlier(_ name: String, from id: RecordID, by context: AccountContext) async throws -> WriteOutcome
    {
        _ = try await givingPermit(id, context)
        return try await edit(id, .earlier(name, nil, reason: nil), by: context)
    }

    private func givingPermit(_ id: RecordID, _ context: AccountContext) async throws -> RecordPermit {
        let permit = try await permit(.write, id, for: context)
        guard context.principal.has(.givenWrite) else { throw UseCaseError.insufficientScope(.givenWrite) }
        guard permit.mayGive else { throw UseCaseError.forbidden }
        return permit
    }

    private func copy(
        of source: RecordID, as name: String, for permit: RecordPermit, _ context: AccountContext
    ) async throws -> JSON {
        let unknown = FaultList([Fault("record_unknown", at: "/record")])
        let found: (permit: RecordPermit, snapshot: RecordSnapshot)
        do {
            found = try await snapshot(source, for: context)
        } catch let error as UseCaseError where error.code == "not_found" || error.code == "forbidden" {
            throw unknown
        }
        let (own, other) = (permit.head, found.permit.head)
        guard source != own.id, found.permit.view == .full, own.student != nil, own.student == other.student,
            own.institution == other.institution
        else { throw unknown }
        let (target, rules, snapshot) = (permit.recordRules.rules, found.permit.recordRules, found.snapshot)
        let copy = try await rules.rules.perform {
            try target.copy(
                named: name, of: try rules.visibleTree(of: snapshot, view: .full), under: rules.rules)
        }
        guard let copy else { throw FaultList([Fault(.wrongKind, ["kind": .string(name)])]) }
        return copy
    }
}
