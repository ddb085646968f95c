public import Classes
import Cryptography
public import Gradebook
public import Shared

extension ClassService {
    /// Creates a group in a set.
    public func makeGroup(
        titled title: String, in set: String, of id: ClassID, by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<ClassGroup>) -> KeptAnswer? = { _ in nil }
    ) async throws -> ActOutcome<ClassGroup> {
        let group = ClassGroup(GroupID(identifiers.next()), in: set, title: title)
        return try await act(.write, in: id, .rows([]), by: context, keeping: keep) { _, gradebook, ground in
            try gradebook.makeGroup(group, in: ground)
        }
    }

    /// Gives a group another title.
    public func renameGroup(
        _ group: GroupID, _ title: String, of id: ClassID, by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<ClassGroup>) -> KeptAnswer? = { _ in nil }
    ) async throws -> ActOutcome<ClassGroup> {
        try await act(.write, in: id, .rows([]), by: context, keeping: keep) { _, gradebook, ground in
            try gradebook.renameGroup(group, title, in: ground)
        }
    }

    /// Deletes a group.
    public func deleteGroup(
        _ group: GroupID, of id: ClassID, by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<ClassGroup>) -> KeptAnswer? = { _ in nil }
    ) async throws -> ActOutcome<ClassGroup> {
        try await act(.write, in: id, .rows([]), by: context, keeping: keep) { _, gradebook, ground in
            try gradebook.deleteGroup(group, in: ground)
        }
    }

    /// Puts students into a group and out of the other groups of its set, and takes others out of it.
    public func regroup(
        _ group: GroupID, joining: [EnrolmentID], leaving: [EnrolmentID], of id: ClassID, by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<ClassGroup>) -> KeptAnswer? = { _ in nil }
    ) async throws -> ActOutcome<ClassGroup> {
        let rows = Array(Set(joining + leaving))
        return try await act(.write, in: id, .rows(rows), by: context, keeping: keep) { _, gradebook, ground in
            try gradebook.regroup(group, joining: joining, leaving: leaving, in: ground)
        }
    }
}
