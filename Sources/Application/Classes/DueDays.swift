import Accounts
import Classes
import Gradebook
import GradingKit
import Records
import Shared

/// Marks work as missing in the classes that ask for it, once the day is over on which it was due.
///
/// It acts as a teacher of the class who may enter results in it, and the ledger names the source `job`. Of several processes
/// over one store one deals with each day: an act that finds it dealt with is refused.
struct DueDays: Sendable {
    /// How often to look for days that are over.
    private static let interval = Duration.seconds(60)
    /// Classes that are read at a time.
    private static let page = 50

    private let classes: ClassService
    private let accounts: AccountServices
    private let clock: WallClock

    init(_ classes: ClassService, accounts: AccountServices, clock: WallClock) {
        self.classes = classes
        self.accounts = accounts
        self.clock = clock
    }

    /// Looks for days that are over until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            await dealWithWhatIsOver()
            try? await Task.sleep(for: Self.interval)
        }
    }

    /// Deals with every day that is over by now. A class that cannot be dealt with keeps no other one from it.
    func dealWithWhatIsOver() async {
        // Several days of a class may be over, the earliest first; each round deals with one of them.
        while !Task.isCancelled, await dealWithFirstDays() {}
    }

    /// Deals with the first day of each class that is over; returns whether any was.
    private func dealWithFirstDays() async -> Bool {
        var (cursor, hasDealt): (ClassID?, Bool) = (nil, false)
        while !Task.isCancelled {
            // If the store fails, the next look tries again.
            let due = try? await classes.store.classesDue(before: clock.now.day, after: cursor, limit: Self.page)
            guard let due, let last = due.last else { break }
            for (id, day) in due where await deal(with: day, in: id) { hasDealt = true }
            cursor = last.id
        }
        return hasDealt
    }

    private func deal(with day: CalendarDay, in id: ClassID) async -> Bool {
        guard let staff = try? await classes.store.taughtClass(id)?.staff else { return false }
        for teacher in staff where teacher.role.mayTeach {
            guard let context = try? await context(of: teacher.account) else { continue }
            do {
                _ = try await classes.miss(dueOn: day, in: id, by: context)
                return true
            } catch is UseCaseError {
                // Another teacher may have the right.
                continue
            } catch {
                return false
            }
        }
        return false
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
