import Accounts
public import Classes
import Cryptography
public import Gradebook
public import GradingKit
import Institutions
import Records
public import Shared

/// A correction for staff.
public struct CorrectionView: Sendable {
    /// Its number among the corrections of its class.
    public let number: Int
    let correction: Correction
    let state: Correction.State
    /// The names of the people who requested and decided it.
    let names: [AccountID: String]

    /// Writes the correction.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", correction.id.text)
            writer.member("account", correction.account.text)
            if let name = names[correction.account] { writer.member("name", name) }
            writer.member("at", correction.at.description)
            writer.member("reason", correction.reason)
            writer.member("state", state.rawValue)
            writer.name("cells")
            writer.raw(correction.cells)
            writer.member("decidedBy", correction.decidedBy?.text)
            if let name = correction.decidedBy.flatMap({ names[$0] }) { writer.member("deciderName", name) }
            writer.member("decidedAt", correction.decidedAt?.description)
        }
    }
}

/// An undecided correction in a registrar's list over all classes. It has no results.
public struct WaitingCorrection: Sendable {
    /// Its number among all corrections.
    public let number: Int
    let correction: Correction
    let taught: ClassHead
    /// The name of the person who requested it; `nil` after the account was deleted.
    let name: String?

    /// Writes the correction.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", correction.id.text)
            writer.member("class", ["id": .string(taught.id.text), "title": .string(taught.title)])
            writer.member("institution", taught.institution.text)
            writer.member("account", correction.account.text)
            if let name { writer.member("name", name) }
            writer.member("at", correction.at.description)
            writer.member("reason", correction.reason)
        }
    }
}

extension ClassService {
    /// The corrections that wait for the caller's decision, below a number, newest first: those of other people, in
    /// classes of institutions in which the caller is a registrar. Void ones are left out.
    public func waitingCorrections(
        before number: Int?, limit: Int, for context: AccountContext
    ) async throws -> [WaitingCorrection] {
        let requester = try await records.access.requester(context.principal)
        var found: [(number: Int, correction: Correction)] = []
        for membership in requester.memberships where membership.role == .registrar {
            guard let institution = try await records.institutions.tenants.find(membership.institution.text),
                case .allowed = authorize(requester, .approve, on: .taughtClass(role: nil, in: institution))
            else { continue }
            found += try await store.waitingCorrections(
                in: institution.id, besides: context.account, since: Correction.oldest(at: context.now),
                before: number, limit: limit)
        }
        let page = found.sorted { $0.number > $1.number }.prefix(limit)
        let names = try await records.names(of: page.map(\.correction.account))
        var waiting: [WaitingCorrection] = []
        for (number, correction) in page {
            guard let taught = try await store.taughtClass(correction.classID)?.head else { continue }
            waiting.append(
                WaitingCorrection(
                    number: number, correction: correction, taught: taught, name: names[correction.account]))
        }
        return waiting
    }

    /// Requests a change of results in a closed class. The results are entered only after another person's approval.
    public func ask(
        _ changes: [CellChange], of id: ClassID, reason: String, by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<Correction>) -> KeptAnswer? = { _ in nil }
    ) async throws -> ActOutcome<Correction> {
        let request = CorrectionRequest(
            id: CorrectionID(identifiers.next()), account: context.account, at: context.now, changes, reason: reason)
        let rows = Array(Set(changes.map(\.enrolment)))
        return try await act(.grade, in: id, .rows(rows), by: context, keeping: keep) { _, gradebook, ground in
            try gradebook.ask(request, within: ground.snapshot.scope(of: request.account), in: ground)
        }
    }

    /// Approves a correction that another person requested, and enters it. People who may have requested it through a
    /// service account do not count as another person.
    public func approve(
        _ correction: CorrectionID, of id: ClassID, by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<CellsAnswer>) -> KeptAnswer? = { _ in nil }
    ) async throws -> ActOutcome<CellsAnswer> {
        let (account, now) = (context.account, context.now)
        _ = try await permit(.approve, id, for: context)
        // The person who requested a correction never changes, so it may be read before the act.
        guard let asker = try await store.ground(of: id, .correction(correction))?.correction?.account else {
            throw UseCaseError.notFound
        }
        let makers = try await records.institutions.serviceAccounts.makers(of: asker)
        return try await act(.approve, in: id, .correction(correction), by: context, keeping: keep) {
            _, gradebook, ground in
            try gradebook.approve(by: account, at: now, besides: makers, in: ground)
        }
    }

    /// Refuses a correction, for those who may approve it; the person who requested it withdraws it.
    public func refuse(
        _ correction: CorrectionID, of id: ClassID, by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<Correction>) -> KeptAnswer? = { _ in nil }
    ) async throws -> ActOutcome<Correction> {
        let (account, now) = (context.account, context.now)
        return try await act(.grade, in: id, .correction(correction), by: context, keeping: keep) {
            permit, gradebook, ground in
            guard permit.isRegistrar || ground.correction.map({ $0.account == account }) ?? true else {
                throw UseCaseError.forbidden
            }
            return try gradebook.refuse(by: account, at: now, in: ground)
        }
    }

    /// The corrections of a class below a number, newest first; for a grader who is limited to groups, the grader's
    /// own.
    public func corrections(
        of id: ClassID, before number: Int?, limit: Int, for context: AccountContext
    ) async throws -> [CorrectionView] {
        let permit = try await permit(.read, id, .outline, for: context)
        try await records.readings.note(
            context.principal, reads: id, in: permit.snapshot.head.institution, from: context.client.source)
        let isLimited = !permit.isRegistrar && permit.snapshot.scope(of: context.account).groups != nil
        var (found, cursor): ([(number: Int, correction: Correction)], Int?) = ([], number)
        while found.count < limit {
            let page = try await store.corrections(of: id, before: cursor, limit: limit)
            found += page.filter { !isLimited || $0.correction.account == context.account }
            guard page.count == limit, let last = page.last else { break }
            cursor = last.number
        }
        found = Array(found.prefix(limit))
        let names = try await records.names(
            of: found.flatMap { [$0.correction.account, $0.correction.decidedBy] })
        return found.map {
            CorrectionView(
                number: $0.number, correction: $0.correction, state: $0.correction.state(at: context.now), names: names)
        }
    }
}
