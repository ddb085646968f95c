import Classes
import Gradebook
import GradingKit
import Records
import RoseHulman
import Shared

@testable import Application

/// A course of one category with items of a hundred points.
func courseBook(items: Int) throws -> ClassBook {
    let root = LineID("root")
    var structure = ClassStructure(
        root: "course", id: root, fields: ["title": "Algorithms", "quarter": 1, "year": 2026, "credits": 4])
    var made = 0
    let newID = {
        made += 1
        return LineID("l\(made)")
    }
    structure = try structure.applying(
        [.add(kind: "category", in: root, LinePatch(fields: ["category": "exams", "weight": 100]))], newID: newID)
    structure = try structure.applying(
        (0..<items).map { item in
            .add(kind: "item", in: LineID("l1"), LinePatch(fields: ["title": .string("Item \(item)"), "max": 100]))
        }, newID: newID)
    let rules = RecordRules(
        rules: try InstalledScheme(RoseHulman.self).rulebook(preset: nil), programVersion: 1, language: .english,
        newID: { EntryID("new") })
    return try ClassBook(structure, under: rules)
}
