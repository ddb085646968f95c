import Application
import GradingKit
import GradingLaws
import RegulationLibrary
import Regulations

/// Reviews regulations for their authors, and keeps the documents that ship with the program.
struct RegulationDesk: RegulationReader {
    /// How many records the laws are checked on while a document is being written; publication uses more.
    static let records = 40
    /// How many steps that may take; a check is charged for them.
    static let work = 6_000_000

    /// Checks the laws of grading, within the limits for a document in progress.
    static func laws(of rules: Rulebook, counting meter: WorkMeter = WorkMeter()) -> LawReview {
        LawSuite(rules, records: records, work: work, meter: meter).review()
    }

    var library: [LibraryDocument] { Self.shipped }

    // Read at the first use, so that they do not delay the start.
    private static let shipped: [LibraryDocument] = RegulationLibrary.documents.map { document in
        LibraryDocument(
            name: document.name, title: Regulation(document.text).title ?? LocalizedText(verbatim: document.name),
            text: String(decoding: document.text, as: UTF8.self))
    }

    func review(_ question: RegulationQuestion, in language: Language, counting meter: WorkMeter) -> JSONObject {
        let regulation = Regulation(question.document, settings: question.settings, meter: meter)
        var tried: LawReview?
        var classes: RegulationClasses?
        if question.laws, let rules = regulation.rulebook {
            // What classes can grade is found in what the laws leave of their work.
            let start = meter.spent
            tried = Self.laws(of: rules, counting: meter)
            classes = RegulationClasses(regulation, work: Self.work - (meter.spent - start), counting: meter)
        }
        if meter.isOver { return [:] }
        return [
            "faults": regulation.faultsJSON,
            "settingFaults": .array(
                regulation.settingFaults.faults.map { fault in
                    ["code": .string(fault.code.text), "path": .string(fault.path), "args": .object(fault.arguments)]
                }), "outline": regulation.outline,
            "examples": question.examples && regulation.rulebook != nil
                ? Self.examples(of: question.document, meter) : .null,
            "laws": tried.map { Self.laws(of: $0, regulation, in: language) } ?? .null,
            "lawsTried": tried.map(Self.extent) ?? .null,
            "classes": classes?.json(in: language) ?? .null,
            "annotations": question.annotations ? regulation.annotations(in: language) : .null,
            "record": question.record.flatMap { Self.record($0, by: regulation, in: language) } ?? .null,
            "table": question.table.flatMap { Self.table($0, of: regulation) } ?? .null,
        ]
    }

    /// Returns the table that a sheet produces; `nil` if the document has no table of that name.
    private static func table(_ question: JSONObject, of regulation: Regulation) -> JSON? {
        let sheet = RegulationSheet(Array((question["text"]?.string ?? "").utf8))
        var answer = regulation.editJSON(ofTable: question["name"]?.string ?? "", rows: sheet.rows)
        answer?["separator"] = .string(sheet.separator.rawValue)
        return answer.map { .object($0) }
    }

    /// Returns a record as the document judges it: `{fields, entries}` with its `standing`, or with the reason why it
    /// has none, `refused`. `nil` if the document has faults, or no template or example of that name.
    private static func record(_ question: JSONObject, by regulation: Regulation, in language: Language) -> JSON? {
        guard let rules = regulation.rulebook, let record = regulation.record(question) else { return nil }
        var answer: JSONObject = ["fields": record.fields, "entries": record.entries]
        var count = 0
        do throws(FaultList) {
            let tree = try rules.calculation(fields: record.fields, given: record.given, entries: record.entries) {
                count += 1
                return EntryID("entry-\(count)")
            }
            let standing = try rules.standing(of: tree)
            // JSON that was just written can be parsed.
            answer["standing"] = try? JSON.parse(standing.json(of: nil, in: language))
        } catch {
            answer["refused"] = .array(
                error.faults.prefix(20).map { fault in
                    [
                        "code": .string(fault.code.text), "path": .string(fault.path),
                        "message": .string(rules.catalog.message(fault, in: language)),
                    ]
                })
        }
        return .object(answer)
    }

    /// Works the examples of the document, which are written for the document's own settings.
    private static func examples(of document: [UInt8], _ meter: WorkMeter) -> JSON {
        Regulation(document, meter: meter).examplesJSON
    }

    /// How thoroughly the laws were checked.
    private static func extent(of review: LawReview) -> JSON {
        [
            "records": .number(String(review.tried)), "of": .number(String(review.records)),
            "greatest": .bool(review.isGreatestTried),
        ]
    }

    private static func laws(of review: LawReview, _ regulation: Regulation, in language: Language) -> JSON {
        .array(
            Law.allCases.map { law in
                let violation = review.violations.first { $0.law == law }
                var item: JSONObject = [
                    "law": .string(law.rawValue), "statement": law.wording.json, "kept": .bool(violation == nil),
                ]
                if let violation {
                    item["detail"] = .string(violation.finding(language))
                    item["remedy"] = law.remedy?.json
                    item["record"] = violation.record
                    for member in regulation.place(of: violation)?.members ?? [:] { item[member.name] = member.value }
                }
                return .object(item)
            })
    }
}

extension Regulation {
    /// Returns where a figure or outcome that breaks a law is declared; `nil` if no single one does.
    func place(of violation: LawViolation) -> RegulationPlace? {
        violation.figure.flatMap { place(of: $0, in: violation.kind) }
    }

    /// The record that a request names or contains.
    fileprivate func record(_ question: JSONObject) -> (fields: JSON, given: JSON, entries: JSON)? {
        let named =
            question["template"]?.string.flatMap { record(ofTemplate: $0) }
            ?? question["example"]?.string.flatMap { record(ofExample: $0) }
        if let named { return (named.fields, .null, named.entries) }
        return question["entries"].map { (question["fields"] ?? .null, question["given"] ?? .null, $0) }
    }
}
