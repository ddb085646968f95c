import Application
import GradingKit
import GradingLaws
import RegulationLibrary
import Regulations

/// Reads regulations for those who write them, and keeps the documents that ship.
struct RegulationDesk: RegulationReader {
    /// How many records the laws are tried on while a document is written; before it is published they are more.
    private static let records = 40

    let library: [LibraryDocument] = RegulationLibrary.documents.map { document in
        LibraryDocument(
            name: document.name, title: Regulation(document.text).title ?? LocalizedText(verbatim: document.name),
            text: String(decoding: document.text, as: UTF8.self))
    }

    func review(_ document: [UInt8], settings: JSON, examples: Bool, laws: Bool) -> JSONObject {
        let regulation = Regulation(document, settings: settings)
        var tried: JSON = .null
        if laws, let rules = regulation.rulebook { tried = Self.laws(of: rules) }
        return [
            "faults": regulation.faultsJSON,
            "settingFaults": .array(
                regulation.settingFaults.faults.map { fault in
                    ["code": .string(fault.code.text), "path": .string(fault.path), "args": .object(fault.arguments)]
                }), "outline": regulation.outline,
            "examples": examples && regulation.rulebook != nil ? Self.examples(of: document) : .null, "laws": tried,
        ]
    }

    /// Examples stand in the document, and hold under its own settings.
    private static func examples(of document: [UInt8]) -> JSON { Regulation(document).examplesJSON }

    private static func laws(of rules: Rulebook) -> JSON {
        let violations = LawSuite(rules, records: records).violations()
        return .array(
            Law.allCases.map { law in
                let violation = violations.first { $0.law == law }
                var item: JSONObject = [
                    "law": .string(law.rawValue), "statement": law.wording.json, "kept": .bool(violation == nil),
                ]
                if let violation {
                    item["detail"] = .string(violation.detail)
                    item["record"] = violation.record
                }
                return .object(item)
            })
    }
}
