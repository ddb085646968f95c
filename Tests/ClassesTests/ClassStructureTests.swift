import Classes
import GradingKit
import Shared
import Testing

@Suite struct ClassStructureTests {
    private func structure() -> ClassStructure {
        ClassStructure(root: "course", id: LineID("root"), fields: ["title": "Algorithms"])
    }

    private func applying(
        _ changes: [StructureChange], to structure: ClassStructure, from first: Int = 1
    ) throws(FaultList) -> ClassStructure {
        var made = first - 1
        return try structure.applying(changes) {
            made += 1
            return LineID("l\(made)")
        }
    }

    /// Two categories with two items each.
    private func course() throws -> ClassStructure {
        let root = LineID("root")
        let patch = { (title: JSON) in LinePatch(fields: ["title": title]) }
        return try applying(
            [
                .add(kind: "category", in: root, patch("Labs")), .add(kind: "category", in: root, patch("Exams")),
                .add(kind: "item", in: LineID("l1"), patch("Lab 1")),
                .add(kind: "item", in: LineID("l1"), patch("Lab 2")),
                .add(kind: "item", in: LineID("l2"), patch("Final")),
            ], to: structure())
    }

    private func order(_ structure: ClassStructure) -> String { structure.lines.map(\.id.text).joined(separator: " ") }

    @Test func `lines stand behind those in which they stand`() throws {
        #expect(order(try course()) == "root l1 l3 l4 l2 l5")
        #expect(try course().lines.map(\.number) == [0, 1, 3, 4, 2, 5])
        #expect(try course().number == 2)
    }

    @Test func `a deleted line goes with what stands in it, and its number is not given again`() throws {
        let less = try applying([.delete(LineID("l1"))], to: course())
        #expect(order(less) == "root l2 l5")
        let more = try applying([.add(kind: "item", in: LineID("l2"), LinePatch())], to: less, from: 6)
        #expect(more.line(LineID("l6"))?.number == 6)
    }

    @Test func `a line moves with what stands in it, among its siblings`() throws {
        let first = StructureChange.move(LineID("l2"), before: LineID("l1"))
        #expect(order(try applying([first], to: course())) == "root l2 l5 l1 l3 l4")
        #expect(order(try applying([.move(LineID("l1"), before: nil)], to: course())) == "root l2 l5 l1 l3 l4")
        #expect(throws: FaultList.self) { try applying([.move(LineID("l3"), before: LineID("l5"))], to: course()) }
    }

    @Test func `every fault is told at its step, and the root stays`() throws {
        do {
            _ = try applying([.delete(LineID("root")), .patch(LineID("no"), LinePatch())], to: course())
            Issue.record("nothing was refused")
        } catch let faults as FaultList {
            #expect(
                faults.faults.map { "\($0.code) \($0.path)" } == ["root_kept /changes/0", "line_unknown /changes/1"])
        }
    }

    @Test func `a line says since which structure its fields hold`() throws {
        let course = try course()
        var patch = LinePatch()
        patch.state = .posted
        let posted = try applying([.patch(LineID("l3"), patch)], to: course)
        #expect(posted.line(LineID("l3"))?.since == course.number)
        let changed = try applying([.patch(LineID("l3"), LinePatch(fields: ["title": "Lab one"]))], to: posted)
        #expect(changed.line(LineID("l3"))?.since == changed.number)
        let back = course.restored(over: changed)
        #expect(back.number == changed.number + 1)
        #expect(back.line(LineID("l3"))?.fields["title"] == "Lab 1")
        #expect(back.line(LineID("l3"))?.since == back.number)
        #expect(back.line(LineID("l4"))?.since == course.number)
    }

    @Test func `a class has no more lines than it may have`() throws {
        let many = (0..<ClassLimits.lines).map { _ in
            StructureChange.add(kind: "category", in: LineID("root"), LinePatch())
        }
        #expect(throws: FaultList.self) { try applying(many, to: structure()) }
        #expect(try applying(Array(many.dropLast()), to: structure()).lines.count == ClassLimits.lines)
    }

    @Test func `a structure and a row are read as they were written`() throws {
        var patch = LinePatch(fields: ["max": 10])
        (patch.state, patch.isPostedByHand, patch.gradeField) = (.posted, true, "score")
        (patch.due, patch.key) = (.some(CalendarDay(text: "2026-06-30")), "k1")
        let structure = try applying([.patch(LineID("l5"), patch)], to: course())
        #expect(ClassStructure(text: structure.text) == structure)
        let row = ClassRow([
            5: ClassCell(["score": .number(Exact(25, over: 2) ?? 0)], status: .absent, isHeldBack: true),
            3: ClassCell(["note": .text("é"), "late": .flag(true)]), 4: ClassCell(),
        ])
        #expect(row.cells.count == 2)
        #expect(ClassRow(try JSON.parse(row.json.bytes)) == row)
        #expect(ClassRow(["x": [:]]) == nil)
        #expect(ClassStructure(text: Array("{}".utf8)) == nil)
    }
}
