import GradingKit
public import Shared

extension Programs {
    /// Takes back a version whose day has not come: the move of records that waits with it goes too, its number is not
    /// given again, and where it was the newest and nothing is being worked on, the draft is what it was.
    ///
    /// With `expected`, a document that has moved on is `StoreError.versionConflict`. A number that no version has is
    /// `StoreError.notFound`; a version whose day has come, or by which a record is judged, a `version_in_force`.
    ///
    /// - Parameter keep: the answer to keep with it.
    public func withdraw(
        _ number: Version, of id: ProgramID, expecting expected: Revision? = nil, by act: AuditContext,
        keeping keep: @escaping ProgramKeeper = { _, _ in nil }
    ) async throws -> Program {
        try await store.withdraw(number, of: id, keeping: keep) { before, versions, isInUse in
            if let expected, expected != before.revision { throw StoreError.versionConflict(current: before.revision) }
            guard let version = versions.first(where: { $0.number == number }) else { throw StoreError.notFound }
            guard version.effectiveFrom > act.at.day, !isInUse else { throw FaultList([Fault(.versionInForce)]) }
            let left = versions.filter { $0.number != number }
            var after = before
            after.newest = left.first?.number
            after.effectiveFrom = left.first?.effectiveFrom
            after.inForce = Programs.inForce(left, on: act.at.day).map { VersionInForce($0) }
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

    /// Lets the documents of programs tell which version is in force by now; answers for how many that was another.
    public func turn(on act: AuditContext) async throws -> Int {
        let due = try await store.programsToTurn(on: act.at.day)
        var turned = 0
        for id in due {
            let versions = try await store.versions(of: id)
            guard let version = Programs.inForce(versions, on: act.at.day) else { continue }
            let after = try await store.amend(id, keeping: { _, _ in nil }) { before in
                // Another may have been published in between that holds at once: then nothing begins.
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

    /// The newest published version; `nil` before the first.
    public func newestVersion(of program: Program) async throws -> ProgramVersion? {
        guard let newest = program.newest else { return nil }
        return try await version(newest, of: program.id)
    }

    /// The versions that the program's document tells of.
    public func versionsInForce(of program: Program) async throws -> StandingVersions {
        StandingVersions(of: program, among: try await store.versions(of: program.id))
    }

    /// Of versions, newest first, the one by which a record made on that day is judged.
    static func inForce(_ versions: [ProgramVersion], on day: CalendarDay) -> ProgramVersion? {
        versions.first { $0.effectiveFrom <= day } ?? versions.last
    }
}

/// The published versions that matter now.
public struct StandingVersions: Sendable, Equatable {
    /// The one by which new records are judged; `nil` when nothing is published.
    public let inForce: ProgramVersion?
    /// Those whose day is to come, the earliest first.
    public let waiting: [ProgramVersion]

    /// Of a program that was never published.
    public static let none = StandingVersions(inForce: nil, waiting: [])

    /// Those of a program, out of all its versions, newest first.
    public init(of program: Program, among versions: [ProgramVersion]) {
        inForce = versions.first { $0.number == program.inForce?.number }
        waiting = versions.filter { $0.number > program.inForce?.number ?? 0 }.reversed()
    }

    private init(inForce: ProgramVersion?, waiting: [ProgramVersion]) {
        self.inForce = inForce
        self.waiting = waiting
    }
}
