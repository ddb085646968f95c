import Classes
import Forms
import GradingKit

// Schemas of requests and responses about classes.

extension JSONSchema {
    private static let version = JSONSchema.integer.described("The class's version: raised by one with each act.")
    private static let number = JSONSchema.integer.described("The structure's number.")

    static let structureChange = JSONSchema.object(
        "StructureChange",
        [
            "op": .choice(["add", "patch", "delete", "move", "policy"]),
            "line?": JSONSchema.text.described("The line; in a request that adds lines `#1` is the first of them."),
            "kind?": .text,
            "in?": JSONSchema.text.described("The line in which a new one stands; `#0` is the root."),
            "before?": JSONSchema.text.nullable.described("The sibling before which it goes; `null` for the end."),
            "fields?": JSONSchema.object.nullable.described("Merged key by key; `null` clears."),
            "state?": JSONSchema.choice(of: ClassLine.State.self).nullable,
            "posting?": JSONSchema.choice(["manual", "automatic"]).nullable,
            "grade?": JSONSchema.text.nullable.described("The field in which results stand, of several grades."),
            "due?": JSONSchema.text.nullable.described("`YYYY-MM-DD`."), "key?": .text.nullable,
            "policy?": policy.nullable,
        ])
    private static let policy = JSONSchema.object(
        "WorkPolicy",
        [
            "late?": JSONSchema.object([
                "percent": JSONSchema.any.described("Of the scale, lost for each period."),
                "per": .choice(of: WorkPolicy.Lateness.Period.self),
                "grace?": JSONSchema.integer.nullable.described("Minutes up to which nothing is lost."),
                "floor?": JSONSchema.any.described("Percent of the scale below which lateness takes no result."),
                "cap?": JSONSchema.any.described("The most that is lost, in percent of the scale."),
            ]).nullable.described("What late work loses."),
            "missing?": JSONSchema.object([
                "percent?": JSONSchema.any.described(
                    "Of the scale, as which it counts; `null` for nothing."),
                "automatic?": JSONSchema.flag.nullable.described(
                    "Whether empty cells become missing once the day is over on which the work was due."),
            ]).nullable.described("What missing work counts as."),
        ])
    private static let cellMembers: KeyValuePairs<String, JSONSchema> = [
        "value?": JSONSchema.any.described("The result; `null` takes it out."),
        "status?": JSONSchema.text.nullable.described("One that the column takes; `missing` for missing work."),
        "late?": JSONSchema.integer.nullable.described("By how many minutes the work was late."),
        "fields?": JSONSchema.object.described("Values of fields that are per student; `null` clears."),
        "held?": JSONSchema.flag.described("Whether the result is kept from the student."),
        "was?": JSONSchema.object(["value?": .any, "status?": .text.nullable]).described(
            "What was seen there: the condition of the change."),
        "s?": JSONSchema.integer.described("The structure that was seen."),
    ]
    static let cellPatches = JSONSchema.map(to: .object("CellPatch", cellMembers))
    static let cellChanges = JSONSchema.array(of: .object.described("`row`, `line`, and what a row's cells hold."))

    private static let line = document(
        "ClassLine",
        [
            "id": .text, "number": .integer, "kind": .text, "parent": .text.nullable, "fields": .object,
            "state": .choice(of: ClassLine.State.self), "posting": .choice(["manual", "automatic"]),
            "due": .text.nullable, "since": JSONSchema.integer.described("The structure since which the fields hold."),
            "grade?": .text, "key?": .text,
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
        ])
    static let taughtClass = document(
        "Class",
        [
            "id": .text, "institution": .text, "program": .text, "title": .text,
            "state": .choice(of: ClassHead.State.self), "posting": .choice(["manual", "automatic"]), "v": version,
            "structure": .document(
                "ClassStructure",
                ["s": number, "next": .integer, "lines": .array(of: line), "policy?": storedPolicy]),
            "staff": .array(
                of: .document(
                    "ClassStaff",
                    [
                        "account": .text, "name?": .text, "role": .choice(of: ClassRole.self),
                        "lines?": .array(of: .text),
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
        ])
    private static let column = document(
        "ClassColumn",
        [
            "line": .text, "number": .integer, "kind": .text,
            "kindLabel": .localized, "label": .localized,
            "grade": JSONSchema.text.described("The field in which results stand."),
            "takes?": JSONSchema.object.described("That field, as the description of the scheme has it."),
            "least": JSONSchema.text.nullable.described("The least value that is taken."),
            "most": JSONSchema.text.nullable.described("The greatest value that is taken, which the line may say."),
            "best": JSONSchema.text.nullable.described("The best result."),
            "statuses": JSONSchema.array(of: .text).described("Those that a cell takes."),
            "statusLabels?": JSONSchema.map(to: .localized).described("Of those that the regulations name themselves."),
            "late": JSONSchema.flag.described("Whether a cell says how late the work was."),
            "fields": JSONSchema.array(of: .object).described("What each student has beside the result."),
        ])
    private static let classFigure = document(
        "ClassFigure",
        [
            "name": .text, "label": .localized,
            "letters?": JSONSchema.array(of: .text).described("Best first; absent for a figure without letters."),
        ])
    private static let row = document(
        "ClassRow",
        [
            "id": JSONSchema.text.described("The enrolment."), "v": .integer, "student": .text.nullable,
            "name": .text.nullable, "record": .text, "entry": .text, "withdrawn": .flag,
            "cells": JSONSchema.map(
                to: .document("ClassCell", ["values?": .object, "status?": .text, "held?": .flag, "late?": .integer])
            ).described("By line."),
        ])
    private static let gridRow = document(
        "GridRow",
        [
            "id": JSONSchema.text.described("The enrolment."),
            "v": JSONSchema.integer.described("The class's version at which the row last changed."), "s": number,
            "name": .text.nullable, "student": .text.nullable, "record": .text, "entry": .text,
            "cells": JSONSchema.array(of: .any).described(
                "In the order of the columns: `null`, the text of a value that stands alone, or an object of `value`, "
                    + "`status`, `late`, `posted`, `held` and `fields`."),
            "figures": JSONSchema.object.described("`[display]` or `[display, letter]` by the names of figures."),
            "incomplete?": JSONSchema.flag.described("The rules do not take the row yet, so that it has no figures."),
            "withdrawn?": JSONSchema.flag.described("The student has left the class."),
        ])
    static let classRows = document(
        "ClassRows",
        [
            "e": .text, "from": JSONSchema.integer.described("What the client was taken to hold; 0 for nothing."),
            "v": version, "s": number, "rows": .array(of: gridRow),
            "more?": JSONSchema.flag.described("There are more parts: follow `Link`."),
        ])
    private static let numberStatistics = document(
        "NumberStatistics",
        [
            "mean": JSONSchema.text.described("Rounded half up, as the quartiles and the median are."),
            "least": .text, "lowerQuartile": .text, "median": .text, "upperQuartile": .text, "greatest": .text,
            "bars": JSONSchema.array(
                of: .document(
                    "StatisticsBar",
                    [
                        "from": JSONSchema.text.nullable.described("`null` for what lies below the other bars."),
                        "to": JSONSchema.text.nullable.described("`null` for what lies above them."), "count": .integer,
                    ])
            ).described(
                "A histogram of at most 20 bars: each holds its `from`, and the last one with a `to` also that."),
        ])
    static let classStatistics = document(
        "ClassStatistics",
        [
            "v": JSONSchema.integer.described("The class's version: every row counts as of it, or newer."), "s": number,
            "students": JSONSchema.integer.described("Students who are in the class; others are not counted."),
            "columns": JSONSchema.array(
                of: .document(
                    "ColumnStatistics",
                    [
                        "line": .text, "count": JSONSchema.integer.described("Results without a status."),
                        "without": JSONSchema.integer.described("Students who have none."),
                        "statuses": JSONSchema.map(to: .integer).described("Students by the status of their cell."),
                        "numbers": numberStatistics.nullable,
                    ])
            ).described("In the order of the cells of a row."),
            "figures": .array(
                of: .document(
                    "FigureStatistics",
                    [
                        "name": .text, "count": JSONSchema.integer.described("Rows that have the figure."),
                        "without": .integer, "numbers": numberStatistics.nullable,
                        "letters?": JSONSchema.array(
                            of: .document("LetterCount", ["letter": .text, "count": .integer])
                        ).described("Best first; absent for a figure without letters."),
                    ])),
        ])
    static let classRowDocument = document(
        "ClassRowDocument",
        [
            "v?": version, "s?": number, "row?": row,
            "part": .document("ClassPart", ["entries": .array(of: .object)]),
            "lines": JSONSchema.map(
                to: .document(
                    "RowLine",
                    [
                        "due?": .text, "why?": .choice(of: GradeAdjustment.Cause.self), "late?": .integer,
                        "counts?": JSONSchema.text.nullable.described("What counts in the place of the result."),
                    ])
            ).described("When work is due, and what lateness or absence makes of a result, by line."),
            "standing": .standing,
        ])
    static let classPreview = document(
        "ClassPreview",
        ["part": .document("ClassPart", ["entries": .array(of: .object)]), "standing": .standing])
    private static let rowFigures = document(
        "RowFigures", ["letter": .text.nullable, "figures": .map(to: .text)])
    static let classRehearsal = document(
        "ClassRehearsal",
        [
            "v": version, "s": number,
            "changed": JSONSchema.integer.described("How many rows would say something else."),
            "refused": JSONSchema.integer.described("How many rows refuse the change, or cannot be judged."),
            "rows": .array(
                of: .document(
                    "RehearsedRow",
                    [
                        "row": .text, "before": rowFigures.nullable, "after": rowFigures.nullable,
                        "refusal": JSONSchema.text.nullable.described("Why: a fault's code."),
                    ])),
        ])
    static let classAct = document(
        "ClassAct", ["v": version, "s": number, "accepted?": .integer, "faults?": .array(of: .fault)])
    static let cellsAnswer = document(
        "CellsAnswer", ["v": version, "s": number, "accepted": .integer, "faults": .array(of: .fault)])
    static let correctionAct = document(
        "CorrectionAct",
        [
            "correction": .document("CorrectionState", ["id": .text, "state": .choice(of: Correction.State.self)]),
            "v": version,
        ])
    static let classEnrolment = document(
        "ClassEnrolment",
        [
            "id": .text, "student": .text.nullable, "record": .text, "entry": .text, "since": .text,
            "withdrawn": .flag, "v": version,
        ])
    static let correction = document(
        "Correction",
        [
            "id": .text, "account": JSONSchema.text.described("Who asked for it."), "name?": .text, "at": .text,
            "reason": .text, "state": .choice(of: Correction.State.self),
            "cells": JSONSchema.array(of: .object).described("As asked, with what stood there then as `was`."),
            "decidedBy": JSONSchema.text.nullable.described("Who approved or refused it."), "deciderName?": .text,
            "decidedAt": .text.nullable,
        ])
    static let ledgerLine = document(
        "LedgerLine",
        [
            "number": JSONSchema.integer.described("The line's place in the class's ledger."), "v": version,
            "at": .text,
            "account": .text, "operation": .text, "enrolment": .text.nullable,
            "reason": .text.nullable,
            "before": JSONSchema.object.nullable.described("Cells by their lines' numbers, or the structure's number."),
            "after": .object.nullable,
        ])
}

extension JSON {
    /// The example of a new weight.
    static let structureChanges: JSON = [
        "changes": [
            ["op": "patch", "line": "01994c5e-0c5b-7c4c-8b1e-2f6d1c1f7c11", "fields": ["weight": 50]]
        ]
    ]
    /// The example of a result in a cell that was empty.
    static let rowPatch: JSON = [
        "cells": ["01994c5e-0c5b-7c4c-8b1e-2f6d1c1f7c11": ["was": ["value": nil], "value": 17]]
    ]
    /// Another result, tried.
    static let rowPreview: JSON = ["cells": ["01994c5e-0c5b-7c4c-8b1e-2f6d1c1f7c11": ["value": 17]]]
    /// Another result in a closed class.
    static let correctionInput: JSON = [
        "cells": [
            [
                "row": "01994c5e-1111-7c4c-8b1e-2f6d1c1f7c11", "line": "01994c5e-0c5b-7c4c-8b1e-2f6d1c1f7c11",
                "value": 17,
            ]
        ],
        "reason": "Page 4 was not marked",
    ]
    /// Two results.
    static let cellsInput: JSON = [
        "cells": [
            [
                "row": "01994c5e-1111-7c4c-8b1e-2f6d1c1f7c11", "line": "01994c5e-0c5b-7c4c-8b1e-2f6d1c1f7c11",
                "value": 17,
            ],
            [
                "row": "01994c5e-2222-7c4c-8b1e-2f6d1c1f7c11", "line": "01994c5e-0c5b-7c4c-8b1e-2f6d1c1f7c11",
                "value": 12,
            ],
        ]
    ]
}
