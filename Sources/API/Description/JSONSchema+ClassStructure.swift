import Classes
import Forms

// Schemas of changes of a class's structure.

extension JSONSchema {
    static let structureChange = JSONSchema.object(
        "StructureChange",
        [
            "op": .choice([
                "add", "patch", "delete", "move", "policy", "addSection", "patchSection", "deleteSection",
            ]),
            "section?": .text.nullable, "title?": JSONSchema.text.nullable.described("Of a section."),
            "line?": JSONSchema.text.described("The line; in a request that adds lines `#1` is the first of them."),
            "kind?": .text,
            "in?": JSONSchema.text.described("The line in which a new one stands; `#0` is the root."),
            "before?": JSONSchema.text.nullable.described("The sibling before which it goes; `null` for the end."),
            "fields?": JSONSchema.object.nullable.described("Merged key by key; `null` clears."),
            "state?": JSONSchema.choice(of: ClassLine.State.self).nullable,
            "posting?": JSONSchema.choice(["manual", "automatic"]).nullable,
            "grade?": JSONSchema.text.nullable.described("The field in which results stand, of several grades."),
            "due?": JSONSchema.text.nullable.described("`YYYY-MM-DD`."), "key?": .text.nullable,
            "curve?": curve.nullable.described("What the results of the line count for; `null` for what they are."),
            "marking?": JSONSchema.any.described(
                "`single`, `anonymous`, or how two people mark: `mode` `double`, `tolerance`, `rule` (`mean`, `lower`, `higher`), `open`."
            ),
            "policy?": policy.nullable.described("A member that is left out stays as it is; `null` takes it away."),
        ])
    private static let curve = JSONSchema.object(
        "LineCurve",
        [
            "op": .choice(["add", "scale", "table"]),
            "value?": JSONSchema.any.described("What is added, or the factor, with at most four decimals."),
            "points?": JSONSchema.array(of: .array(of: .any)).described(
                "2…50 pairs of a result and what it counts for, on straight lines between them."),
            "cap?": JSONSchema.flag.nullable.described("Whether nothing counts for more than the best result."),
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
            "risk?": risk.nullable.described("Which students are at risk."),
            "low?": JSONSchema.any.described("Percent of the scale below which staff see a result as low."),
        ])
    private static let risk = JSONSchema.object([
        "figure?": JSONSchema.text.nullable.described("A figure of the root, as which `bar` is meant."),
        "bar?": JSONSchema.any.described("What a student should reach."),
        "below?": JSONSchema.flag.nullable.described("Whether a worse figure is a risk now."),
        "outOfReach?": JSONSchema.flag.nullable.described("Whether it is one that the bar cannot be reached any more."),
        "share?": JSONSchema.any.described(
            "Of the scale, in percent: what is asked of everything that is still to come; `null` for nothing."),
        "missing?": JSONSchema.integer.nullable.described("How much missing work is a risk."),
    ])
}
