public import Forms
public import GradingKit
public import Shared

/// How a draft is to be published, found acceptable.
public struct Publication: Sendable, Equatable {
    /// The rehearsal's digest on which it rests; `nil` for none.
    public let digest: String?
    /// From which day it holds; `nil` for today.
    public let effectiveFrom: CalendarDay?
    /// What becomes of the records there are.
    public let records: RecordTreatment

    /// A publication.
    public init(digest: String? = nil, effectiveFrom: CalendarDay? = nil, records: RecordTreatment = .keep) {
        self.digest = digest
        self.effectiveFrom = effectiveFrom
        self.records = records
    }

    /// What a request to publish holds.
    public static let form = RequestForm(
        "Publication", example: ["digest": "5f1c", "effectiveFrom": "2027-09-01", "records": "move"]
    ) { form in
        Publication(
            digest: form.line("digest", max: 128),
            effectiveFrom: form.parse("effectiveFrom", form.text("effectiveFrom", as: .day)) {
                text throws(FaultList) in
                guard let day = CalendarDay(text: text) else { throw FaultList([Fault(.dayInvalid)]) }
                return day
            },
            records: form.choice("records", of: RecordTreatment.self) ?? .keep)
    }

    /// Reads `{digest?,effectiveFrom?,records?}`; throws everything wrong at once.
    public init(_ body: JSON) throws(FaultList) { self = try Self.form.read(body) }
}
