import Accounts
import Application
import Forms
import GradingKit
import HTTP
import Shared

/// Regulations that are written as documents: checking one, and those to begin with. For everybody, without an account.
struct RegulationRoutes: RouteGroup {
    let regulations: RegulationReview

    private static let question = RequestForm(
        "RegulationCheck", example: ["document": .string(example), "examples": true, "laws": false]
    ) { form in
        RegulationQuestion(
            document: Array((form.text("document", required: true) ?? "").utf8),
            settings: form.object("settings").map { .object($0) } ?? .null, examples: form.flag("examples") ?? true,
            laws: form.flag("laws") ?? true, annotations: form.flag("annotations") ?? false,
            record: form.object("record"), table: form.object("table"))
    }

    private static let example = """
        # Half of the tests

        ```rules
        regulation half "Half of the tests" language 1
        rounding shown half up, 1 decimal, judged as shown
        entry test "Test"
            title text
            score grade in percent
        figure result in percent "Result" shown by shown = mean of score over test
        ```

        """

    var routes: [Route] {
        [
            .open(
                .post, "/v1/regulations/check", "Check regulations written as a document", scope: .any,
                takes: .json(Self.question), .regulationReview
            ) { call in
                let question = try await Self.question.read(call.json())
                let review = try await regulations.review(question, text: call.body().bytes, for: call.context)
                return .json { $0.value(.object(review)) }
            },
            .open(
                .get, "/v1/regulations/library", "The documents that institutions start from", scope: .any,
                .list(of: .libraryItem)
            ) { _ in
                .json { writer in
                    writer.object { writer in
                        writer.member("items") { writer in
                            writer.array { for document in regulations.library { $0.value(document.item) } }
                        }
                    }
                }
            },
            .open(
                .get, "/v1/regulations/library/{document}", "One of these documents", scope: .any, .libraryDocument
            ) { call in
                let name = call["document"]
                guard let document = regulations.library.first(where: { $0.name == name }) else {
                    throw Problem.notFound
                }
                return .json { writer in
                    writer.object { writer in
                        writer.member("name", document.name)
                        writer.member("title", document.title.json)
                        writer.member("document", document.text)
                    }
                }
            },
        ]
    }
}

extension LibraryDocument {
    fileprivate var item: JSON { ["name": .string(name), "title": title.json] }
}

extension JSONSchema {
    static let libraryItem = document("LibraryItem", ["name": .text, "title": .localized])
    static let libraryDocument = document(
        "LibraryDocument", ["name": .text, "title": .localized, "document": .text])
    static let regulationReview = document(
        "RegulationReview",
        [
            "faults": .array(
                of: .document(
                    "RegulationFault",
                    [
                        "code": .text, "message": .localized, "args": .object, "line": .integer, "column": .integer,
                        "range": JSONSchema.array(of: .integer).described(
                            "The bytes of the document that it is about."),
                        "fix?": JSONSchema.object.described("`range`, and the `replacement` that mends it."),
                        "warning?": JSONSchema.flag.described("Whether the document is in force all the same."),
                    ])),
            "settingFaults": JSONSchema.array(of: .object).described("What is wrong with `settings`."),
            "outline": JSONSchema.array(of: .object).described(
                "What the document declares: `sort`, `name`, `of`, `label`, `article`, `line`, `range`; of numbers `unit`, of fields `type`, of figures `formula` (its range) and `trend`, what a better grade does to the number."
            ),
            "examples": JSONSchema.array(
                of: .document(
                    "WorkedExample",
                    [
                        "name": .text,
                        "differences": .array(
                            of: .document("ExampleDifference", ["line": .integer, "text": .localized])),
                    ])
            ).nullable.described("`null` while the document has faults, and where they were not asked for."),
            "laws": JSONSchema.array(
                of: .document(
                    "LawReview",
                    [
                        "law": .text, "statement": .localized, "kept": .flag, "detail?": .text,
                        "line?": JSONSchema.integer.described(
                            "Where the figure or outcome is declared that breaks it."),
                        "column?": .integer, "article?": .text,
                        "remedy?": JSONSchema.localized.described("What to write instead."),
                        "record?": JSONSchema.any.described("A record that shows it."),
                    ])
            ).nullable.described("The laws of grading over a few records; `null` as for examples."),
            "lawsTried": JSONSchema.document(
                "LawExtent", ["records": .integer, "of": .integer, "greatest": .flag]
            ).nullable.described(
                "On how many records the laws were tried, of how many, and whether on the greatest; what takes too much work is left out."
            ),
            "classes": JSONSchema.array(
                of: .document(
                    "ClassRoot",
                    [
                        "kind": .text, "label": .localized,
                        "message?": JSONSchema.text.described("Why no class can grade entries of the kind, if so."),
                        "line?": JSONSchema.integer.described(
                            "Where the figure or outcome is declared that prevents it."),
                        "column?": .integer, "article?": .text,
                    ])
            ).nullable.described(
                "The kinds of entries that a class could have as its root; `null` where the laws were not asked for."),
            "annotations": JSONSchema.object.nullable.described(
                "Where asked for: `words` by sort as starts and ends, `mentions` of declarations as start, end and start of the declared name, and the `values` of settings, bands, tables, scales and roundings, row by row, everything in bytes; `readings`, figures, outcomes, checks and warnings in words of the reader's language; and the `configuration` of the settings as in a description."
            ),
            "record": JSONSchema.object.nullable.described(
                "The record that was asked for, `fields` and `entries`, with its `standing` or what it is `refused` for; `null` while the document has faults."
            ),
            "table": JSONSchema.object.nullable.described(
                "What puts the sheet that was sent (`name` of the table, `text`) in place of a table: the `separator` of its cells (`tab`, `semicolon` or `comma`), whether it has a `decimalComma`, how many `rows` and `columns`, the `edit` of the document (`range` in bytes and `replacement`) or the `faults` of its cells, each with `line`, `column`, `code` and `message`; `null` where the document has no such table."
            ),
        ])
}
