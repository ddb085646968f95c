public import GradingKit
public import Shared

/// The rules by which one record is read, changed and written: its program's version, and the language of the
/// institution, in which stored messages are worded.
///
/// Pure: a store calls it inside its transaction.
public struct RecordRules: Sendable {
    /// The rules of the program's version.
    public let rules: Rulebook
    /// The program's version.
    public let programVersion: Version
    /// The institution's language.
    public let language: Language
    /// Makes identifiers of new entries.
    public let newID: @Sendable () -> EntryID
    /// Spares reading a record again that was read or written a moment ago.
    private let memory: RecordTreeCache?

    /// The rules of one version of a program.
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

    /// Reads what staff see of a record that is judged by these rules.
    func fullTree(of snapshot: RecordSnapshot) throws -> RecordTree {
        let (id, text) = (snapshot.head.id, snapshot.full.tree)
        if let known = memory?.tree(of: id, in: text, under: programVersion) { return known }
        return try tree(text)
    }

    /// Remembers what the text that was written of a tree reads as.
    func remember(_ tree: RecordTree, writtenAs content: RecordContent, of head: RecordHead) {
        memory?.keep(tree, of: head.id, in: content.tree, under: programVersion)
    }

    /// Reads a stored `record` object.
    ///
    /// Throws `RecordUnreadable` when it does not fit the rules' shape, as after a plugin was exchanged for another.
    func tree(_ bytes: [UInt8]) throws -> RecordTree {
        do {
            return try rules.storedRecord(bytes)
        } catch {
            throw RecordUnreadable(reason: "\(error)")
        }
    }

    /// The two documents of a tree, as one view shows it, and the tree that remembers how it was written.
    ///
    /// - Parameter former: the view's documents before the change, which are hardly longer or shorter.
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

/// A stored record does not fit the rules that are to judge it.
public struct RecordUnreadable: Error, Sendable {
    /// What did not fit.
    public let reason: String
}

extension RecordContent {
    /// The body of `GET /v1/records/{id}`.
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
