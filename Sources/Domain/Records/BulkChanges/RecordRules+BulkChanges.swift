public import GradingKit
import Shared

extension RecordRules {
    /// Judges a record by these rules instead of those of its own version.
    ///
    /// - Parameter links: what becomes of entries that stand for rows of classes. Others keep what they were given.
    /// - Throws: ``RecordUnreadable`` if the record does not fit these rules, `FaultList` if they cannot compute it.
    public func move(_ snapshot: RecordSnapshot, linking links: [LinkChange] = []) throws -> Amendment {
        var tree = try tree(snapshot.full.tree)
        do {
            if !links.isEmpty { tree = try rules.validate(links: links, of: tree).tree }
        } catch let missing as EntryNotFound {
            throw RecordUnreadable(reason: "no entry \(missing.entry) of the class's kind")
        }
        return try judged(
            tree, of: snapshot, "move", from: Self.version(snapshot.head.programVersion),
            to: Self.version(programVersion))
    }

    /// Recomputes a record with the current build of its scheme.
    ///
    /// - Throws: ``RecordUnreadable`` if the record no longer fits the shape, `FaultList` if it cannot be computed,
    ///   `StoreError.moved` if another version judges it by now.
    public func recompute(_ snapshot: RecordSnapshot) throws -> Amendment {
        guard snapshot.head.programVersion == programVersion else { throw StoreError.moved }
        // Rows of classes would have to be computed again with the record.
        if snapshot.holdsLinks { throw FaultList([Fault(.classEntry)]) }
        return try judged(
            try tree(snapshot.full.tree), of: snapshot, "recompute", from: Self.executable(snapshot.full.executable),
            to: Self.executable(rules.executable))
    }

    private func judged(
        _ tree: RecordTree, of snapshot: RecordSnapshot, _ operation: String, from before: [UInt8]?,
        to after: [UInt8]?
    ) throws -> Amendment {
        let judged = try EvaluatedRecord(tree, head: snapshot.head, by: self)
        func story(_ figures: [UInt8]) -> ChangeDescription {
            ChangeDescription(
                operation: operation, entry: nil, before: before, after: after, figures: figures, reason: nil)
        }
        return Amendment(
            programVersion: programVersion, executable: rules.executable, full: judged.full,
            released: judged.released, change: story(judged.figures), releasedChange: story(judged.releasedFigures),
            answer: { _ in StoredAnswer(.changed, body: []) })
    }

    private static func executable(_ executable: SchemeExecutable?) -> [UInt8]? {
        executable.map { JSON.object(["executable": $0.json]).bytes }
    }

    private static func version(_ number: Version) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { $0.member("programVersion", number) }
        return writer.bytes
    }
}

extension RecordEdit {
    /// Shows hidden entries: those below the entries at a path of names, or all of them if the path is empty.
    public static func release(below path: [String]) -> RecordEdit {
        RecordEdit(at: nil, answer: .none, operation: "release") { tree in
            let places = path.isEmpty ? nil : Set(tree.entries(named: path))
            return tree.hiddenEntries(below: places).map { .patch($0, ["hidden": false]) }
        }
    }

    /// Merges members into the one entry at a path of names, or adds an entry there if a kind is given.
    ///
    /// - Throws: when applied, `FaultList` with `entry_unknown`, `entry_ambiguous`, or `class_entry` for a line of a class, at `/path`.
    public static func result(at path: [String], _ members: JSONObject, kind: String?) -> RecordEdit {
        RecordEdit(at: nil, answer: .none, operation: nil) { tree in
            let found = tree.entries(named: path)
            guard let entry = found.first, found.count == 1 || path.isEmpty else {
                if path.isEmpty, kind != nil { return [try addition(members, kind, in: nil)] }
                // What stands in a class is entered there.
                let isInClass = (1..<max(1, path.count)).contains { length in
                    tree.entries(named: Array(path.prefix(length))).contains { tree.entry($0)?.link != nil }
                }
                let code: FaultCode = isInClass ? .classEntry : found.isEmpty ? .entryUnknown : .entryAmbiguous
                throw FaultList([Fault(code, at: "/path")])
            }
            return kind == nil ? [.patch(entry, members)] : [try addition(members, kind, in: entry)]
        }
    }

    /// Merges members into an entry, or adds an entry to it if a kind is given.
    public static func result(at entry: EntryID, _ members: JSONObject, kind: String?) -> RecordEdit {
        RecordEdit(at: nil, answer: .none, operation: nil) { _ in
            kind == nil ? [.patch(entry, members)] : [try addition(members, kind, in: entry)]
        }
    }

    private static func addition(_ members: JSONObject, _ kind: String?, in parent: EntryID?) throws -> RecordChange {
        var entry = members
        entry["kind"] = kind.map { .string($0) }
        return .add(entry: .object(entry), parent: parent?.text, ref: nil)
    }
}

extension FaultCode {
    /// No entry of the record has these names.
    public static let entryUnknown: FaultCode = "entry_unknown"
    /// Several entries of the record have these names.
    public static let entryAmbiguous: FaultCode = "entry_ambiguous"
}
