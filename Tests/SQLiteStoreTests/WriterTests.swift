import DataStore
import Deadlines
import Glibc
import Database
@testable import RelationalStore
@testable import SQLiteStore
import SQLite
import Shared
import TestKit
import Testing

@Suite struct `The writer` {
    struct Refusal: Error, Equatable {
        let number: Int
    }

    let directory: TemporaryDirectory
    let commits = Recorder<Commit>()

    init() throws { directory = try TemporaryDirectory() }

    private func open(_ options: SQLiteStoreOptions = .init()) async throws -> SQLiteStore {
        let store = try SQLiteStore.open(
            path: directory.file("a.db"), options: options, observer: commits.record)
        try await store.write { try $0.connection.execute("CREATE TABLE IF NOT EXISTS t (n INTEGER UNIQUE, b BLOB)") }
        return store
    }

    private func numbers(in store: SQLiteStore) async throws -> [Int] {
        try await store.read { try $0.all("SELECT n FROM t ORDER BY n") { $0.integer(0) } }
    }

    @Test func `makes each of many changes at once, and what is refused fails alone`() async throws {
        let store = try await open()
        let refused = await withTaskGroup(of: Int?.self) { group in
            for number in 0..<500 {
                group.addTask {
                    do {
                        try await store.write { transaction in
                            try transaction.connection.run("INSERT INTO t (n) VALUES (?)", .integer(number))
                            transaction.post(.recordsChanged(AccountID("\(number)")))
                            if number % 7 == 0 { throw Refusal(number: number) }
                        }
                        return nil
                    } catch {
                        #expect(error as? Refusal == Refusal(number: number))
                        return number
                    }
                }
            }
            return await group.reduce(into: [Int]()) { if let number = $1 { $0.append(number) } }
        }
        #expect(refused.sorted() == Array(stride(from: 0, to: 500, by: 7)))
        let kept = Array((0..<500).filter { $0 % 7 != 0 })
        #expect(try await numbers(in: store) == kept)
        let told = commits.items.flatMap(\.events)
        #expect(Set(told) == Set(kept.map { .recordsChanged(AccountID("\($0)")) }))
        #expect(told.count == kept.count)
        await store.close()
    }

    @Test func `does not begin a change whose caller has stopped waiting, and makes the others`() async throws {
        let store = try await open()
        let gate = Gate()
        try await withThrowingTaskGroup { group in
            group.addTask { try await store.write { _ in gate.pass() } }
            await gate.waitUntilReached()
            for number in 0..<20 {
                let deadline = Deadline(number % 2 == 0 ? .zero : .seconds(3_600))
                group.addTask {
                    try await Deadline.$current.withValue(deadline) {
                        do {
                            try await store.write {
                                try $0.connection.run("INSERT INTO t (n) VALUES (?)", .integer(number))
                            }
                            #expect(number % 2 == 1)
                        } catch is DeadlinePassed {
                            #expect(number % 2 == 0)
                        }
                    }
                }
            }
            while store.waitingWrites < 20 { await Task.yield() }
            gate.open()
            try await group.waitForAll()
        }
        #expect(try await numbers(in: store) == Array(stride(from: 1, to: 20, by: 2)))
        await store.close()
    }

    @Test func `tells the observer after the change is durable`() async throws {
        let path = directory.file("a.db")
        let seen = Recorder<Int>()
        let store = try SQLiteStore.open(path: path) { commit in
            let count = try? Connection(path: path, access: .read).first("SELECT count(*) FROM t") { $0.integer(0) }
            seen.record(count ?? -1)
        }
        try await store.write { try $0.connection.execute("CREATE TABLE t (n INTEGER)") }
        try await store.write { transaction in
            try transaction.connection.run("INSERT INTO t VALUES (1)")
            transaction.post(.accountsChanged)
        }
        #expect(seen.items == [1])
        await store.close()
    }

    @Test func `lets callers go on only after the observer was told`() async throws {
        let gate = Gate()
        let ends = Recorder<String>()
        let store = try SQLiteStore.open(path: directory.file("a.db")) { _ in gate.pass() }
        let caller = Task {
            try await store.write { $0.post(.accountsChanged) }
            ends.record("made")
        }
        await gate.waitUntilReached()
        for _ in 1...100 { try await store.read { _ in } }
        #expect(ends.items == [])
        gate.open()
        try await caller.value
        #expect(ends.items == ["made"])
        await store.close()
    }

    @Test func `names the column that is taken`() async throws {
        let store = try await open()
        try await store.write { try $0.connection.run("INSERT INTO t (n) VALUES (1)") }
        await #expect(throws: StoreError.taken(field: "n")) {
            try await store.write { try $0.connection.run("INSERT INTO t (n) VALUES (1)") }
        }
        await store.close()
    }

    @Test func `tells of a change of access with the commit, not before and not for what is refused`() async throws {
        let store = try await open()
        let (subject, news) = (AccessSubject.program(ProgramID("p")), store.accessNews)
        let stamp = news.stamp(of: subject, at: news.moment)
        let inside = try await store.write { transaction in
            try transaction.raiseAccess(of: subject)
            return (try transaction.accessVersion(of: subject), news.isCurrent(stamp))
        }
        #expect(inside == (1, true))
        #expect(!news.isCurrent(stamp))
        let later = news.stamp(of: subject, at: news.moment)
        await #expect(throws: Refusal.self) {
            try await store.write { transaction in
                try transaction.raiseAccess(of: subject)
                throw Refusal(number: 0)
            }
        }
        #expect(news.isCurrent(later))
        #expect(try await store.write { try $0.accessVersion(of: subject) } == 1)
        await store.close()
        let again = try await open()
        #expect(try await again.write { try $0.accessVersion(of: subject) } == 1)
        #expect(again.epoch == store.epoch)
        await again.close()
    }

    @Test func `without room fails with full, loses nothing, and goes on when there is room`() async throws {
        var options = SQLiteStoreOptions()
        options.maximumPages = 200
        let store = try await open(options)
        try await store.write { try $0.connection.run("INSERT INTO t (n) VALUES (1)") }
        await #expect(throws: StoreError.full) {
            try await store.write { transaction in
                try transaction.raiseAccess(of: .program(ProgramID("p")))
                transaction.post(.accountsChanged)
                try transaction.connection.run("INSERT INTO t (n, b) VALUES (2, zeroblob(2000000))")
            }
        }
        #expect(!store.isWritable)
        #expect(store.accessNews.moment == 0)
        #expect(commits.items.isEmpty)
        #expect(try await numbers(in: store) == [1])
        // A change that wrote nothing says nothing of the room.
        try await store.write { try $0.connection.run("UPDATE t SET n = 9 WHERE n = 8") }
        #expect(!store.isWritable)
        #expect(await store.checkWritable())
        try await store.write { try $0.connection.run("INSERT INTO t (n) VALUES (3)") }
        #expect(try await numbers(in: store) == [1, 3])
        #expect(store.isWritable)
        await store.close()
    }

    @Test func `fails every change of a batch that does not fit`() async throws {
        var options = SQLiteStoreOptions()
        options.maximumPages = 200
        options.batchWork = .seconds(60)
        let store = try await open(options)
        let gate = Gate()
        // The first change holds the batch open until the others are queued behind it.
        let first = Task {
            try await store.write { transaction in
                try transaction.connection.run("INSERT INTO t (n) VALUES (1)")
                gate.pass()
            }
        }
        await gate.waitUntilReached()
        let second = Task {
            try await store.write { transaction in
                try transaction.connection.run("INSERT INTO t (n, b) VALUES (2, zeroblob(2000000))")
            }
        }
        while store.waitingWrites == 0 { await Task.yield() }
        gate.open()
        await #expect(throws: StoreError.full) { try await first.value }
        await #expect(throws: StoreError.full) { try await second.value }
        #expect(try await numbers(in: store) == [])
        await store.close()
    }

    @Test func `refuses what comes after closing`() async throws {
        let store = try await open()
        await store.close()
        await #expect(throws: StoreError.self) { try await store.write { _ in } }
        await #expect(throws: StoreError.self) { try await store.read { _ in } }
    }

    @Test func `refuses more changes than may wait, and makes those that do`() async throws {
        var options = SQLiteStoreOptions()
        options.waitingWrites = 2
        let store = try await open(options)
        let gate = Gate()
        var running = [Task { try await store.write { _ in gate.pass() } }]
        await gate.waitUntilReached()
        for number in 1...2 {
            running.append(
                Task {
                    try await store.write { try $0.connection.run("INSERT INTO t (n) VALUES (?)", .integer(number)) }
                })
            while store.waitingWrites < number { await Task.yield() }
        }
        await #expect(throws: StoreError.unavailable("too many changes wait, or closing")) {
            try await store.write { _ in }
        }
        gate.open()
        for task in running { try await task.value }
        #expect(try await numbers(in: store) == [1, 2])
        await store.close()
    }

    @Test func `finishes what waits when it is closed`() async throws {
        let store = try await open()
        let gate = Gate()
        let first = Task { try await store.write { _ in gate.pass() } }
        await gate.waitUntilReached()
        let second = Task { try await store.write { try $0.connection.run("INSERT INTO t (n) VALUES (1)") } }
        while store.waitingWrites == 0 { await Task.yield() }
        let closing = Task { await store.close() }
        gate.open()
        try await first.value
        try await second.value
        await closing.value
        let again = try await open()
        #expect(try await numbers(in: again) == [1])
        await again.close()
    }

    @Test func `stops for good when the disk fails, and reading goes on`() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let store = try SQLiteStore.open(path: directory.file("a.db"))
            try await store.write { try $0.connection.execute("CREATE TABLE t (n INTEGER, b BLOB)") }
            try await store.write { try $0.connection.run("INSERT INTO t VALUES (1, NULL)") }
            // A limit on the size of files makes the system refuse a write as a failing disk does.
            signal(SIGXFSZ, SIG_IGN)
            try limitFiles(to: 400_000)
            let failure = try await refusal(of: store, blob: 1_000_000)
            guard case .unavailable? = failure else { throw Refusal(number: 1) }
            try limitFiles(to: .max)
            guard case .unavailable? = try await refusal(of: store, blob: 1) else { throw Refusal(number: 2) }
            guard await !store.checkWritable() else { throw Refusal(number: 3) }
            let count = try await store.read { try $0.first("SELECT count(*) FROM t") { $0.integer(0) } }
            guard count == 1 else { throw Refusal(number: 4) }
            await store.close()
            let again = try SQLiteStore.open(path: directory.file("a.db"))
            guard try await refusal(of: again, blob: 1_000_000) == nil else { throw Refusal(number: 5) }
            await again.close()
        }
    }
}

/// Limits the size of the files this process may write, in bytes.
private func limitFiles(to size: UInt) throws {
    let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { throw WriterTestsFailure() }
    limit.rlim_cur = min(rlim_t(size), limit.rlim_max)
    guard setrlimit(resource, &limit) == 0 else { throw WriterTestsFailure() }
}

private struct WriterTestsFailure: Error {}

private func refusal(of store: SQLiteStore, blob size: Int) async throws -> StoreError? {
    do {
        try await store.write { try $0.connection.run("INSERT INTO t VALUES (2, zeroblob(?))", .integer(size)) }
        return nil
    } catch let error as StoreError {
        return error
    }
}
