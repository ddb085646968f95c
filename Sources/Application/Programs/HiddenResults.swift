public import GradingKit
import Institutions
import Records
import Shared

/// The hidden results in a program's records, grouped by the names of their entries: what a release would show, and
/// whose results they are.
public struct HiddenResults: Sendable {
    /// The greatest number of records examined, places listed, and students named for each place.
    static let limits = (records: 5_000, places: 200, students: 5)
    private static let slice = 32

    /// Hidden entries with the same path of names, over all records.
    struct Place: Sendable {
        let path: [String]
        var count = 0
        var students: [Student] = []
    }

    /// A student who is named, with the record.
    struct Student: Sendable {
        let record: RecordID
        let account: AccountID?
        let name: String?
    }

    private(set) var places: [Place] = []
    /// The number of records with hidden results.
    private(set) var records = 0
    /// Whether all records were examined and all places listed.
    private(set) var isComplete = true
    private var numbers: [[String]: Int] = [:]

    /// Examines the records of a program, outside the event loops, but those of some people.
    static func of(
        _ program: Program, _ service: RecordService, _ browser: any RecordBrowser, besides people: Set<AccountID>
    ) async throws -> HiddenResults {
        try await withTaskExecutorPreference(globalConcurrentExecutor) {
            var found = HiddenResults()
            var (cursor, seen) = (RecordID?.none, 0)
            while true {
                let trees = try await browser.trees(of: program.id, after: cursor, limit: slice)
                guard let last = trees.last else { return found }
                guard seen < limits.records else {
                    found.isComplete = false
                    return found
                }
                let students = try await browser.students(of: trees.map(\.record))
                for stored in trees {
                    let student = students[stored.record] ?? nil
                    if student.map(people.contains) ?? false { continue }
                    try await found.add(stored, student, program, service)
                }
                (cursor, seen) = (last.record, seen + trees.count)
                await Task.yield()
            }
        }
    }

    /// Adds the hidden entries of a record. A record that its rules cannot read has nothing that could be released.
    private mutating func add(
        _ stored: StoredTree, _ student: AccountID?, _ program: Program, _ service: RecordService
    ) async throws {
        let recordRules = try await service.rulesCache.rules(of: program, version: stored.programVersion)
        let paths = try await recordRules.rules.perform {
            guard let tree = try? recordRules.rules.storedRecord(stored.tree), tree.hasHidden else {
                return [[String]]()
            }
            return tree.outermostHiddenEntries.map { tree.names(of: $0) }
        }
        guard !paths.isEmpty else { return }
        records += 1
        var name: String??
        for path in Set(paths) {
            guard let number = number(of: path) else { continue }
            places[number].count += 1
            guard places[number].students.count < Self.limits.students else { continue }
            if name == nil { name = try await Self.name(of: student, service) }
            places[number].students.append(Student(record: stored.record, account: student, name: name ?? nil))
        }
    }

    private mutating func number(of path: [String]) -> Int? {
        if let known = numbers[path] { return known }
        guard places.count < Self.limits.places else {
            isComplete = false
            return nil
        }
        numbers[path] = places.count
        places.append(Place(path: path))
        return places.count - 1
    }

    private static func name(of student: AccountID?, _ service: RecordService) async throws -> String? {
        guard let student else { return nil }
        return try await service.names(of: [student])[student]
    }

    /// Writes `{"records","complete","items":[{"path","count","students"}]}`, the most frequent place first.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("records", records)
            writer.member("complete", isComplete)
            writer.member("items") { writer in
                writer.array { writer in
                    for place in places.sorted(by: { ($1.count, $0.path.description) < ($0.count, $1.path.description) }
                    ) {
                        place.write(to: &writer)
                    }
                }
            }
        }
    }
}

extension HiddenResults.Place {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("path", .array(path.map { .string($0) }))
            writer.member("count", count)
            writer.member("students") { writer in
                writer.array { writer in
                    for student in students {
                        writer.object {
                            $0.member("id", student.account?.text)
                            $0.member("displayName", student.name)
                        }
                    }
                }
            }
        }
    }
}
