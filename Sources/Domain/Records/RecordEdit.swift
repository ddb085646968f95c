public import GradingKit
public import Shared

/// What a request asks to be done to a record.
public struct RecordEdit: Sendable {
    /// How the answer looks once it is done.
    public enum Answer: Sendable {
        /// The new entry, with version and standing.
        case added
        /// The changed entry, with version and standing.
        case patched(EntryID)
        /// Version and standing.
        case deleted
        /// Version, standing and the identifiers of named entries.
        case listed
        /// The whole record.
        case whole
        /// Nothing, for changes that no request waits for.
        case none
    }

    /// The steps, once the record's truth is known.
    let steps: @Sendable (RecordTree) throws -> [RecordChange]
    /// Where the list of steps stands in the request; `nil` when the request is itself the one step.
    let path: String?
    /// How the answer looks.
    let answer: Answer
    /// Why, as the history tells it.
    let reason: String?
    /// What the history calls it, where that is not the step's own name.
    let operation: String?

    /// The steps of a request.
    public init(
        _ changes: [RecordChange], at path: String? = nil, answer: Answer, operation: String? = nil,
        reason: String? = nil
    ) {
        self.init(at: path, answer: answer, operation: operation, reason: reason) { _ in changes }
    }

    /// Steps that depend on the record as the caller sees it.
    init(
        at path: String?, answer: Answer, operation: String? = nil, reason: String? = nil,
        steps: @escaping @Sendable (RecordTree) throws -> [RecordChange]
    ) {
        self.steps = steps
        self.path = path
        self.answer = answer
        self.operation = operation
        self.reason = reason
    }

    /// Deletes the outermost entry at a position, counted from 1 among those that the caller sees.
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
    /// An undo puts back what its author had taken away, seen or not, and so works on the whole truth.
    fileprivate var isUndo: Bool { operation == "undo" }
}

extension RecordRules {
    /// Carries out an edit on a record's truth: validates it, computes both views, and says what the history tells.
    ///
    /// - Parameters:
    ///   - view: the caller's view. What it does not show cannot be addressed, and only the full one may hide.
    ///   - author: who of staff is noted with what is entered; `nil` for a student, or in a record of one's own.
    /// - Throws: `FaultList`, `EntryNotFound`, `RecordUnreadable`, or `StoreError.moved` when the record is judged by
    ///   another version by now.
    public func amendment(
        of snapshot: RecordSnapshot, by edit: RecordEdit, view: RecordView, author: AccountID? = nil
    ) throws -> Amendment {
        guard snapshot.head.programVersion == programVersion else { throw StoreError.moved }
        let before = try fullTree(of: snapshot)
        let visible = view == .full || snapshot.released == nil ? before : before.released
        let steps = try edit.steps(edit.isUndo ? before : visible)
        if !edit.isUndo { try Self.require(steps, toAddressOnly: visible) }
        let writer = view == .full ? RecordWriter.staff(author: author?.text) : .student
        let change = try rules.validate(steps, of: before, at: edit.path, by: writer, newID: newID)
        return try amendment(from: before, to: change, in: snapshot, by: edit, view: view)
    }

    func amendment(
        from before: RecordTree, to change: ValidatedChange, in snapshot: RecordSnapshot, by edit: RecordEdit,
        view: RecordView
    ) throws -> Amendment {
        let judged = try EvaluatedRecord(change.tree, head: snapshot.head, by: self, after: snapshot)
        remember(judged.tree, writtenAs: judged.full, of: snapshot.head)
        let story = ChangeStory(change.effects, operation: edit.operation, reason: edit.reason)
        let isPartlyHidden = snapshot.released != nil || judged.released != nil
        let answer = EditAnswer(
            form: edit.answer, tree: view == .full ? change.tree : judged.releasedTree,
            content: view == .full ? judged.full : judged.released ?? judged.full,
            added: change.effects.first?.entry, references: change.references)
        return Amendment(
            programVersion: programVersion, executable: rules.executable, full: judged.full,
            released: judged.released,
            change: story.description(from: before, to: change.tree, figures: judged.figures),
            releasedChange: isPartlyHidden
                ? story.description(from: before.released, to: judged.releasedTree, figures: judged.releasedFigures)
                : nil,
            answer: { answer.rendered(version: $0.version) })
    }

    /// What the caller does not see answers exactly as what does not exist.
    private static func require(_ steps: [RecordChange], toAddressOnly tree: RecordTree) throws {
        var names: Set<String> = []
        for step in steps {
            var addressed: String?
            switch step {
            case .add(_, let parent, let ref):
                addressed = parent
                if let ref { names.insert(ref) }
            case .patch(let id, _), .delete(let id): addressed = id.text
            case .fields, .restore, .revert, .revertFields: break
            }
            if let addressed, !names.contains(addressed), tree.entry(EntryID(addressed)) == nil {
                throw EntryNotFound(entry: addressed)
            }
        }
    }

    /// A new record with the given tree.
    ///
    /// - Parameter author: the member of staff who entered its content; `nil` where the student did.
    public func creation(_ tree: RecordTree, head: RecordHead, author: AccountID? = nil) throws -> Amendment {
        let tree = author.map { tree.entered(by: $0.text) } ?? tree
        let judged = try EvaluatedRecord(tree, head: head, by: self)
        let story = ChangeStory([], operation: "create", reason: nil)
        let answer = EditAnswer(
            form: .whole, tree: tree, content: judged.full, added: nil, references: [:], kind: .created)
        return Amendment(
            programVersion: programVersion, executable: rules.executable, full: judged.full,
            released: judged.released,
            change: story.description(from: tree, to: tree, figures: judged.figures), releasedChange: nil,
            answer: { answer.rendered(version: $0.version) })
    }

    /// The standing that an edit would give, as the caller sees it; nothing is stored.
    ///
    /// - Parameter parts: the rows of classes for which entries stand; without them those entries stay as they are.
    public func preview(
        of snapshot: RecordSnapshot, by changes: [RecordChange], view: RecordView,
        explaining selection: TraceSelection = .none, assembling parts: ClassParts = ClassParts()
    ) throws -> [UInt8] {
        let seen = try visibleTree(of: snapshot, view: view, assembling: parts)
        let change = try rules.validate(
            changes, of: seen, at: "/changes", by: .preview(isStaff: view == .full), newID: newID)
        return try standing(of: change.tree, head: snapshot.head, explaining: selection)
    }

    /// What the open grades of a record must be for a goal, as the caller sees it; nothing is stored.
    ///
    /// - Throws: `FaultList`, `EntryNotFound`, `RecordUnreadable`, or `StoreError.moved`.
    public func answer(
        to goal: Goal, about snapshot: RecordSnapshot, view: RecordView, assembling parts: ClassParts = ClassParts()
    ) throws -> [UInt8] {
        try rules.answer(to: goal, in: try visibleTree(of: snapshot, view: view, assembling: parts)).json(in: language)
    }

    /// The standing with explanations of figures.
    public func explanation(
        of snapshot: RecordSnapshot, view: RecordView, _ selection: TraceSelection,
        assembling parts: ClassParts = ClassParts()
    ) throws -> [UInt8] {
        try standing(
            of: try visibleTree(of: snapshot, view: view, assembling: parts), head: snapshot.head,
            explaining: selection)
    }

    /// The record as one view shows it.
    ///
    /// - Parameter parts: the rows of classes that are put in the place of the entries that stand for them.
    /// - Throws: `entry_limit` when the record would grow beyond ``ClassParts/greatestAssembly``.
    public func visibleTree(
        of snapshot: RecordSnapshot, view: RecordView, assembling parts: ClassParts = ClassParts()
    ) throws -> RecordTree {
        guard snapshot.head.programVersion == programVersion else { throw StoreError.moved }
        let seen =
            view == .full || snapshot.released == nil
            ? try fullTree(of: snapshot) : try tree(snapshot.content(view).tree)
        return parts.isEmpty ? seen : try parts.assembled(in: seen, view: view)
    }

    private func standing(
        of tree: RecordTree, head: RecordHead, explaining selection: TraceSelection
    ) throws -> [UInt8] {
        let subject = StandingSubject(
            record: head.id.text, program: head.program.text, programVersion: programVersion)
        return try rules.standing(of: tree, explaining: selection).json(of: subject, in: language)
    }
}

/// A tree with what its rules make of it, for both views.
struct EvaluatedRecord {
    /// The tree, which remembers how it was written.
    let tree: RecordTree
    let full: RecordContent
    let figures: [UInt8]
    let releasedTree: RecordTree
    /// `nil` while nothing is hidden.
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
