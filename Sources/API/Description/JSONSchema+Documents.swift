import Accounts
import Forms
import GradingKit
import Institutions

// Schemas of responses. The acceptance tests check that responses match them and have no other members.

extension JSONSchema {
    /// Returns a named response schema. It is open: clients ignore members that they do not know, so that more can be
    /// added.
    static func document(_ name: String, _ members: KeyValuePairs<String, JSONSchema>) -> JSONSchema {
        .object(name, members, isOpen: true)
    }

    /// A text in every language.
    static let localized = document("LocalizedText", ["en": .text, "fr": .text, "zh-Hans": .text])

    static let fault = document(
        "Fault",
        [
            "code": JSONSchema.text.described("What is wrong; never changes."),
            "path": JSONSchema.text.described("Where: a JSON Pointer into the body; empty for the whole."),
            "message": JSONSchema.text.described("The same in words, in the request's language."),
            "args?": JSONSchema.object.described("The numbers and names of the message: `min`, `max`, `allowed` …"),
        ])
    static let problem = document(
        "Problem",
        [
            "type": .text, "title": .text, "status": .integer,
            "code": JSONSchema.text.described("Names the problem; never changes."),
            "detail": .text.nullable, "faults": .array(of: .fault),
            "retryable": JSONSchema.flag.described("Whether the same request may succeed later."),
            "current?": .document("CurrentVersion", ["e": .text, "v": .integer]),
            "entry?": .text.nullable,
            "ways?": JSONSchema.array(of: .text).described(
                "How to show the second factor, or who one is; empty where a second factor has to be set up."),
            "providers?": JSONSchema.array(of: .text).described(
                "With which providers one shows who one is, where that is a way."),
            "challenge?": JSONSchema.text.described("What to show with the second factor."),
            "expiresIn?": JSONSchema.integer.described("Seconds for which the challenge holds."),
            "scope?": JSONSchema.text.described("What a token needs; with `insufficient_scope`."),
        ])

    // MARK: Schemes and standings

    /// The build of an out-of-process scheme that computed a result.
    static let executable = document(
        "Executable",
        [
            "version": JSONSchema.text.nullable.described("What the scheme calls this build."),
            "digest": JSONSchema.text.described("SHA-256 of the executable, in hexadecimal."),
        ])
    static let schemeItem = document(
        "SchemeItem", ["id": .text, "title": .localized, "version?": .text.nullable, "digest?": .text])
    static let scheme = document(
        "Scheme",
        [
            "id": .text, "version?": JSONSchema.text.nullable.described("Of a scheme in a process of its own."),
            "digest?": JSONSchema.text.described("SHA-256 of the executable of such a scheme."), "title": .localized,
            "description": .localized,
            "document?": JSONSchema.flag.described(
                "Whether the rules stand in a program's configuration; then the program's own description has the rest."
            ),
            "shape?": JSONSchema.object.described("The kinds of entries, where they stand, and their fields."),
            "figures?": .array(of: .object), "outcomes?": .array(of: .object),
            "configuration": JSONSchema.object.described("`schema`, `defaults`, `presets` and `presetLabels`."),
            "templates?": .array(of: .document("Template", ["id": .text, "label": .localized])),
            "messages?": .map(to: .localized),
        ])
    static let figure = document(
        "Figure",
        [
            "exact": JSONSchema.text.nullable.described("The exact value: a decimal, or a ratio such as `79/6`."),
            "display": JSONSchema.text.described("What is shown; empty while the figure is undefined."),
            "scale": JSONSchema.integer.described("Decimals of `display`."),
            "rounding": .choice(of: Rounding.self),
            "reason?": JSONSchema.text.described("Why the figure is undefined."),
            "band?": .text, "text?": .text, "floor?": .text, "floorExact?": .text, "ceiling?": .text,
            "ceilingExact?": .text, "given?": .givenNote,
            "computed?": JSONSchema.document(
                "ComputedFigure", ["exact": .text.nullable, "display": .text, "reason?": .text]
            ).described("Of a figure that a person gave: what would be computed."),
        ])
    static let givenNote = document(
        "GivenNote",
        [
            "by": JSONSchema.text.described("The account that gave the value."), "at": .moment,
            "reason?": JSONSchema.text.described("For staff."),
        ])
    static let reason = document(
        "Reason", ["code": .text, "entry": .text.nullable, "message": .text, "args": .object])
    static let outcome = document(
        "Outcome",
        [
            "state": .choice(["met", "unmet", "pending"]),
            "value?": JSONSchema.text.described("The value, of an outcome that names values itself."),
            "text?": JSONSchema.text.described("What people read of it."),
            "final": JSONSchema.flag.described("Whether no grade that is still open can change state and value."),
            "reasons": .array(of: .reason), "given?": .givenNote,
            "computed?": JSONSchema.document(
                "ComputedOutcome",
                [
                    "state": .choice(["met", "unmet", "pending"]), "value?": .text, "text?": .text,
                    "reasons": .array(of: .reason),
                ]
            ).nullable.described("Of an outcome that a person gave: what would be decided; `null` for nothing."),
        ])
    static let entryStanding = document(
        "EntryStanding",
        [
            "figures": .map(to: .figure), "letter?": .text.nullable, "points?": .text.nullable,
            "outcomes?": .map(to: .outcome),
        ])
    static let standing = document(
        "Standing",
        [
            "record": .text.nullable, "scheme": .text,
            "executable?": JSONSchema.executable.described("What computed it, of a scheme in a process of its own."),
            "program": .text.nullable,
            "programVersion": .integer.nullable, "figures": .map(to: .figure),
            "entries": JSONSchema.map(to: .entryStanding).described("By the identifiers of entries."),
            "outcomes": .map(to: .outcome), "warnings": .array(of: .reason),
            "traces?": JSONSchema.object.described("By figure, and by entry and figure; only where `trace` asks."),
        ])
    /// The standing of a stateless calculation, with warnings about its configuration.
    static let calculated = document(
        "Calculated",
        [
            "record": .text.nullable, "scheme": .text, "executable?": .executable, "program": .text.nullable,
            "programVersion": .integer.nullable, "figures": .map(to: .figure),
            "entries": JSONSchema.map(to: .entryStanding).described("By the identifiers of entries."),
            "outcomes": .map(to: .outcome), "warnings": .array(of: .reason),
            "configurationWarnings": JSONSchema.array(of: .fault).described(
                "Settings that are allowed and surprise, and how ranges such as `80–89.9` were read."),
            "traces?": JSONSchema.object.described("By figure, and by entry and figure; only where `trace` asks."),
        ])
    static let goalAnswer = document(
        "GoalAnswer",
        [
            "status": .choice(["reachable", "already_secured", "out_of_reach"]),
            "inputs": .array(
                of: .document(
                    "GoalInput", ["entry": .text, "field": .text.nullable, "value": .decimal, "letter?": .text])),
            "reached": JSONSchema.object.described("The figure, or the outcome, that the inputs give."),
            "ceiling": JSONSchema.object.described("The best that can still be had."), "buffer": .decimal.nullable,
        ])

    // MARK: Records

    static let entry = JSONSchema.object(
        [
            "id": .text, "kind": .text,
            "position": JSONSchema.integer.described("From 1 among its siblings, in the order of their making."),
            "status": .text.nullable, "hidden": .flag, "shown?": .object,
            "fields": JSONSchema.object.described("As the scheme's shape tells."),
            "enteredBy?": JSONSchema.object.described("Which of staff entered the fields and the status."),
            "given?": JSONSchema.object.described(
                "What people gave: `figures` and `outcomes` by their names, each `{value,by,at}`, for staff with "
                    + "`reason` and with what was `computed` then; of a row of a class, the class's `figures`."),
            "children": .array(of: .recursive("Entry")),
        ], isOpen: true
    ).named("Entry")
    static let tree = document(
        "RecordTree",
        [
            "id": .text, "program": .text, "fields": .object,
            "given?": JSONSchema.object.described("What people gave the record itself, as in an entry."),
            "entries": .array(of: .entry),
        ])
    static let record = document(
        "Record", ["record": .tree, "version": .integer, "standing": .standing])
    static let assembledRecord = document(
        "AssembledRecord",
        [
            "record": .tree, "standing": .standing,
            "classes": .array(
                of: .document(
                    "AssembledClass",
                    [
                        "entry": JSONSchema.text.described("The entry of the record in which the class's lines stand."),
                        "class": .text, "enrolment": .text,
                        "complete": JSONSchema.flag.described(
                            "Whether the rules take the student's results: until then the entry has no figures."),
                        "given?": JSONSchema.object.described(
                            "Until then, what the entry that stands for the row is given, as records have it."),
                    ])),
        ])
    static let edited = document(
        "EditedEntry",
        [
            "entry": JSONSchema.one(of: [.entry, JSONSchema(["type": "null"])]).described(
                "`null` only in a repeated answer, for an entry that is gone since."),
            "version": .integer, "current?": current,
            "added?": JSONSchema.array(of: .text).described(
                "Beside `current`: the entries that were added, each before what is in it."),
            "standing": .standing,
        ])
    static let restood = document("NewStanding", ["version": .integer, "current?": current, "standing": .standing])
    private static let current = JSONSchema.integer.described(
        "In an answer that is repeated under its `Idempotency-Key` after later changes: the version that it shows.")
    static let changed = document(
        "ChangedRecord",
        [
            "version": .integer, "current?": current, "standing": .standing,
            "entries": JSONSchema.map(to: .text).described("What was added with a `ref`, by its name."),
        ])
    static let author = document("Author", ["id": .text.nullable, "displayName": .text.nullable])
    static let recordPeople = document(
        "RecordPeople",
        ["student": .one(of: [.author, JSONSchema(["type": "null"])]), "staff": .array(of: .author)])
    static let recordProgram = document(
        "RecordProgram",
        [
            "program": .document(
                "JudgingProgram",
                [
                    "id": .text, "institution": .text, "scheme": .text, "title": .text,
                    "entry": .choice(of: EntryPolicy.self),
                    "version": JSONSchema.integer.described("The one that the record is judged by."),
                    "configuration": JSONSchema.object.described("That version's."),
                ]),
            "view": JSONSchema.choice(["full", "released"]).described("Which of the record's views the caller sees."),
            "may": JSONSchema.array(of: .choice(["write", "delete", "give", "share"])).described(
                "What the caller may do with the record beside reading it."),
        ])
    static let recordItem = document(
        "RecordItem",
        [
            "id": .text, "program": .text, "programVersion": .integer, "institution": .text,
            "scheme": .text.nullable, "title": .text.nullable, "student": .text.nullable, "createdAt": .moment,
            "version": .integer, "figures": .map(to: .figure), "outcomes": .map(to: .outcome),
        ])
    static let historyItem = document(
        "HistoryItem",
        [
            "version": .integer, "at": .moment,
            "by": .author, "op": .text,
            "entry": .text.nullable, "before": .any, "after": .any, "figures": .map(to: .text.nullable),
            "executable?": .executable, "reason": .text.nullable,
            "class?": JSONSchema.text.described("The class that made the change."),
            "cells?": JSONSchema.array(of: .changedCell).described("The results that the class changed."),
            "shown?": JSONSchema.array(of: .namedLine).described("The lines whose results the class showed."),
            "hidden?": JSONSchema.array(of: .namedLine).described("The lines whose results the class hid."),
        ])

    private static let changedCell = document(
        "ChangedCell",
        [
            "line": JSONSchema.text.nullable.described("The line of the class; null for one that is gone."),
            "title": .text.nullable, "before": .cellContent, "after": .cellContent,
        ])

    private static let cellContent = JSONSchema.object([
        "values?": .map(to: .any), "status?": .text, "held?": .flag, "late?": .integer,
    ])

    private static let namedLine = document("NamedLine", ["line": .text, "title": .text.nullable])
}
