import Cryptography
import DataStore
import Records
import Shared

extension Sample {
    /// A claim of a process, named by its token.
    static func claim(_ token: String, at moment: Timestamp = now) -> WorkClaim {
        WorkClaim(owner: "process", token: token, at: moment)
    }

    /// When a lease that was given now ends.
    static let leaseEnd = now.adding(seconds: WorkLease.duration)
}

private let tokens = UUIDSource(milliseconds: { Sample.now.microseconds / 1_000 })

extension StoreUnderTest {
    /// Claims the next work of a kind, which there must be.
    func claimed(_ kind: WorkKind, at moment: Timestamp = Sample.now) async throws -> WorkLease {
        guard let lease = try await data.imports.claim(kind, by: Sample.claim(tokens.next(), at: moment)) else {
            throw Violation(description: "there is no work to claim among \(kind)")
        }
        return lease
    }

    /// Orders one piece of work of a kind; its identifier.
    fileprivate func order(_ kind: WorkKind) async throws -> String {
        switch kind {
        case .imports:
            let entry = ImportEntry(
                id: "w", program: ProgramID("program"), account: Sample.teacher, startedAt: Sample.now, key: nil,
                total: 1, order: ImportOrder(source: "", reading: [], size: 0))
            guard case .begun(_, let lease) = try await data.imports.begin(entry, by: Sample.claim("sender")) else {
                throw Violation(description: "the import did not begin")
            }
            try await data.imports.release(lease)
        case .rehearsals: _ = try await data.rehearsals.begin(Sample.rehearsal("w"), keeping: nil)
        case .bulkChanges:
            try await makeInstitution()
            try await makeProgram()
            let job = BulkChangeJob(
                id: "w", institution: InstitutionID("school"), program: ProgramID("program"), work: .release(path: []),
                account: Sample.teacher, source: "", orderedAt: Sample.now, dueOn: Sample.now.day)
            _ = try await data.bulkChanges.insert(
                job, audit: Sample.entry("results.released", of: "program", in: "school"), keeping: { _ in nil })
        }
        return "w"
    }

    /// The last step of the work.
    fileprivate func finish(under lease: WorkLease) async throws {
        switch lease.kind {
        case .imports:
            guard var entry = try await data.imports.entry(lease.work) else { throw LeaseLost() }
            entry.state = .done
            try await data.imports.update(entry, listing: [], under: lease)
        case .rehearsals:
            guard var rehearsal = try await data.rehearsals.rehearsal(lease.work) else { throw LeaseLost() }
            rehearsal.state = .done
            try await data.rehearsals.advance(rehearsal, finding: [], under: lease)
        case .bulkChanges:
            guard var progress = try await data.bulkChanges.bulkChange(lease.work)?.progress else { throw LeaseLost() }
            progress.finishedAt = Sample.now
            try await data.bulkChanges.advance(to: progress, under: lease)
        }
    }

    /// A step of the work that changes nothing.
    fileprivate func step(under lease: WorkLease) async throws {
        switch lease.kind {
        case .imports:
            guard let entry = try await data.imports.entry(lease.work) else { throw LeaseLost() }
            try await data.imports.update(entry, listing: [], under: lease)
        case .rehearsals:
            guard let rehearsal = try await data.rehearsals.rehearsal(lease.work) else { throw LeaseLost() }
            try await data.rehearsals.advance(rehearsal, finding: [], under: lease)
        case .bulkChanges:
            guard let job = try await data.bulkChanges.bulkChange(lease.work) else { throw LeaseLost() }
            try await data.bulkChanges.advance(to: job.progress, under: lease)
        }
    }
}

func expectLeaseLost<Value>(_ what: String, _ body: () async throws -> Value) async throws {
    do {
        _ = try await body()
    } catch is LeaseLost {
        return
    }
    throw Violation(description: "\(what): the lease was not lost")
}

extension StoreLaw {
    static let leases: [StoreLaw] = WorkKind.allCases.flatMap { kind in
        [
            StoreLaw("of many claims at once on a piece of \(kind), one gets it") { place in
                let work = try await place.order(kind)
                let leases = try await withThrowingTaskGroup(of: WorkLease?.self) { group in
                    for number in 0..<10 {
                        group.addTask { try await place.data.imports.claim(kind, by: Sample.claim("\(number)")) }
                    }
                    return try await group.reduce(into: [WorkLease]()) { found, lease in
                        if let lease { found.append(lease) }
                    }
                }
                try expect(leases.map(\.work), is: [work], "what was claimed")
                try expect(leases.map(\.endsAt), is: [Sample.leaseEnd], "until when")
            },
            StoreLaw("\(kind) are open until they are finished, whoever has claimed them") { place in
                let leases = place.data.imports
                let later = Sample.now.adding(seconds: 60)
                let none = try await leases.openWork(of: kind, at: later)
                try expect(none.count, is: 0, "how much is open before")
                try expect(none.since, is: nil, "since when, before")
                _ = try await place.order(kind)
                let lease = try await place.claimed(kind)
                let open = try await leases.openWork(of: kind, at: later)
                try expect(open.count, is: 1, "how much is open")
                try expect(open.since, is: Sample.now, "since when")
                try await place.finish(under: lease)
                try expect(try await leases.openWork(of: kind, at: later).count, is: 0, "how much is open after")
            },
            StoreLaw("\(kind) that were given back, or whose lease has ended, are claimed by another") { place in
                _ = try await place.order(kind)
                let leases = place.data.imports
                let first = try await place.claimed(kind)
                let before = Sample.leaseEnd.adding(seconds: -1)
                try expect(try await leases.claim(kind, by: Sample.claim("b", at: before)), is: nil, "before its end")
                try await leases.renew(first, at: before)
                try expect(
                    try await leases.claim(kind, by: Sample.claim("c", at: Sample.leaseEnd)), is: nil,
                    "at its first end, once renewed")
                try await place.step(under: first)
                let end = before.adding(seconds: WorkLease.duration)
                let second = try await place.claimed(kind, at: end)
                try await place.step(under: second)
                try await leases.release(first)
                try expect(
                    try await leases.claim(kind, by: Sample.claim("d", at: end)), is: nil,
                    "what the first owner gave back late")
                try await leases.release(second)
                let third = try await place.claimed(kind)
                try await place.step(under: third)
            },
            StoreLaw("a lease on \(kind) that a clock far ahead gave holds no longer than by the right clock") {
                place in
                _ = try await place.order(kind)
                let leases = place.data.imports
                let tolerated = Sample.now.adding(seconds: WorkLease.clockTolerance)
                let ahead = try await place.claimed(kind, at: tolerated)
                try expect(
                    try await leases.claim(kind, by: Sample.claim("b")), is: nil, "by a clock that differs no more")
                try await leases.renew(ahead, at: tolerated.adding(seconds: 1))
                let next = try await place.claimed(kind)
                try await expectLeaseLost("a step of the other") { try await place.step(under: ahead) }
                try await place.step(under: next)
            },
            StoreLaw("who lost the lease on \(kind) stores no further step, and renews nothing") { place in
                _ = try await place.order(kind)
                let paused = try await place.claimed(kind)
                // No other process has claimed it: the work goes on, though the lease may have ended.
                try await place.step(under: paused)
                let next = try await place.claimed(kind, at: Sample.leaseEnd)
                try await expectLeaseLost("a step") { try await place.step(under: paused) }
                try await expectLeaseLost("a renewal") {
                    try await place.data.imports.renew(paused, at: Sample.leaseEnd)
                }
                try await place.step(under: next)
            },
            StoreLaw("\(kind) that the end of their owner has cut off are under way as they were") { place in
                let work = try await place.order(kind)
                let lease = try await place.claimed(kind)
                try await place.step(under: lease)
                let crashed = try await place.afterCrash()
                let again = try await crashed.claimed(kind, at: Sample.leaseEnd)
                try expect(again.work, is: work, "what is claimed when the lease has ended")
                try await expectLeaseLost("a step of before") { try await crashed.step(under: lease) }
                try await crashed.step(under: again)
                await crashed.close()
            },
        ]
    }
}
