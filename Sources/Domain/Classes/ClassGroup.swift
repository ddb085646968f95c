public import GradingKit
public import Shared

/// Some students of a class who work together or have the same marker: a lab, a tutorial, a team.
///
/// Groups stand in sets. A student is in at most one group of a set.
public struct ClassGroup: Sendable, Equatable {
    /// The group.
    public let id: GroupID
    /// What people call the set in which it stands.
    public let set: String
    /// What people call the group.
    public var title: String

    /// A group of a set.
    public init(_ id: GroupID, in set: String, title: String) {
        self.id = id
        self.set = set
        self.title = title
    }
}

/// The groups of a class to which a student belongs.
public struct GroupPlaces: Sendable, Equatable {
    /// The groups in which the student is.
    public private(set) var current: [GroupID]
    /// The groups that the student left: who follows one of them learns that the student is gone.
    public private(set) var left: [GroupID]

    /// Some groups.
    public init(_ current: [GroupID] = [], left: [GroupID] = []) {
        self.current = current
        self.left = left
    }

    /// Whether the student is in one of some groups.
    public func isWithin(_ groups: [GroupID]) -> Bool { current.contains { groups.contains($0) } }

    /// Leaves a group; nothing changes for a student who is not in it.
    mutating func leave(_ id: GroupID) {
        guard current.contains(id) else { return }
        current.removeAll { $0 == id }
        if !left.contains(id) { left.append(id) }
    }

    mutating func join(_ id: GroupID) {
        guard !current.contains(id) else { return }
        current.append(id)
        left.removeAll { $0 == id }
    }

    /// The places of a student who is in some groups, and left those of the present ones that are not among them.
    public func moved(to groups: [GroupID]) -> GroupPlaces {
        var places = self
        for id in current where !groups.contains(id) { places.leave(id) }
        for id in groups { places.join(id) }
        return places
    }
}

/// In which cells a person enters results, and whose rows a grader reads.
public struct GraderScope: Sendable, Equatable {
    /// The lines, with what stands in them; `nil` for all.
    public let lines: [LineID]?
    /// The groups; `nil` for all students.
    public let groups: [GroupID]?
    /// Who enters results, and enters none about themselves; `nil` for the server.
    public let author: AccountID?

    /// Some lines for the students of some groups.
    public init(lines: [LineID]? = nil, groups: [GroupID]? = nil, by author: AccountID? = nil) {
        self.lines = lines
        self.groups = groups
        self.author = author
    }

    /// All lines for all students.
    public static let everything = GraderScope()

    /// Whether a student is within the scope.
    public func holds(_ enrolment: Enrolment) -> Bool { groups.map { enrolment.groups.isWithin($0) } ?? true }
}

extension ClassSnapshot {
    /// A group by its identifier.
    public func group(_ id: GroupID) -> ClassGroup? { groups.first { $0.id == id } }

    /// In which cells an account enters results that may enter some at all.
    public func scope(of account: AccountID) -> GraderScope {
        member(account)?.scope ?? GraderScope(by: account)
    }

    /// The groups in which a student is, in the class's order. Groups that were deleted are not among them.
    public func groups(of enrolment: Enrolment) -> [GroupID] {
        groups.map(\.id).filter { enrolment.groups.current.contains($0) }
    }
}

extension Enrolment {
    /// Whether the student is in a group; `nil` stands for the whole class.
    public func isCounted(in group: GroupID?) -> Bool { group.map { groups.isWithin([$0]) } ?? true }
}

// MARK: - As it is stored and shown

extension ClassGroup {
    /// `{"id","set","title"}`.
    public var json: JSON { ["id": .string(id.text), "set": .string(set), "title": .string(title)] }
}

extension GroupPlaces {
    /// `{"in":[…],"left":[…]}`; `nil` for no groups at all.
    public var json: JSON? {
        guard !current.isEmpty || !left.isEmpty else { return nil }
        return ["in": .array(current.map { .string($0.text) }), "left": .array(left.map { .string($0.text) })]
    }

    /// Reads what `json` writes; what is not a group there is left out.
    public init(_ json: JSON?) {
        func list(_ name: String) -> [GroupID] {
            (json?[name]?.array ?? []).compactMap { $0.string.map { GroupID($0) } }
        }
        self.init(list("in"), left: list("left"))
    }
}
