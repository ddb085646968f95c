import GradingKit

/// Checks groups, and the keys that their members share.
extension Checker {
    /// Declares groups as kinds with the same parent as their members.
    func declareGroups() {
        for group in document.groups {
            attempt { () throws(Stop) in
                let base = try self.kind(group.base)
                guard let parent = kinds[base].parent, kinds[base].base == nil, kinds[base].levels == 1,
                    !kinds[base].isCopy
                else {
                    throw stop(.groupOfEntries, group.base.range, ["name": .string(group.base.text)])
                }
                let name = group.heading.name.text
                var model = KindModel(
                    name: name, label: group.heading.label ?? Self.label(name), declaration: nil, parent: parent)
                model.base = base
                // If the key is a field, the group has that field, too.
                model.fields = group.keys.compactMap { key in
                    fieldName(of: key, in: group).flatMap { name in kinds[base].fields.first { $0.name == name } }
                }
                kinds.append(model)
            }
        }
    }

    /// The other groups with the same parent as those of a kind.
    func groups(beside index: Int) -> [Int] {
        kinds.indices.filter { other in
            other != index && kinds[other].base != nil && kinds[index].base != nil
                && kinds[other].parent == kinds[index].parent
        }
    }

    /// The name of the field that is a key; `nil` for a computed key.
    func fieldName(of key: Formula, in group: RegulationDocument.Group) -> String? {
        guard case .name(let words) = key.node, words.count == 1, let word = words.first,
            let base = kinds.first(where: { $0.name == group.base.text })
        else { return nil }
        return base.fields.first { $0.name == word.text && !$0.isGrade }?.name
    }

    /// Checks the keys of a group before a formula uses its members. Does nothing for an entry.
    func checkGroup(_ kind: Int, at range: Range<Int>) throws(Stop) {
        guard kinds[kind].base != nil,
            let place = document.groups.firstIndex(where: { $0.heading.name.text == kinds[kind].name })
        else { return }
        try group(place, at: range)
    }

    @discardableResult
    func group(_ place: Int, at range: Range<Int>? = nil) throws(Stop) -> GroupModel {
        if let known = groups[place] {
            guard let known else { throw Stop() }
            return known
        }
        let group = document.groups[place]
        let name = group.heading.name
        let outer = (size, deepest, height, culprit)
        defer { (size, deepest, height, culprit) = outer }
        begin()
        do throws(Stop) {
            let model = try guarded("group \(place)", name.text, at: range ?? name.range) { () throws(Stop) in
                try self.model(of: group)
            }
            groups[place] = .some(model)
            return model
        } catch {
            groups[place] = .some(nil)
            throw error
        }
    }

    private func model(of group: RegulationDocument.Group) throws(Stop) -> GroupModel {
        let base = try kind(group.base)
        // The entries are visited once more to find their groups.
        var scope = root(base)
        try countWork(8 * scope.visits, at: group.heading.name.range)
        // The key of the member that names its group is computed twice.
        scope.visits *= 2
        var parts: [@Sendable (GradedEntry) -> String?] = []
        for key in group.keys { parts.append(try part(key, scope)) }
        if parts.count == 1, let part = parts.first { return GroupModel(key: part) }
        return GroupModel { [parts] entry in
            var words: [String] = []
            for part in parts {
                guard let word = part(entry) else { return nil }
                words.append(word)
            }
            return words.joined(separator: ".")
        }
    }

    /// One part of a key: a text, or a number in written form.
    private func part(_ key: Formula, _ scope: Scope) throws(Stop) -> @Sendable (GradedEntry) -> String? {
        switch try check(key, scope) {
        case .text(let text):
            guard text.trend == .still else { throw stop(.groupOfGrade, key.range) }
            let compute = text.code.closed
            return { entry in compute(entry).flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 } }
        case .number(let number):
            guard number.trend == .still else { throw stop(.groupOfGrade, key.range) }
            if number.dimension?.isCounted(in: pointUnits) ?? false { judgesPoints = true }
            let compute = number.code.closed
            return { entry in compute(entry).value.map { $0.decimalText ?? $0.description } }
        case .condition, .outcome: throw stop(.notAGroupKey, key.range)
        }
    }
}

extension FieldModel {
    /// Whether the field is a grade.
    var isGrade: Bool { if case .number(_, _, _, isGrade: true) = content { true } else { false } }
}
