public import GradingKit
public import Shared

/// A change that a request makes to a record.
public struct RecordEdit: Sendable {
    /// The form of the answer.
    public enum Answer: Sendable {
        /// The new entry, the version and the standing.
        case added
        /// The changed entry, the version and the standing.
        case patched(EntryID)
        /// The version and the standing.
        case deleted
        /// The version, the standing and the identifiers of the entries that the request gave a reference.
        case listed
        /// The whole record.
        case whole
        /// Nothing, for a change without a waiting request.
        case none
    }

    /// Returns the steps for a record's tree.
    let steps: @Sendable (RecordTree) throws -> [RecordChange]
    /// The path of the list of steps in the request; `nil` if the request itself is the only step.
    let path: String?
    /// The form of the answer.
    public let answer: Answer
    /// The reason that the history gives.
    let reason: String?
    /// The name of the operation in the history, if it is not that of the step.
    let operation: String?
    /// Whether a step gives a figure or an outcome, or takes one back.
    public let gives: Bool

    /// Creates an edit from the steps of a request.
    public init(
        _ changes: [RecordChange], at path: String? = nil, answer: Answer, operation: String? = nil,
        reason: String? = nil
    ) {
        self.init(
            at: path, answer: answer, operation: operation, reason: reason, gives: changes.contains(where: \.gives)
        ) { _ in changes }
    }

    /// Creates an edit whose steps depend on the record as the caller sees it.
    init(
        at path: String?, answer: Answer, operation: String? = nil, reason: String? = nil, gives: Bool = false,
        steps: @escaping @Sendable (RecordTree) throws -> [RecordChange]
    ) {
        self.steps = steps
        self.path = path
        self.answer = answer
        self.operation = operation
        self.reason = reason
        self.gives = gives
    }

    /// Deletes the top-level entry at a position, counted from 1 among the entries the caller sees.
    public static func deletion(atPosition position: String) -> RecordEdit {
        RecordEdit(at: nil, answer: .deleted) { tree in
            guard let number = Int(position), let entry = tree.entry(atPosition: number) else {
                throw EntryNotFound(entry: position)
            }
            return [.delete(entry.id)]
        }
    }
}

extension RecordEdit {
    /// Whether the edit is an undo. It restores what its author removed, visible or not, and so needs the full tree.
    fileprivate var isUndo: Bool { operation == "undo" }
}

extension RecordRules {
    /// Applies an edit to a record: validates it, computes both views, and describes the change for the history.
    ///
    /// - Parameters:
    ///   - view: The caller's view. Entries it does not show cannot be addressed, and only the full view may hide
    ///     entries.
    ///   - author: The member of staff to note in what is entered; `nil` for a student, or in a record of one's own.
    ///   - giving: The member of staff to note beside figures and outcomes that the edit gives; `nil` if it may give
    ///     none.
    /// - Throws: `FaultList`, `EntryNotFound`, `RecordUnreadable`, or `StoreError.moved` if another version judges the
    ///   record by now.
    public func amendment(
        of snapshot: RecordSnapshot, by edit: RecordEdit, view: RecordView, author: AccountID? = nil,
        giving: GivingAuthor? = nil
    ) throws -> Amendment {
        guard snapshot.head.programVersion == programVersion else { throw StoreError.moved }
        let before = try fullTree(of: snapshot)
        let visible = view == .full || snapshot.released == nil ? before : before.released
        let steps = try edit.steps(edit.isUndo ? before : visible)
        if !edit.isUndo { try Self.require(steps, toAddressOnly: visible) }
        let writer = view == .full ? RecordWriter.staff(author: author?.text, giving: giving) : .student
        let change = try rules.validate(steps, of: before, at: edit.path, by: writer, newID: newID)
        return try amendment(from: before, to: change, in: snapshot, by: edit, view: view)
    }

    func amendment(
        from before: RecordTree, to change: ValidatedChange, in snapshot: RecordSnapshot, by edit: RecordEdit,
        view: RecordView
    ) throws -> Amendment {
        let judged = try EvaluatedRecord(change.tree, head: snapshot.head, by: self, after: snapshot)
        remember(judged.tree, writtenAs: judged.full, of: snapshot.head)
        // The reasons of what is given are for staff.
        let given = change.reasons.count == 1 ? change.reasons.first : nil
        let story = ChangeStory(change.effects, operation: edit.operation, reason: edit.reason ?? given)
        let releasedStory = ChangeStory(change.effects, operation: edit.operation, reason: edit.reason)
        let isPartlyHidden = snapshot.released != nil || judged.released != nil
        let answer = EditAnswer(
            form: edit.answer, tree: view == .full ? change.tree : judged.releasedTree,
            content: view == .full ? judged.full : judged.released ?? judged.full,
            added: change.effects.first?.entry.map { change.tree.entryAndWithin($0) } ?? [],
            references: change.references)
        return Amendment(
            programVersion: programVersion, executable: rules.executable, full: judged.full,
            released: judged.released,
            change: story.description(from: before, to: change.tree, figures: judged.figures),
            releasedChange: isPartlyHidden
                ? releasedStory.description(
                    from: before.released, to: judged.releasedTree, figures: judged.releasedFigures)
                : nil,
            answer: { answer.rendered(version: $0.version) })
    }

    /// Checks that the steps address only entries of the tree, so that a hidden entry gives the same error as a missing
    /// one.
    private static func require(_ steps: [RecordChange], toAddressOnly tree: RecordTree) throws {
        var names: Set<String> = []
        for step in steps {
            var addressed: String?
            switch step {
            case .add(_, let parent, let ref):
                addressed = parent
                if let ref { names.insert(ref) }
            case .patch(let id, _), .delete(let id): addressed = id.text
            case .record, .takeEarlier, .restore, .revert, .revertFields: break
            }
            if let addressed, !names.contains(addressed), tree.entry(EntryID(addressed)) == nil {
                throw EntryNotFound(entry: addressed)
            }
        }
    }

    /// Creates a record with the given tree.
    ///
    /// - Parameter author: The member of staff who entered its content; `nil` if the student did.
    public func creation(_ tree: RecordTree, head: RecordHead, author: AccountID? = nil) throws -> Amendment {
        let tree = author.map { tree.entered(by: $0.text) } ?? tree
        let judged = try EvaluatedRecord(tree, head: head, by: self)
        let story = ChangeStory([], operation: "create", reason: nil)
        let answer = EditAnswer(
            form: .whole, tree: tree, content: judged.full, added: [], references: [:], kind: .created, record: head.id)
        return Amendment(
            programVersion: programVersion, executable: rules.executable, full: judged.full,
            released: judged.released,
            change: story.description(from: tree, to: tree, figures: judged.figures), releasedChange: nil,
            answer: { answer.rendered(version: $0.version) })
    }

    /// Returns what some changes make of a tree that one view shows; stores nothing.
    ///
    /// - Throws: `FaultList`, `EntryNotFound`.
    public func preview(of tree: RecordTree, by changes: [RecordChange], view: RecordView) throws -> RecordTree {
        try rules.validate(changes, of: tree, at: "/changes", by: .preview(isStaff: view == .full), newID: newID).tree
    }

    /// Returns the tree that one view shows. Entries stand in it for rows of classes.
    ///
    /// - Throws: `RecordUnreadable`; `StoreError.moved` if another version judges the record.
    public func visibleTree(of snapshot: RecordSnapshot, view: RecordView) throws -> RecordTree {
        guard snapshot.head.programVersion == programVersion else { throw StoreError.moved }
        return view == .full || snapshot.released == nil
            ? try fullTree(of: snapshot) : try tree(snapshot.content(view).tree)
    }

    /// Returns the standing of a tree, with explanations of figures, as a JSON document.
    public func standing(
        of tree: RecordTree, head: RecordHead, explaining selection: TraceSelection = .none
    ) throws -> [UInt8] {
        let subject = StandingSubject(
            record: head.id.text, program: head.program.text, programVersion: programVersion)
        return try rules.standing(of: tree, explaining: selection).json(of: subject, in: language)
    }
}

/// A tree with the contents of both views, as the rules compute them.
struct EvaluatedRecord {
    /// The tree, which keeps the bytes it was written as.
    let tree: RecordTree
    let full: RecordContent
    let figures: [UInt8]
    let releasedTree: RecordTree
    /// The released view; `nil` while nothing is hidden.
    let released: RecordContent?
    let releasedFigures: [UInt8]

    init(_ tree: RecordTree, head: RecordHead, by recordRules: RecordRules, after former: RecordSnapshot? = nil) throws
    {
        let standing = try recordRules.rules.standing(of: tree)
        (full, self.tree) = recordRules.content(of: tree, standing, head: head, after: former?.full)
        figures = standing.figureTexts
        guard tree.hasHidden else {
            (releasedTree, released, releasedFigures) = (tree, nil, figures)
            return
        }
        releasedTree = tree.released
        let seen = try recordRules.rules.standing(of: releasedTree)
        released = recordRules.content(of: releasedTree, seen, head: head, after: former?.content(.released)).content
        releasedFigures = seen.figureTexts
    }
}
