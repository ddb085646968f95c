import GradingKit
import Regulations

/// Replaces a table of regulations with the cells of a sheet.
enum RegulationTableCommand {
    static func run(_ arguments: inout Arguments) throws {
        let tag = try arguments.option("--language") ?? "en"
        let target = try arguments.option("--to")
        guard let file = arguments.word(), let table = arguments.word(), let sheet = arguments.word() else {
            throw UsageError(
                "regulation table takes a document, the name of a table and a sheet.", of: RegulationCommand.name)
        }
        try arguments.finish()
        guard let language = Language(tag: tag) else {
            throw UsageError("--language takes en, fr or zh.", of: RegulationCommand.name)
        }
        let text = try Files.contents(of: file, isRequired: true) ?? []
        let cells = RegulationSheet(try Files.contents(of: sheet, isRequired: true) ?? [])
        guard let found = Regulation(text).edit(ofTable: table, rows: cells.rows) else {
            throw Failure("\(file) has no table \(table).")
        }
        let decimals = found.hasDecimalComma ? "decimal comma" : "decimal point"
        Console.say("\(cells.separator.rawValue) between cells, \(decimals): \(found.rows) × \(found.columns)")
        for fault in found.faults {
            let place = "\(fault.line):" + (fault.column.map { "\($0):" } ?? "")
            Console.say("\(place) \(fault.message(in: language))")
        }
        guard let edit = found.edit else {
            throw Failure(found.faults.count == 1 ? "1 fault" : "\(found.faults.count) faults")
        }
        var after = text
        after.replaceSubrange(edit.range, with: Array(edit.replacement.utf8))
        for line in RegulationDifference(from: text, to: after).lines() { Console.say(line) }
        if let target { try Files.write(after, to: target) }
    }
}
