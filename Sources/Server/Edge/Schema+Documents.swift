import GradingKit

extension Schema {
    static let problem = Schema.object(
        "Problem",
        [
            "type": SchemaType.text, "title": SchemaType.text, "status": SchemaType.integer, "code": SchemaType.text,
            "detail": SchemaType.optionalText, "faults": ["type": "array", "items": Schema.fault.reference],
            "retryable": SchemaType.flag,
        ], isOpen: true)
    static let fault = Schema.object(
        "Fault",
        ["code": SchemaType.text, "path": SchemaType.text, "message": SchemaType.text, "args?": SchemaType.object])
    static let account = Schema.object(
        "Account",
        [
            "id": SchemaType.text, "login": SchemaType.text, "displayName": SchemaType.text,
            "description": SchemaType.text, "gender": SchemaType.text, "avatarHue": SchemaType.number,
            "locale": SchemaType.choice("en", "fr", "zh-Hans"), "sharing": SchemaType.text,
        ], isOpen: true)
    static let session = Schema.object(
        "Session", ["id": SchemaType.text, "token?": SchemaType.text, "expiresAt": SchemaType.moment], isOpen: true)
    static let admission = Schema.object(
        "Admission",
        ["account": Schema.account.reference, "session": Schema.session.reference, "device?": SchemaType.text],
        isOpen: true)
    static let figure = Schema.object(
        "Figure",
        [
            "exact": SchemaType.optionalText, "display": SchemaType.text, "scale": SchemaType.integer,
            "rounding": SchemaType.text, "reason?": SchemaType.text, "band?": SchemaType.text,
            "text?": SchemaType.text, "floor?": SchemaType.text, "ceiling?": SchemaType.text,
            "floorExact?": SchemaType.text, "ceilingExact?": SchemaType.text,
        ])
    static let standing = Schema.object(
        "Standing",
        [
            "record": SchemaType.optionalText, "scheme": SchemaType.text, "program": SchemaType.optionalText,
            "programVersion": ["type": ["integer", "null"]],
            "figures": ["type": "object", "additionalProperties": Schema.figure.reference],
            "entries": SchemaType.object, "outcomes": SchemaType.object, "warnings": SchemaType.objects,
            "traces?": SchemaType.object,
        ])
    static let entryInput = Schema.object(
        "EntryInput",
        [
            "kind": SchemaType.text, "fields?": SchemaType.object, "children?": SchemaType.objects,
            "parent?": SchemaType.optionalText, "status?": SchemaType.optionalText, "hidden?": SchemaType.flag,
        ])
    static let entryPatch = Schema.object(
        "EntryPatch",
        ["fields?": SchemaType.object, "status?": SchemaType.optionalText, "hidden?": SchemaType.flag])
    static let entry = Schema.object(
        "Entry",
        [
            "id": SchemaType.text, "kind": SchemaType.text, "position": SchemaType.integer,
            "status": SchemaType.optionalText, "hidden": SchemaType.flag, "fields": SchemaType.object,
            "children": SchemaType.objects,
        ])
    static let changes = Schema.object("Changes", ["changes": SchemaType.objects])
    static let goal = Schema.object(
        "Goal",
        [
            "entry?": SchemaType.optionalText, "figure": SchemaType.text, "target": ["type": ["number", "string"]],
            "unknowns?": ["type": "array", "items": ["type": ["string", "object"]]],
            "grid?": ["type": ["number", "string", "null"]],
        ])
    static let goalAnswer = Schema.object(
        "GoalAnswer",
        [
            "status": SchemaType.choice("reachable", "already_secured", "out_of_reach"),
            "inputs": SchemaType.objects, "reached": SchemaType.object, "ceiling": SchemaType.object,
            "buffer": ["type": ["number", "string", "null"]],
        ])
    static let record = Schema.object(
        "Record",
        [
            "record": SchemaType.object, "version": SchemaType.integer, "standing": Schema.standing.reference,
        ])
    static let recordPeople = Schema.object("RecordPeople", ["student": ["type": ["object", "null"]]], isOpen: true)
    static let edited = Schema.object(
        "Edited",
        [
            "entry?": Schema.entry.reference, "version": SchemaType.integer, "standing": Schema.standing.reference,
            "entries?": SchemaType.object,
        ])
    static let recordItem = Schema.object(
        "RecordItem",
        [
            "id": SchemaType.text, "program": SchemaType.text, "scheme": SchemaType.text, "title": SchemaType.text,
            "version": SchemaType.integer, "figures": SchemaType.object,
        ], isOpen: true)
    static let historyItem = Schema.object(
        "HistoryItem",
        [
            "version": SchemaType.integer, "at": SchemaType.moment, "by": SchemaType.object, "op": SchemaType.text,
            "entry": SchemaType.optionalText, "before": [:], "after": [:], "figures": SchemaType.object,
            "reason": SchemaType.optionalText,
        ])
    static let institution = Schema.object(
        "Institution",
        [
            "id": SchemaType.text, "slug": SchemaType.text, "title": SchemaType.text, "locale": SchemaType.text,
            "open": SchemaType.flag, "keepsReading": SchemaType.flag,
        ], isOpen: true)
    static let program = Schema.object(
        "Program",
        [
            "id": SchemaType.text, "institution": SchemaType.text, "scheme": SchemaType.text,
            "title": SchemaType.text, "entry": SchemaType.choice("self", "staff", "both"),
            "version": ["type": ["integer", "null"]],
        ], isOpen: true)
    static let member = Schema.object(
        "Member", ["account": SchemaType.text, "role": SchemaType.text, "programs": SchemaType.texts], isOpen: true)
    static let invitation = Schema.object(
        "Invitation", ["id": SchemaType.text, "role": SchemaType.text, "expiresAt": SchemaType.moment], isOpen: true)
    static let scheme = Schema.object("Scheme", ["id": SchemaType.text, "title": SchemaType.object], isOpen: true)
}
