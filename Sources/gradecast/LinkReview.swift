import Classes
import DataStore
import Gradebook
import GradingKit
import Records
import Shared

/// Recomputes each row of a class, and compares it with its entry in a record.
struct LinkReview {
    private struct Place: Hashable {
        let program: ProgramID
        let version: Version
    }

    private struct BookPlace: Hashable {
        let taught: ClassID
        let structure: Int
        let rules: Place
    }

    /// The entries that differ from their rows, each in words for an operator.
    private(set) var findings: [String] = []
    private let census: any LinkCensus
    private let schemes: [String: InstalledScheme]
    private var rules: [Place: RecordRules?] = [:]
    private var books: [BookPlace: ClassBook?] = [:]
    private var newest: [ProgramID: Rulebook?] = [:]

    /// Reviews every record of a store, except those that no scheme in `schemes` judges.
    ///
    /// - Throws: ``Failure`` if the store cannot be read.
    init(of schemes: [InstalledScheme], over stores: any DataStoreFactory) throws {
        self.schemes = Dictionary(
            schemes.map { ($0.identifier.text, $0) }, uniquingKeysWith: { first, _ in first })
        do {
            census = try stores.links()
            try census.forEachLinked { try review($0) }
        } catch let error as StoreError {
            throw Failure("\(stores.place): \(error.explanation)")
        }
    }

    private mutating func review(_ linked: LinkedRecord) throws {
        let head = linked.snapshot.head
        let place = Place(program: head.program, version: head.programVersion)
        guard let judging = try rules(at: place) else { return }
        for (entry, row) in linked.rows.sorted(by: { $0.key < $1.key }) {
            guard let book = try book(of: row.snapshot, judging, place) else { continue }
            // An entry whose row the rules now refuse keeps its values.
            guard let isRight = try? linked.says(row, at: entry, under: judging, by: book), !isRight else { continue }
            findings.append(
                "record \(head.id), entry \(entry): it does not say what row \(row.enrolled.enrolment.id) of class "
                    + "\(row.snapshot.head.id) comes to")
        }
    }

    private mutating func rules(at place: Place) throws -> RecordRules? {
        if let known = rules[place] { return known }
        let found = try rules(of: place.program, version: place.version)
        rules[place] = .some(found)
        return found
    }

    private func rules(of program: ProgramID, version: Version?) throws -> RecordRules? {
        guard let stored = try census.version(version, of: program), let scheme = schemes[stored.scheme],
            let configuration = try? JSON.parse(stored.configuration),
            let rulebook = try? scheme.rulebook(configuration: configuration)
        else { return nil }
        return RecordRules(
            rules: rulebook, programVersion: stored.version, language: .english, newID: { EntryID("new") })
    }

    private mutating func book(
        of snapshot: ClassSnapshot, _ judging: RecordRules, _ place: Place
    ) throws -> ClassBook? {
        let key = BookPlace(taught: snapshot.head.id, structure: snapshot.structure.number, rules: place)
        if let known = books[key] { return known }
        if newest[place.program] == nil {
            newest[place.program] = .some(try rules(of: place.program, version: nil)?.rules)
        }
        let made = try? ClassBook(
            snapshot.structure, under: judging, renamedBy: newest[place.program] ?? nil)
        books[key] = .some(made)
        return made
    }
}
