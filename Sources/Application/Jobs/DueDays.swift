import Accounts
import Classes
import Gradebook
import GradingKit
import Institutions
import Observability
import Records
import Shared

/// Marks work as missing in the classes that ask for it, once the day on which it was due is over in the time zone of
/// the class's institution.
///
/// It acts as a teacher of the class who may enter results in it, and the ledger has the source `job`. If several
/// processes share a store, only one handles each day: an act on a day that is already handled is refused.
struct DueDays: Sendable {
    /// The time between searches for days that are over, in seconds.
    private static let interval: Int64 = 60
    /// The longest wait before trying a class again after a failure, in seconds.
    private static let longestWait: Int64 = 3_600
    private static let codesOfRights = [UseCaseError.forbidden.code, UseCaseError.notFound.code]
    /// The number of classes to read at once.
    private static let page = 50

    private let classes: ClassService
    private let accounts: AccountServices
    private let clock: WallClock
    private let log: Log

    init(_ classes: ClassService, accounts: AccountServices, clock: WallClock, log: Log) {
        self.classes = classes
        self.accounts = accounts
        self.clock = clock
        self.log = log
    }

    /// Looks for days that are over until the task is cancelled.
    func run() async {
        var setbacks: [ClassID: Setback] = [:]
        while !Task.isCancelled {
            await dealWithWhatIsOver(&setbacks)
            try? await Task.sleep(for: .seconds(Self.interval))
        }
    }

    /// When to try a class again after a failure.
    struct Setback: Sendable {
        fileprivate let end: Timestamp
        fileprivate let seconds: Int64
    }

    /// Handles every day that is over by now. A failure in one class does not affect the others.
    func dealWithWhatIsOver(_ setbacks: inout [ClassID: Setback]) async {
        // Several days of a class may be over, the earliest first; each round handles one.
        while !Task.isCancelled, await dealWithFirstDays(&setbacks) {}
    }

    /// Handles the first day of each class that is over; returns whether there was any.
    private func dealWithFirstDays(_ setbacks: inout [ClassID: Setback]) async -> Bool {
        var (cursor, hasDealt): (ClassID?, Bool) = (nil, false)
        var days: [InstitutionID: CalendarDay] = [:]
        let now = clock.now
        let latest = now.latestDay
        var late: Set<ClassID> = []
        do {
            while !Task.isCancelled {
                let due = try await classes.store.classesDue(before: latest, after: cursor, limit: Self.page)
                guard let last = due.last else { break }
                cursor = last.id
                for (id, institution, day) in due {
                    let known = days[institution]
                    let today =
                        if let known { known } else {
                            try await classes.records.institutions.tenants.today(in: institution, at: now)
                        }
                    days[institution] = today
                    guard day < today else { continue }
                    late.insert(id)
                    if let setback = setbacks[id], now < setback.end { continue }
                    switch await deal(with: day, of: id) {
                    case .dealt: hasDealt = true
                    case .overtaken: break
                    case .failed(let reason):
                        let seconds = min(2 * (setbacks[id]?.seconds ?? Self.interval / 2), Self.longestWait)
                        setbacks[id] = Setback(end: now.adding(seconds: seconds), seconds: seconds)
                        log.warning(
                            "work cannot be marked as missing",
                            ["class": .text(id.text), "due": .text("\(day)"), "error": .text(reason)])
                    }
                }
            }
        } catch {
            log.warning("due days cannot be read", ["error": .text("\(error)")])
            return false
        }
        setbacks = setbacks.filter { late.contains($0.key) }
        return hasDealt
    }

    private enum Result {
        case dealt
        /// Another process changed the class meanwhile, or the server has no time. The next search finds the current
        /// state.
        case overtaken
        case failed(String)
    }

    private func deal(with day: CalendarDay, of id: ClassID) async -> Result {
        var reason = "no teacher of the class may enter results"
        do {
            for teacher in try await classes.store.taughtClass(id)?.staff ?? [] where teacher.role.mayTeach {
                guard let context = try await context(of: teacher.account) else { continue }
                do {
                    _ = try await classes.markMissing(dueOn: day, in: id, by: context)
                    return .dealt
                } catch let error as UseCaseError where Self.codesOfRights.contains(error.code) {
                    // Another teacher may have the permission.
                    reason = error.code.text
                }
            }
        } catch let error as UseCaseError {
            if error.isRetryable { return .overtaken }
            reason = ([error.code] + error.faults.map(\.code)).map(\.text).joined(separator: " ")
        } catch StoreError.moved {
            return .overtaken
        } catch {
            reason = "\(error)"
        }
        return .failed(reason)
    }

    private func context(of teacher: AccountID) async throws -> AccountContext? {
        guard let account = try await accounts.sessions.goesOn(teacher) else { return nil }
        let job = Principal.job(orderedBy: account)
        guard job.has(.classesWrite) else { return nil }
        return try AccountContext(
            RequestContext(
                principal: job, client: Client(source: "job"), language: .english, now: clock.now, under: .classesWrite)
        )
    }
}
