public import GradingKit
public import Shared

/// Students of a class who work together or have the same marker: a lab, a tutorial, a team.
///
/// Groups belong to sets. A student is in at most one group of each set.
public struct ClassGroup: Sendable, Equatable {
    /// The group.
    public let id: GroupID
    /// The name of its set.
    public let set: String
    /// The name of the group.
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
    /// The student's present groups.
    public private(set) var current: [GroupID]
    /// The groups that the student left, so that followers of such a group learn of it.
    public private(set) var left: [GroupID]

    /// The student is in some groups, and has left others.
    public init(_ current: [GroupID] = [], left: [GroupID] = []) {
        self.current = current
        self.left = left
    }

    /// Whether the student is in one of these groups.
    public func isWithin(_ groups: [GroupID]) -> Bool { current.contains { groups.contains($0) } }

    /// Leaves a group. Does nothing if the student is not in it.
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

    /// The student's groups after moving to `groups`: present groups that are not among them are left.
    public func moved(to groups: [GroupID]) -> GroupPlaces {
        var places = self
        for id in current where !groups.contains(id) { places.leave(id) }
        for id in groups { places.join(id) }
        return places
    }
}

/// The cells in which a person may enter results, and the rows that a grader may read.
public struct GraderScope: Sendable, Equatable {
    /// The lines, including those inside them; `nil` for all.
    public let lines: [LineID]?
    /// The groups; `nil` for all students.
    public let groups: [GroupID]?
    /// The person who enters results, but none about themselves; `nil` for the server.
    public let author: AccountID?

    /// Some lines, for students of some groups.
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

    /// The cells in which an account may enter results, if it may enter any.
    public func scope(of account: AccountID) -> GraderScope {
        member(account)?.scope ?? GraderScope(by: account)
    }

    /// The groups of a student, in the class's order, without deleted ones.
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

    /// Reads the form of `json`, and ignores anything else.
    public init(_ json: JSON?) {
        func list(_ name: String) -> [GroupID] {
            (json?[name]?.array ?? []).compactMap { $0.string.map { GroupID($0) } }
        }
        self.init(list("in"), left: list("left"))
    }
}
