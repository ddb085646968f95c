public import Forms
import GradingKit
public import Shared

/// How to publish a draft, as read from a request.
public struct Publication: Sendable, Equatable {
    /// The digest of the rehearsal before publication; `nil` if there was none.
    public let digest: String?
    /// The day from which the version is in force; `nil` for today.
    public let effectiveFrom: CalendarDay?
    /// What happens to the existing records.
    public let records: RecordTreatment

    /// Creates a publication.
    public init(digest: String? = nil, effectiveFrom: CalendarDay? = nil, records: RecordTreatment = .keep) {
        self.digest = digest
        self.effectiveFrom = effectiveFrom
        self.records = records
    }

    /// The form of a request to publish.
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
}
