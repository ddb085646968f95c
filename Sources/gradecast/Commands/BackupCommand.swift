import Configuration
import DataStore
import GradingKit
import Glibc
import Shared

/// Copies the database while the server keeps running: into a file, or into the folder of the nightly copies.
struct BackupCommand: Command {
    static let name = "backup"
    static let summary = "copy the database, while the server goes on"
    static let usage = """
        gradecast backup FILE [--replace] [--config FILE] [--data DIR]
        gradecast backup [--config FILE] [--data DIR]

        A file that is there already is left alone, unless --replace says that the copy may take its place once it is
        complete.

        Without FILE, the copy goes into the folder `backup.folder` of the configuration, with the time in its name. It is
        examined, and then the oldest copies are deleted, so that `backup.keep` are left. A copy with a fault is kept as
        *.faulty, ends with exit status 1, and has no older copy deleted.

        \(ServerConfiguration.optionsUsage)
        """

    static func run(_ arguments: inout Arguments, until stop: StopSignal) async throws {
        let file = arguments.word()
        let replaces = arguments.flag("--replace")
        let configuration = try ServerConfiguration.load(&arguments)
        try arguments.finish()
        if let file {
            try copy(configuration, to: file, replaces: replaces)
            Console.say("Copied \(Installation.stores(configuration).place) to \(file).")
        } else if let folder = configuration.backupFolder {
            try BackupFolder(path: folder, kept: configuration.keptBackups).add(copyOf: configuration)
        } else {
            throw UsageError("backup needs a file to write, or backup.folder in the configuration.", of: name)
        }
    }

    fileprivate static func copy(_ configuration: ServerConfiguration, to file: String, replaces: Bool) throws {
        let stores = Installation.stores(configuration)
        do {
            try stores.backUp(to: file, replaces: replaces) { done, total in
                Console.progress("backup", done, of: total)
            }
        } catch let error as StoreError {
            throw Failure("Copying \(stores.place) to \(file) failed: \(error.explanation)")
        }
    }
}

/// The folder that holds the newest copies of a database.
private struct BackupFolder {
    let path: String
    let kept: Int

    private static let (prefix, suffix) = ("gradecast-", "Z.db")
    /// The end of the name of a copy that is not examined yet.
    private static let unexamined = ".new"

    /// Adds a copy, if it is sound, and deletes the oldest beyond those that are kept.
    func add(copyOf configuration: ServerConfiguration) throws {
        try Files.makeFolder(path)
        let time = WallClock.system.now.description.prefix { $0 != "." }.filter { $0 != ":" }
        let name = Self.prefix + time + Self.suffix
        let (copy, draft) = ("\(path)/\(name)", "\(path)/\(name)\(Self.unexamined)")
        defer { unlink(draft) }
        try BackupCommand.copy(configuration, to: draft, replaces: true)
        var copied = configuration
        copied.database = draft
        let examined = try Examination(of: Installation.stores(copied))
        guard examined.faults.isEmpty else {
            for fault in examined.faults { Console.say("  " + fault) }
            let faulty = copy + ".faulty"
            guard rename(draft, faulty) == 0 else { throw Self.failure(faulty) }
            throw Failure(
                "\(faulty): the copy is faulty, and so may be the database. No older copy was deleted.")
        }
        guard rename(draft, copy) == 0 else { throw Self.failure(copy) }
        Console.say("\(copy): \(examined.diagnosis.records) records. Sound.")
        // A copy that was cut off, as by a power loss, is no use to anyone.
        let cutOff = copies(ending: Self.suffix + Self.unexamined).filter { $0 < draft }
        for old in copies(ending: Self.suffix).dropLast(kept) + cutOff {
            guard unlink(old) == 0 || errno == ENOENT else { throw Self.failure(old) }
        }
    }

    /// Returns the files of copies whose names end so, the oldest first: the names sort by time.
    private func copies(ending end: String) -> [String] {
        // In a pattern, some characters of a folder's name would mean others.
        let folder = path.map { "*?[\\".contains($0) ? "\\\($0)" : String($0) }.joined()
        var found = glob_t()
        defer { globfree(&found) }
        guard glob("\(folder)/\(Self.prefix)*\(end)", 0, nil, &found) == 0 else { return [] }
        // There are so many, each a NUL-terminated path that lives until `globfree`.
        return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }
    }

    private static func failure(_ file: String) -> Failure { Failure("\(file): \(String(cString: strerror(errno)))") }
}
