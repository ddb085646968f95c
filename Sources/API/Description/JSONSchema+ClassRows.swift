import Forms
import GradingKit

// Schemas of what the rows of a class hold, and of requests that change it.

extension JSONSchema {
    private static let cellMembers: KeyValuePairs<String, JSONSchema> = [
        "value?": JSONSchema.any.described("The result; `null` takes it out."),
        "mark?": JSONSchema.any.described("The caller's own mark where two people mark; `null` takes it out."),
        "status?": JSONSchema.text.nullable.described("One that the column takes; `missing` for missing work."),
        "late?": JSONSchema.integer.nullable.described("By how many minutes the work was late."),
        "fields?": JSONSchema.object.described("Values of fields that are per student; `null` clears."),
        "held?": JSONSchema.flag.described("Whether the result is kept from the student."),
        "was?": JSONSchema.object([
            "value?": .any, "status?": .text.nullable, "late?": .integer.nullable, "fields?": .object,
        ]).described(
            "What was seen there, as a condition. `late` and `fields` are compared where they stand; alone, they are all."
        ),
        "s?": JSONSchema.integer.described("The structure that was seen."),
    ]
    static let cellPatches = JSONSchema.map(to: .object("CellPatch", cellMembers))
    static let rowOverrides = JSONSchema.array(
        of: .object(
            "RowOverride",
            [
                "row": JSONSchema.text.described("The enrolment."),
                "figures?": JSONSchema.object.described("By name: the value, or `null` to take back what was given."),
                "was?": JSONSchema.object.described("By name: the value that was seen given, `null` for none."),
                "status?": JSONSchema.text.nullable.described("The status of the total; `null` takes it away."),
                "wasStatus?": JSONSchema.text.nullable.described("The status that was seen, `null` for none."),
            ]))
    static let cellChanges = JSONSchema.array(of: .object.described("`row`, `line`, and what a row's cells hold."))
    private static let row = document(
        "ClassRow",
        [
            "id": JSONSchema.text.described("The enrolment."), "v": .integer, "student": .text.nullable,
            "name": .text.nullable, "record": .text, "entry": .text, "groups?": .array(of: .text), "withdrawn": .flag,
            "status?": JSONSchema.text.described("That of the total."),
            "cells": JSONSchema.map(
                to: .document(
                    "ClassCell",
                    [
                        "values?": .object, "status?": .text, "held?": .flag, "late?": .integer,
                        "marks?": JSONSchema.array(
                            of: .document("CellMark", ["by": .text, "value?": .any])
                        ).described("Without a `value` where the reader may not see it yet."),
                    ])
            ).described("By line."),
        ])
    private static let gridRow = document(
        "GridRow",
        [
            "id": JSONSchema.text.described("The enrolment."),
            "v": JSONSchema.integer.described("The class's version at which the row last changed."),
            "s": structureNumber,
            "name": .text.nullable, "givenName?": .text, "familyName?": .text, "student": .text.nullable,
            "section?": .text,
            "groups?": JSONSchema.array(of: .text).described("Those in which the student is."), "record": .text,
            "entry": .text,
            "cells": JSONSchema.array(of: .any).described(
                "In the order of the columns: `null`, the text of a value that stands alone, or an object of `value`, "
                    + "`status`, `late`, `posted`, `held`, `marks`, `notes` (the number of comments) and `fields`."),
            "figures": JSONSchema.object.described("`[display]` or `[display, letter]` by the names of figures."),
            "given?": JSONSchema.map(
                to: .document(
                    "GivenTotal",
                    [
                        "value": .text, "by": .text, "at": .text, "reason": .text.nullable,
                        "computed": JSONSchema.any.described("As in `figures`; `null` for none."),
                    ])
            ).described("What people gave beside computed figures, by their names."),
            "status?": JSONSchema.text.described("That of the total."),
            "risk?": JSONSchema.array(of: .text).described(
                "Why the student is at risk: `below`, `out_of_reach`, `needs_more`, `missing:3`."),
            "incomplete?": JSONSchema.flag.described("The rules do not take the row yet, so that it has no figures."),
            "withdrawn?": JSONSchema.flag.described("The student has left the class."),
        ])
    private static let goneRow = document(
        "GoneRow",
        [
            "id": .text, "v": classVersion, "s": structureNumber,
            "gone": JSONSchema.flag.described("The student is not in the group any more."),
        ])
    static let classRows = document(
        "ClassRows",
        [
            "e": .text, "from": JSONSchema.integer.described("What the client was taken to hold; 0 for nothing."),
            "v": classVersion, "s": structureNumber, "rows": .array(of: .one(of: [gridRow, goneRow])),
            "more?": JSONSchema.flag.described("There are more parts: follow `Link`."),
        ])
    static let classRowDocument = document(
        "ClassRowDocument",
        [
            "v?": classVersion, "s?": structureNumber, "row?": row,
            "part": .document("ClassPart", ["entries": .array(of: .object)]),
            "lines": JSONSchema.map(
                to: .document(
                    "RowLine",
                    [
                        "grade?": JSONSchema.text.described(
                            "The field of the line's results, unless it is the first grade of its kind."),
                        "due?": .text,
                        "code?": JSONSchema.text.described(
                            "Under which the work is marked anonymously; only its student reads it."),
                        "comments?": JSONSchema.integer.described("How many comments there are for who reads this."),
                        "newest?": JSONSchema.integer.described("Changes with the newest of those to the student."),
                        "why?": .choice(of: GradeAdjustment.Cause.self), "late?": .integer,
                        "setAside?": JSONSchema.flag.described(
                            "The status stands in place of a second grade, which does not count."),
                        "counts?": JSONSchema.text.nullable.described("What counts in the place of the result."),
                    ])
            ).described("When work is due, and what the line's curve, lateness or absence makes of a result, by line."),
            "standing": .standing,
        ])
    static let classPreview = document(
        "ClassPreview",
        ["part": .document("ClassPart", ["entries": .array(of: .object)]), "standing": .standing])
}
