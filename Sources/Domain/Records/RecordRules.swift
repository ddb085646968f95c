public import GradingKit
public import Shared

/// The rules that read, change and write one record: those of its program's version, with the institution's language
/// for stored messages.
///
/// Pure: a store calls it inside its transaction.
public struct RecordRules: Sendable {
    /// The rules of the program's version.
    public let rules: Rulebook
    /// The version of the program.
    public let programVersion: Version
    /// The institution's language.
    public let language: Language
    /// Creates the identifier of a new entry.
    public let newID: @Sendable () -> EntryID
    /// The cache of trees that were read or written recently.
    private let memory: RecordTreeCache?

    /// Creates the rules of one version of a program.
    public init(
        rules: Rulebook, programVersion: Version, language: Language, memory: RecordTreeCache? = nil,
        newID: @escaping @Sendable () -> EntryID
    ) {
        self.rules = rules
        self.programVersion = programVersion
        self.language = language
        self.memory = memory
        self.newID = newID
    }

    /// Reads the full view of a record that these rules judge.
    func fullTree(of snapshot: RecordSnapshot) throws -> RecordTree {
        let (id, text) = (snapshot.head.id, snapshot.full.tree)
        if let known = memory?.tree(of: id, in: text, under: programVersion) { return known }
        return try tree(text)
    }

    /// Caches a tree under the text that it was written as.
    func remember(_ tree: RecordTree, writtenAs content: RecordContent, of head: RecordHead) {
        memory?.keep(tree, of: head.id, in: content.tree, under: programVersion)
    }

    /// Reads a stored `record` object.
    ///
    /// - Throws: `RecordUnreadable` if it does not fit the rules' shape, for example after a plugin was replaced.
    func tree(_ bytes: [UInt8]) throws -> RecordTree {
        do {
            return try rules.storedRecord(bytes)
        } catch {
            throw RecordUnreadable(reason: "\(error)")
        }
    }

    /// Writes the two documents of a tree as one view shows it; also returns the tree, which keeps the bytes it was
    /// written as.
    ///
    /// - Parameter former: The view's documents before the change, whose size predicts that of the new ones.
    func content(
        of tree: RecordTree, _ standing: Standing, head: RecordHead, after former: RecordContent? = nil
    ) -> (content: RecordContent, tree: RecordTree) {
        let (text, written) = tree.stored(as: head.id.text, of: head.program.text)
        let subject = StandingSubject(
            record: head.id.text, program: head.program.text, programVersion: programVersion)
        let size = former.map { $0.standing.count + 256 }
        return (
            RecordContent(tree: text, standing: standing.json(of: subject, in: language, expecting: size)), written
        )
    }
}

/// The error if a stored record does not fit the rules that should judge it.
public struct RecordUnreadable: Error, Sendable {
    /// What does not fit.
    public let reason: String
}

extension RecordContent {
    /// Returns the document of a record as its readers get it.
    public func document(version: Version) -> [UInt8] {
        var writer = JSONWriter(capacity: tree.count + standing.count + 64)
        writer.object { write(version: version, to: &$0) }
        return writer.bytes
    }

    private func write(version: Version, to writer: inout JSONWriter) {
        writer.name("record")
        writer.raw(tree)
        writer.member("version", version)
        writer.name("standing")
        writer.raw(standing)
    }
}
