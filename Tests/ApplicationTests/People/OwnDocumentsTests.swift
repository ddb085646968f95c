import Classes
import Gradebook
import GradingKit
import People
import Records
import Shared
import Testing

@testable import Application

/// What a search sees of a student's own classes.
@Suite struct OwnDocumentsTests {
    private typealias Enrolment = Classes.Enrolment

    /// What keeps a line from its student, or does not.
    enum Case: CaseIterable {
        case open, draftClass, draftLine, hiddenResults, heldCell, whoLeft, incompleteRow, closedClass
    }

    private let harness: ClassHarness
    private let lines: [LineID]
    private let rows: [Enrolment]
    private let documents: OwnDocuments

    init() async throws {
        harness = try await ClassHarness()
        let store = harness.classes.store
        lines = try #require(try await store.taughtClass(harness.id)).structure.lines.map(\.id)
        rows = try #require(try await store.rows(of: harness.id, since: 0)).rows.map(\.enrolment)
        documents = OwnDocuments(
            harness.programs.records, gradebook: harness.programs.store, bookCache: ClassBookCache())
    }

    private func titles(_ student: AccountID) async throws -> Set<String> {
        Set(try await documents.contents(of: student).flatMap(\.entries).map(\.title))
    }

    private func found(_ student: Int = 0) async throws -> Set<String> {
        try await titles(harness.attending[student].account)
    }

    private func enter(_ line: Int, _ value: JSON, held: Bool? = nil) async throws {
        var change = CellChange(rows[0].id, lines[line], value: value)
        change.isHeldBack = held
        _ = try await harness.classes.enter(harness.id, [change], .all, reason: nil, by: harness.teacher)
    }

    private func change(_ line: Int, _ patch: LinePatch) async throws {
        _ = try await harness.classes.change(
            harness.id, [.patch(lines[line], patch)], reason: nil, by: harness.teacher)
    }

    private func settle(_ state: ClassHead.State) async throws {
        _ = try await harness.classes.settle(harness.id, ClassPatch(state: state), by: harness.teacher)
    }

    /// Brings a class about, after its student has searched once.
    private func bring(_ about: Case) async throws {
        for line in 1...2 { try await enter(line, 90) }
        if about != .incompleteRow { try await enter(3, 90, held: about == .heldCell ? true : nil) }
        switch about {
        case .open, .heldCell, .incompleteRow: break
        case .draftClass: try await settle(.draft)
        case .draftLine:
            var patch = LinePatch()
            patch.state = .draft
            try await change(3, patch)
        case .hiddenResults:
            _ = try await harness.classes.post(harness.id, [lines[3]], hide: true, by: harness.teacher)
        case .whoLeft:
            _ = try await harness.classes.withdraw(
                harness.id, rows[0].id, keepingEntry: true, by: harness.teacher)
        case .closedClass: try await settle(.closed)
        }
    }

    @Test(arguments: Case.allCases)
    func `of a class its student finds what he or she sees of it, and nobody else anything`(about: Case) async throws {
        try await harness.working {
            #expect(try await found() == ["Logic", "Assignments", "Midterm", "Final"])
            try await bring(about)
            let expected: Set<String> =
                switch about {
                case .draftClass, .whoLeft: ["Logic"]
                case .draftLine: ["Logic", "Assignments", "Midterm"]
                case .open, .hiddenResults, .heldCell, .incompleteRow, .closedClass:
                    ["Logic", "Assignments", "Midterm", "Final"]
                }
            #expect(try await found() == expected)
            for other in [harness.teacher.account, harness.programs.registrar] {
                #expect(try await titles(other).isEmpty)
            }
        }
    }

    @Test func `a line names its class, and the entry whose page shows it`() async throws {
        try await harness.working {
            try await enter(1, 90)
            let student = harness.attending[0].account
            let entries = try await documents.contents(of: student).flatMap(\.entries)
            let places = entries.map { [$0.title, $0.members["within"]?.string, $0.members["classEntry"]?.string] }
            let entry = rows[0].entry.text
            #expect(
                places == [
                    ["Logic", nil, entry], ["Assignments", "Logic", entry], ["Midterm", "Logic", entry],
                    ["Final", "Logic", entry],
                ])
        }
    }

    @Test func `a line is found at once when it is shown, and no more when it is not`() async throws {
        try await harness.working {
            var patch = LinePatch()
            for (state, isFound) in [(.draft, false), (.open, true), (.draft, false)] as [(ClassLine.State, Bool)] {
                patch.state = state
                try await change(3, patch)
                #expect(try await found(1).contains("Final") == isFound)
            }
        }
    }
}
