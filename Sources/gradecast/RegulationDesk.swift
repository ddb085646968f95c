import Application
import GradingKit
import GradingLaws
import RegulationLibrary
import Regulations

/// Reviews regulations for their authors, and keeps the documents that ship with the program.
struct RegulationDesk: RegulationReader {
    /// How many records the laws are tried on while a document is being written; before publication there are more.
    private static let records = 40
    /// How long that may take, in steps: what a check is charged for it.
    private static let work = 6_000_000

    let library: [LibraryDocument] = RegulationLibrary.documents.map { document in
        LibraryDocument(
            name: document.name, title: Regulation(document.text).title ?? LocalizedText(verbatim: document.name),
            text: String(decoding: document.text, as: UTF8.self))
    }

    func review(_ document: [UInt8], settings: JSON, examples: Bool, laws: Bool) -> JSONObject {
        let regulation = Regulation(document, settings: settings)
        var tried: LawReview?
        if laws, let rules = regulation.rulebook {
            tried = LawSuite(rules, records: Self.records, work: Self.work).review()
        }
        return [
            "faults": regulation.faultsJSON,
            "settingFaults": .array(
                regulation.settingFaults.faults.map { fault in
                    ["code": .string(fault.code.text), "path": .string(fault.path), "args": .object(fault.arguments)]
                }), "outline": regulation.outline,
            "examples": examples && regulation.rulebook != nil ? Self.examples(of: document) : .null,
            "laws": tried.map(Self.laws) ?? .null, "lawsTried": tried.map(Self.extent) ?? .null,
        ]
    }

    /// Works the examples of the document, which are written for the document's own settings.
    private static func examples(of document: [UInt8]) -> JSON { Regulation(document).examplesJSON }

    /// How far the laws were tried.
    private static func extent(of review: LawReview) -> JSON {
        [
            "records": .number(String(review.tried)), "of": .number(String(review.records)),
            "greatest": .bool(review.isGreatestTried),
        ]
    }

    private static func laws(of review: LawReview) -> JSON {
        .array(
            Law.allCases.map { law in
                let violation = review.violations.first { $0.law == law }
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
