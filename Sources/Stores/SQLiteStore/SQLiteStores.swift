public import Cryptography
public import DataStore
private import Glibc

/// The location of a store in a SQLite file. Opens the store, and performs operations on a store that is not open.
public struct SQLiteStores: DataStoreFactory {
    private let path: String
    let options: SQLiteStoreOptions

    /// Creates the location of the file at `path`, whether it exists yet or not.
    public init(path: String, options: SQLiteStoreOptions = SQLiteStoreOptions()) {
        self.path = path
        self.options = options
    }

    /// The path of the file.
    public var place: String { path }

    /// Whether the file exists.
    public var exists: Bool { DatabaseFile.exists(path) }

    /// Whether another program is serving the store now.
    public var isServed: Bool { SQLiteStore.isServed(path) }

    /// Opens the store.
    public func open(
        mayBeGuest: Bool, observer: @escaping Commit.Observer, gathering: @escaping Commit.Gathering
    ) throws -> DataStore {
        let store = try SQLiteStore.open(
            path: path, options: options, mayBeGuest: mayBeGuest, observer: observer, gathering: gathering)
        return DataStore(store, copies: store)
    }

    /// Makes the file, or brings its schema up to date.
    public func migrate() throws -> [String] { try SQLiteStore.migrate(path, options: options) }

    /// Checks that the file's schema is none that this program does not know.
    public func check() throws { if exists { try SQLiteStore.check(path) } }

    /// Copies the store into one file.
    public func backUp(to destination: String, replaces: Bool, progress: @escaping CopyProgress) throws {
        try SQLiteStore.backUp(path, to: destination, replaces: replaces, progress: progress)
        if destination != Self.markOfBackup(of: path) { markBackup() }
    }

    /// The file that changes whenever a backup of the store at `path` into a file is complete.
    public static func markOfBackup(of path: String) -> String { path + ".last-backup" }

    /// A backup is good without its mark, as when the caller may only read the folder of the store.
    private func markBackup() {
        let mark = Self.markOfBackup(of: path)
        // The file is replaced, because another user who took a backup may own it.
        unlink(mark)
        let descriptor = Glibc.open(mark, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// Replaces the store with a backup.
    public func restore(from backup: String, progress: @escaping CopyProgress) throws {
        try SQLiteStore.restore(from: backup, to: path, progress: progress)
    }

    /// Examines the file, and every audit trail.
    public func examine() throws -> Diagnosis { try SQLiteStore.examine(path) }

    /// Counts the stored passwords that need a pepper, and those that need a different one than the given one.
    public func passwords(pepper: Pepper?) throws -> PasswordCensus {
        try SQLiteStore.passwords(in: path, pepper: pepper)
    }

    /// Returns an institution by its identifier or a short name that it has or had.
    public func institution(named name: String) throws -> StoredInstitution? {
        exists ? try SQLiteStore.institution(named: name, in: path) : nil
    }

    /// Returns the census of scheme executables.
    public func builds() throws -> (any BuildCensus)? { try SQLiteStore.builds(in: path) }
    /// The census of entries that stand for rows of classes.
    public func links() throws -> any LinkCensus { try SQLiteStore.links(in: path) }
}
