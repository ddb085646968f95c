import Configuration
import Cryptography
import DataStore
import Glibc
import Shared

/// The file with the key that peppers passwords, and the store whose passwords may need it.
///
/// Anyone who reads the file could attack a stolen database; without the file, no password opens an account.
struct KeyFile {
    private let path: String
    private let stores: any DataStoreFactory

    init(_ configuration: ServerConfiguration) {
        path = configuration.pepperFile
        stores = Installation.stores(configuration)
    }

    /// Returns the pepper; `nil` if there is no file.
    func found() throws -> Pepper? {
        guard let bytes = try Files.privateContents(of: path) else { return nil }
        guard let pepper = Pepper(key: bytes) else { throw Failure("\(path) is too short for a key.") }
        return pepper
    }

    /// Returns the pepper of an open store, which is created at the first start. Throws if the file's key is not the
    /// store's, or if the store has lost its key.
    func pepper() throws -> Pepper {
        let first = try found()
        let census = try census(first)
        if census.isOfAnotherKey, let fault = fault(census, first) {
            throw Failure(fault + "\n" + advice, status: .keysMissing)
        }
        if first == nil, try !isShared() { try make() }
        // Of servers that share the file and start at once, one has made it.
        guard let pepper = try first ?? found() else {
            throw Failure("\(path) is not there. " + foreignKey, status: .keysMissing)
        }
        try admit(pepper)
        return pepper
    }

    /// Throws if the store's other servers have a different key.
    private func admit(_ pepper: Pepper) throws {
        do {
            guard try !stores.admit(keyCheck: pepper.checkValue) else { return }
        } catch let error as StoreError {
            throw Failure("\(stores.place): \(error.explanation)")
        }
        throw Failure("\(path) is another key. " + foreignKey, status: .keysMissing)
    }

    private func isShared() throws -> Bool {
        do {
            return try stores.hasKeyCheck()
        } catch let error as StoreError {
            throw Failure("\(stores.place): \(error.explanation)")
        }
    }

    private var foreignKey: String {
        """
        All servers of \(stores.place) need the same key file: copy it from a server that has it. If it is lost, \
        gradecast account forget-passwords lets the next server bring another.
        """
    }

    /// Returns the fault of the key, in words for an operator; `nil` if every password can be compared.
    func fault() throws -> String? {
        let found = try found()
        return fault(try census(found), found)
    }

    /// What an operator can do about it.
    var advice: String {
        """
        Put back the key file that belongs to the database: it is kept beside the data, never in it, and in no backup. \
        If it is lost, gradecast account forget-passwords takes those passwords away, and new ones can be set.
        """
    }

    private func census(_ pepper: Pepper?) throws -> PasswordCensus {
        do {
            return try stores.passwords(pepper: pepper)
        } catch let error as StoreError {
            throw Failure("\(stores.place): \(error.explanation)")
        }
    }

    private func fault(_ census: PasswordCensus, _ pepper: Pepper?) -> String? {
        guard census.foreign > 0 else { return nil }
        let passwords = census.peppered == 1 ? "the password" : "\(census.foreign) of \(census.peppered) passwords"
        return pepper == nil
            ? "\(path) is not there, and \(passwords) in \(stores.place) cannot be compared without it."
            : "\(path) is another key than the one with which \(passwords) in \(stores.place) can be compared."
    }

    /// Makes a key, unless another server that shares the file is first.
    private func make() throws {
        if let slash = path.lastIndex(of: "/") { try Files.makeFolder(String(path[..<slash])) }
        try Files.createPrivately(RandomSource.system.bytes(32), at: path)
    }
}
