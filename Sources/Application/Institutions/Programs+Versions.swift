import GradingKit
public import Institutions
public import Shared

extension Programs {
    /// Withdraws a version that is not yet in force, with its pending move of records. Its number is not given again.
    /// If it was the newest version and there is no draft, its configuration becomes the draft again.
    ///
    /// - Parameters:
    ///   - expected: The revision that the caller has seen; `nil` accepts any.
    ///   - keep: Returns the answer to store with the change.
    /// - Throws: `StoreError.versionConflict` if the document has another revision; `StoreError.notFound` if there is
    ///   no such version; `FaultList` with `version_in_force` if its day has come or it judges a record.
    public func withdraw(
        _ number: Version, of id: ProgramID, expecting expected: Revision? = nil, by act: AuditContext,
        keeping keep: @escaping ProgramKeeper = { _, _ in nil }
    ) async throws -> Program {
        let today = try await today(in: store.program(id), at: act.at)
        return try await store.withdraw(number, of: id, keeping: keep) { before, versions, isInUse in
            if let expected, expected != before.revision { throw StoreError.versionConflict(current: before.revision) }
            guard let version = versions.first(where: { $0.number == number }) else { throw StoreError.notFound }
            guard version.effectiveFrom > today, !isInUse else { throw FaultList([Fault(.versionInForce)]) }
            let left = versions.filter { $0.number != number }
            var after = before
            after.newest = left.first?.number
            after.effectiveFrom = left.first?.effectiveFrom
            after.inForce = StandingVersions.inForce(left, on: today).map { VersionInForce($0) }
            if before.newest == number, before.draft == nil {
                after.draft = ProgramDraft(
                    preset: version.preset, configuration: version.configuration, editedAt: act.at)
            }
            return ProgramChange(
                program: after,
                audit: act.entry(
                    "version.withdrawn", of: id.text, in: before.institution,
                    detail: auditDetail(before: version.auditText, after: nil, reason: act.reason)),
                under: act.grounds)
        }
    }

    /// Updates the programs whose newer version comes into force today, in the time zones of their institutions; returns
    /// the number of programs updated.
    public func turn(on act: AuditContext) async throws -> Int {
        let due = try await store.programsToTurn(on: act.at.latestDay)
        var turned = 0
        for id in due {
            let (program, versions) = (try await find(id), try await store.versions(of: id))
            let today = try await today(in: program, at: act.at)
            // Elsewhere the day may have come.
            guard let version = StandingVersions.inForce(versions, on: today),
                version.number > program?.inForce?.number ?? 0
            else { continue }
            let after = try await store.amend(id, keeping: { _, _ in nil }) { before in
                // A later version may have been published in between and be in force already: then there is nothing to
                // do.
                guard version.number > before.inForce?.number ?? 0 else { return nil }
                var after = before
                after.inForce = VersionInForce(version)
                return ProgramChange(
                    program: after,
                    audit: act.entry(
                        "version.began", of: id.text, in: before.institution,
                        detail: auditDetail(before: before.auditText, after: after.auditText, reason: nil)))
            }
            if after.inForce?.number == version.number { turned += 1 }
        }
        return turned
    }

    /// Returns the newest published version; `nil` before the first.
    public func newestVersion(of program: Program) async throws -> ProgramVersion? {
        guard let newest = program.newest else { return nil }
        return try await version(newest, of: program.id)
    }

    /// Returns the versions that the program's document shows.
    public func versionsInForce(of program: Program) async throws -> StandingVersions {
        StandingVersions(of: program, among: try await store.versions(of: program.id))
    }
}
