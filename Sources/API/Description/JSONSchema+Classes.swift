import Classes
import Forms
import Shared

// Schemas of classes.

extension JSONSchema {
    static let classVersion = JSONSchema.integer.described("The class's version: raised by one with each act.")
    static let structureNumber = JSONSchema.integer.described("The structure's number.")
    private static let line = document(
        "ClassLine",
        [
            "id": .text, "number": .integer, "kind": .text, "parent": .text.nullable, "fields": .object,
            "state": .choice(of: ClassLine.State.self), "posting": .choice(["manual", "automatic"]),
            "due": .text.nullable, "since": JSONSchema.integer.described("The structure since which the fields hold."),
            "grade?": .text, "key?": .text,
            "marking?": .one(of: [
                .choice(["anonymous"]),
                .document(
                    "DoubleMarking",
                    [
                        "mode": .choice(["double"]), "tolerance": .text, "rule": .choice(of: DoubleMarking.Rule.self),
                        "open": JSONSchema.flag.described("Whether who marks second sees the first mark."),
                    ]),
            ]),
            "curve?": .document(
                "StoredCurve",
                [
                    "op": .choice(["add", "scale", "table"]), "value?": .text,
                    "points?": .array(of: .array(of: .text)), "cap": .flag,
                ]),
        ])
    private static let storedPolicy = document(
        "ClassPolicy",
        [
            "late": JSONSchema.document(
                "LatePolicy",
                [
                    "percent": .text, "per": .choice(of: WorkPolicy.Lateness.Period.self), "grace": .integer,
                    "floor": .text, "cap": .text,
                ]
            ).nullable,
            "missing": .document("MissingPolicy", ["percent": .text.nullable, "automatic": .flag]),
            "risk?": .document(
                "RiskPolicy",
                [
                    "figure?": .text, "bar?": .text, "below?": .flag, "outOfReach?": .flag, "share?": .text.nullable,
                    "missing": .integer.nullable,
                ]),
            "low?": .text,
        ])
    private static let section = document(
        "ClassSection",
        [
            "id": .text, "title": .text,
            "fields": JSONSchema.object.described("The fields of the root that its students have otherwise."),
        ])
    private static let groupOfClass = document(
        "ClassGroup",
        ["id": .text, "set": JSONSchema.text.described("A student is in at most one group of a set."), "title": .text])
    static let classGroup = document(
        "ClassGroupAct", ["id": .text, "set": .text, "title": .text, "v": classVersion])
    static let classStructure = document(
        "ClassStructure",
        [
            "s": structureNumber, "next": .integer, "lines": .array(of: line), "policy?": storedPolicy,
            "sections?": .array(of: section),
        ])
    static let classProgram = document(
        "ClassProgram",
        [
            "program": program, "scheme": scheme,
            "description?": scheme.described("Where the program's own rules determine what records look like."),
        ])
    static let taughtClass = document(
        "Class",
        [
            "id": .text, "institution": .text, "program": .text, "title": .text,
            "state": .choice(of: ClassHead.State.self), "posting": .choice(["manual", "automatic"]),
            "term": JSONSchema.document(
                "ClassTerm",
                [
                    "id": .text, "kind": .choice(of: Term.Kind.self), "parent": .text.nullable, "title": .text,
                    "from": .text, "until": .text, "locked": .flag,
                    "periods": JSONSchema.array(of: term).described("In the order of their first days."),
                ]
            ).nullable.described("The year or term to which it belongs."),
            "v": classVersion,
            "groups": JSONSchema.array(of: groupOfClass).described("Set by set."),
            "structure": classStructure,
            "staff": .array(
                of: .document(
                    "ClassStaff",
                    [
                        "account": .text, "name?": .text, "role": .choice(of: ClassRole.self),
                        "lines?": .array(of: .text), "groups?": .array(of: .text),
                    ])),
            "students?": JSONSchema.integer.described("Students who are in the class."),
            "withdrawn?": JSONSchema.integer.described("Students who have left it."),
            "corrections?": JSONSchema.integer.described("Corrections that are not decided yet."),
            "columns?": JSONSchema.array(of: column).described("In the order of the cells of a row."),
            "headers?": JSONSchema.array(
                of: .document(
                    "ClassHeader", ["line": .text, "kind": .text, "kindLabel": .localized, "label": .localized])
            ).described("The lines that are no columns."),
            "figures?": .array(of: classFigure),
            "total?": .document(
                "ClassTotal",
                [
                    "statuses": JSONSchema.array(of: .text).described("Those that the total of a row takes."),
                    "statusLabels?": JSONSchema.map(to: .localized).described(
                        "Of those that the regulations name themselves."),
                ]),
        ])
    private static let column = document(
        "ClassColumn",
        [
            "line": .text, "number": .integer, "kind": .text,
            "kindLabel": .localized, "label": .localized,
            "grade": JSONSchema.text.nullable.described(
                "The field of results; `null` in a column without any."),
            "takes?": JSONSchema.object.described("That field, as the description of the scheme has it."),
            "least": JSONSchema.text.nullable.described("The least value that is taken."),
            "most": JSONSchema.text.nullable.described("The greatest value that is taken, which the line may say."),
            "best": JSONSchema.text.nullable.described("The best result."),
            "statuses": JSONSchema.array(of: .text).described("Those that a cell takes."),
            "statusLabels?": JSONSchema.map(to: .localized).described("Of those that the regulations name themselves."),
            "setsAside?": JSONSchema.array(of: .text).described(
                "The statuses beside which a second grade of the cell does not count."),
            "late": JSONSchema.flag.described("Whether a cell says how late the work was."),
            "fields": JSONSchema.array(of: .object).described("What each student has beside the result."),
        ])
    private static let classFigure = document(
        "ClassFigure",
        [
            "name": .text,
            "was?": JSONSchema.array(of: .text).described("Its names in earlier versions of the rules."),
            "label": .localized,
            "letters?": JSONSchema.array(of: .text).described("Best first; absent for a figure without letters."),
        ])
}
