import Forms
import GradingKit

// Schemas of requests that the kit parses, because a scheme's shape decides what they may contain.

extension JSONSchema {
    private static let fields = JSONSchema.object.nullable.described(
        "Merged key by key; `null` clears. The scheme's shape tells the fields of each kind.")
    private static let status = JSONSchema.text(1...GradingKit.Status.longest).nullable.described(
        "One that the shape lists for the kind; `graded` and `null` are none.")
    private static let hidden = JSONSchema.flag.described("For staff: whether students do not see it yet.")

    private static let given = JSONSchema.object([
        "figures?": JSONSchema.map(to: .decimal.nullable),
        "outcomes?": JSONSchema.map(to: .text(1...64).nullable).described(
            "`met` or `unmet`, or of an outcome with `values` in the description one of these."),
    ]).described("For staff: shown figures and outcomes beside the computed ones; `null` takes one back.")
    private static let reasonOfGiving = JSONSchema.text(1...GivenValues.longestReason).described("Why, beside `given`.")

    static let recordPatch = JSONSchema.object(
        "RecordPatch", ["fields?": fields, "given?": given, "reason?": reasonOfGiving])

    /// A new entry with all its children.
    private static let newEntry = JSONSchema.object([
        "kind": .text, "fields?": fields, "status?": status, "hidden?": hidden,
        "children?": JSONSchema.array(of: .recursive("NewEntry")).nullable,
    ]).named("NewEntry")
    static let entryInput = JSONSchema.object(
        "EntryInput",
        [
            "kind": .text, "fields?": fields, "status?": status, "hidden?": hidden,
            "children?": JSONSchema.array(of: newEntry).nullable,
            "parent?": JSONSchema.text.nullable.described("The entry in which it is to stand; `null` for the record."),
        ])
    static let entryPatch = JSONSchema.object(
        "EntryPatch",
        ["fields?": fields, "status?": status, "hidden?": hidden, "given?": given, "reason?": reasonOfGiving])

    private static let addition = JSONSchema.object(
        "AddEntry",
        [
            "op": .choice(["add"]), "kind": .text, "fields?": fields, "status?": status, "hidden?": hidden,
            "children?": JSONSchema.array(of: newEntry).nullable,
            "parent?": JSONSchema.text.nullable.described("An entry, or the `ref` of an earlier step."),
            "ref?": JSONSchema.text.nullable.described("Names the entry for later steps and in the answer."),
        ])
    private static let modification = JSONSchema.object(
        "PatchEntry",
        [
            "op": .choice(["patch"]), "entry": .text, "fields?": fields, "status?": status, "hidden?": hidden,
            "given?": given, "reason?": reasonOfGiving,
        ])
    private static let deletion = JSONSchema.object("DeleteEntry", ["op": .choice(["delete"]), "entry": .text])
    private static let recordFields = JSONSchema.object(
        "PatchFields", ["op": .choice(["fields"]), "fields?": fields, "given?": given, "reason?": reasonOfGiving])
    static let changes = JSONSchema.object(
        "Changes",
        ["changes": .array(of: JSONSchema.one(of: [addition, modification, deletion, recordFields]).named("Change"))])

    /// A new entry of a what-if.
    private static let trialEntry = JSONSchema.object([
        "id?": .text(1...128), "kind": .text, "fields?": fields, "status?": status, "hidden?": hidden,
        "children?": JSONSchema.array(of: .recursive("TrialEntry")).nullable,
    ]).named("TrialEntry")
    private static let trialAddition = JSONSchema.object(
        "TryEntry",
        [
            "op": .choice(["add"]),
            "id?": JSONSchema.text(1...128).described("The caller's name for the entry, here and in the answer."),
            "kind": .text, "fields?": fields, "status?": status, "hidden?": hidden,
            "children?": JSONSchema.array(of: trialEntry).nullable,
            "parent?": JSONSchema.text.nullable.described("An entry, or the `id` or `ref` of an earlier step."),
            "ref?": JSONSchema.text.nullable.described("Names the entry for later steps."),
        ])
    /// Changes that are not stored, which may carry identifiers of the caller's choice.
    static let trial = JSONSchema.object(
        "Trial",
        [
            "changes": .array(
                of: JSONSchema.one(of: [trialAddition, modification, deletion, recordFields]).named("TrialChange"))
        ])

    static let goal = JSONSchema.object(
        "Goal",
        [
            "entry?": JSONSchema.text.nullable.described("The entry whose figure it is; `null` for the record."),
            "figure": .text,
            "target": JSONSchema.decimal.described("A number, a letter of the scale, or `met` for an outcome."),
            "unknowns?": JSONSchema.array(
                of: .one(of: [.text, .object("Unknown", ["entry": .text, "field?": .text.nullable])])
            ).nullable.described("The entries whose grades are open; all that are ungraded when left out."),
            "grid?": JSONSchema.decimal.nullable.described("The step between two grades, such as 0.5 or `1/4`."),
        ])

    /// An entry of a stateless calculation, which may carry an identifier of the caller's choice.
    static let evaluatedEntry = JSONSchema.object([
        "id?": .text(1...128), "kind": .text, "fields?": fields, "status?": status,
        "adjust?": JSONSchema.array(of: .object).described("What a class does to the grade, as records have it."),
        "given?": JSONSchema.object.nullable.described("What people or a class gave the entry, as records have it."),
        "class?": JSONSchema.text.described("The class for whose row the entry stands; it has no children then."),
        "enrolment?": .text,
        "children?": JSONSchema.array(of: .recursive("EvaluatedEntry")).nullable,
    ]).named("EvaluatedEntry")
}
