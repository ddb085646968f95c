import Forms

// Schemas of statistics of a class, and of what a change of its structure would make of them.

extension JSONSchema {
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
            "v": JSONSchema.integer.described("The class's version: every row counts as of it, or newer."),
            "s": structureNumber,
            "students": JSONSchema.integer.described("Students who are in the class; others are not counted."),
            "columns": JSONSchema.array(
                of: .document(
                    "ColumnStatistics",
                    [
                        "line": .text, "count": JSONSchema.integer.described("Results without a status."),
                        "without": JSONSchema.integer.described("Students who have none."),
                        "unagreed?": JSONSchema.integer.described(
                            "Work whose two marks do not agree, where two people mark."),
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
    private static let rowFigures = document(
        "RowFigures", ["letter": .text.nullable, "figures": .map(to: .text)])
    static let classRehearsal = document(
        "ClassRehearsal",
        [
            "v": classVersion, "s": structureNumber,
            "changed": JSONSchema.integer.described("How many rows would say something else."),
            "refused": JSONSchema.integer.described("How many rows refuse the change, or cannot be judged."),
            "stillMissing": JSONSchema.integer.described(
                "How many results would stay marked as missing in lines whose due date is moved on or taken away."),
            "atRisk": JSONSchema.object(["before": .integer, "after": .integer]).described(
                "How many students are at risk by the rules of the class, and would be."),
            "rows": .array(
                of: .document(
                    "RehearsedRow",
                    [
                        "row": .text, "before": rowFigures.nullable, "after": rowFigures.nullable,
                        "refusal": JSONSchema.text.nullable.described("Why: a fault's code."),
                    ])),
            "curves?": JSONSchema.array(
                of: .document(
                    "RehearsedCurve",
                    ["line": .text, "before": numberStatistics.nullable, "after": numberStatistics.nullable])
            ).described("What the results of each line with another curve count for, now and then."),
        ])
}
