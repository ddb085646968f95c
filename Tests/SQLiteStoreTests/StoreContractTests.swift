import DataStore
import Database
import Records
import RelationalStore
import SQLite
import SQLiteStore
import Shared
import StoreContract
import TestKit
import Testing

@Suite struct `The SQLite store` {
    @Test(arguments: StoreLaw.all)
    func `keeps every law of the contract`(law: StoreLaw) async throws {
        let place = try SQLitePlace.new()
        do {
            try await law.check(place)
        } catch {
            Issue.record(error, "\(law)")
        }
        await place.close()
    }
}

/// A SQLite store in a temporary directory.
struct SQLitePlace: StoreUnderTest {
    let directory: TemporaryDirectory
    let sqlite: SQLiteStore
    let recorder: Recorder<Commit>

    var data: DataStore { DataStore(sqlite, copies: sqlite) }
    var factory: any DataStoreFactory { SQLiteStores(path: sqlite.path) }
    var commits: [Commit] { recorder.items }

    /// A file with the tables of this program and nothing in them, of which each place gets a copy: to make them step by
    /// step takes longer than most laws.
    private static let empty = Result { () throws -> [UInt8] in
        let directory = try TemporaryDirectory()
        let path = directory.file("store.db")
        do {
            let connection = try SQLiteConnection(path: path, access: .create)
            try connection.execute("PRAGMA page_size = \(SQLiteStoreOptions().pageSize)")
            try Migrator().bringUpToDate(Connection(connection))
        }
        return try bytes(of: path)
    }

    static func new(_ options: SQLiteStoreOptions = .init()) throws -> SQLitePlace {
        let directory = try TemporaryDirectory()
        try write(empty.get(), to: directory.file("store.db"))
        return try open(directory, options)
    }

    private static func open(
        _ directory: TemporaryDirectory, _ options: SQLiteStoreOptions = .init()
    ) throws -> SQLitePlace {
        let recorder = Recorder<Commit>()
        let store = try SQLiteStore.open(
            path: directory.file("store.db"), options: options, observer: { recorder.record($0) })
        return SQLitePlace(directory: directory, sqlite: store, recorder: recorder)
    }

    func raiseAccess(of subject: AccessSubject) async throws {
        try await sqlite.write { try $0.raiseAccess(of: subject) }
    }

    func failToRaiseAccess(of subject: AccessSubject) async throws {
        try await sqlite.failToRaiseAccess(of: subject)
    }

    func inOneBatch(_ changes: [@Sendable (any RecordStore) async throws -> Void]) async -> [(any Error)?] {
        await sqlite.inOneBatch(changes)
    }

    func reopened() async throws -> any StoreUnderTest {
        await sqlite.close()
        return try Self.open(directory)
    }

    func afterCrash() async throws -> any StoreUnderTest {
        let copy = try TemporaryDirectory()
        // The writer stands still meanwhile, so the two files are of one moment, as a kill leaves them.
        try await sqlite.write { _ in
            for suffix in ["-wal", ""] {
                try copyFile(directory.file("store.db\(suffix)"), to: copy.file("store.db\(suffix)"))
            }
        }
        return try Self.open(copy)
    }

    func restored() async throws -> any StoreUnderTest {
        let copy = try TemporaryDirectory()
        try factory.backUp(to: copy.file("backup.db"), replaces: false) { _, _ in }
        try SQLiteStores(path: copy.file("store.db")).restore(from: copy.file("backup.db")) { _, _ in }
        return try Self.open(copy)
    }

    func otherPlace(_ name: String) -> any DataStoreFactory { SQLiteStores(path: directory.file("\(name).db")) }

    func backupPlace(_ name: String) -> String { directory.file("\(name).backup") }

    func small() async throws -> any StoreUnderTest {
        var options = SQLiteStoreOptions()
        options.maximumPages = 300
        return try Self.new(options)
    }

    func faults() async throws -> [String] {
        let diagnosis = try factory.examine()
        return diagnosis.fileFaults + diagnosis.trailFaults.prefix(5).map { "\($0)" } + diagnosis.indexFaults
    }

    func close() async { await sqlite.close() }
}
