import Classes
import Forms

// Schemas of acts in a class, and of the people they concern.

extension JSONSchema {
    static let sectionChanges = JSONSchema.array(
        of: .object(
            "SectionChange",
            [
                "row": JSONSchema.text.described("The enrolment."),
                "section": JSONSchema.text.nullable.described("The section; `null` for none."),
                "was?": JSONSchema.text.nullable.described("The section that was seen, as a condition."),
            ]))
    static let classMarking = document(
        "ClassMarking",
        [
            "v": classVersion, "s": structureNumber, "line": .text,
            "marks?": JSONSchema.array(
                of: .document("OwnMark", ["row": .text, "value": .text.nullable])
            ).described("The caller's own."),
            "codes?": JSONSchema.array(
                of: .document("SealedCell", ["code": .text, "cell?": .object])
            ).described("Of a line that is marked anonymously, in their own order; more than there are students."),
        ])
    private static let isChanged = JSONSchema.flag.described(
        "Whether anything changed; if not, `v` is the version of an earlier act.")
    static let classAct = document(
        "ClassAct",
        [
            "v": classVersion, "s": structureNumber, "changed": isChanged, "accepted?": .integer,
            "faults?": .array(of: .fault),
            "stillMissing?": JSONSchema.integer.described(
                "How many results stay marked as missing in lines whose due date was moved on or taken away."),
        ])
    static let cellsAnswer = document(
        "CellsAnswer",
        [
            "v": classVersion, "s": structureNumber, "changed": isChanged, "accepted": .integer,
            "faults": .array(of: .fault),
        ])
    static let correctionAct = document(
        "CorrectionAct",
        [
            "correction": .document("CorrectionState", ["id": .text, "state": .choice(of: Correction.State.self)]),
            "v": classVersion,
        ])
    static let classEnrolment = document(
        "ClassEnrolment",
        [
            "id": .text, "class": .text, "student": .text.nullable, "record": .text, "entry": .text,
            "section": .text.nullable, "since": .text, "withdrawn": .flag, "v": classVersion,
        ])
    static let classTransfer = document(
        "ClassTransfer",
        [
            "enrolment": JSONSchema.classEnrolment.described("The student in the other class."),
            "left": JSONSchema.array(of: .text).described("Lines of the former class whose results stay behind."),
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
    static let waitingCorrection = document(
        "WaitingCorrection",
        [
            "id": .text, "class": document("CorrectedClass", ["id": .text, "title": .text]), "institution": .text,
            "account": JSONSchema.text.described("Who asked for it."), "name?": .text, "at": .text, "reason": .text,
        ])
    static let cellComment = document(
        "CellComment",
        [
            "id": .text, "line": JSONSchema.text.nullable.described("`null` for one that is gone."),
            "for": .choice(of: CellComment.Audience.self),
            "account": JSONSchema.text.nullable.described("Who wrote it; `null` after the account was deleted."),
            "name?": .text, "at": .text, "text": .text,
        ])
    static let ownComment = document(
        "OwnComment",
        [
            "text": .text, "for": JSONSchema.choice(of: CellComment.Audience.self).described("For whom it was last."),
            "count": JSONSchema.integer.described("How often it was written lately."),
        ])
    static let commentAct = document(
        "CommentAct", ["comment": .document("CommentName", ["id": .text]), "v": classVersion])
    static let ledgerLine = document(
        "LedgerLine",
        [
            "number": JSONSchema.integer.described("The line's place in the class's ledger."), "v": classVersion,
            "at": .text,
            "account": .text, "operation": .text, "enrolment": .text.nullable,
            "reason": .text.nullable,
            "before": JSONSchema.object.nullable.described("Cells by their lines' numbers, or the structure's number."),
            "after": .object.nullable,
        ])
}
