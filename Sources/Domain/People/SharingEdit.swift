public import Forms
import GradingKit

/// A person's choice of what to show of a record, as read from a request.
public struct SharingEdit: Sendable {
    /// The choice.
    public let sharing: RecordSharing

    /// The form of a choice.
    public static let form = RequestForm("RecordSharing", example: ["what": "headline", "with": ["members"]]) {
        SharingEdit(&$0)
    }

    private init(_ form: inout Form) {
        let what = form.choice("what", of: RecordSharing.Extent.self, required: true)
        let audiences = JSONSchema.choice(of: RecordSharing.Audience.self)
        let named = form.array("with", of: audiences, most: RecordSharing.Audience.allCases.count, required: true)
        var with: Set<RecordSharing.Audience> = []
        for (index, element) in (named ?? []).enumerated() {
            if let audience = element.string.flatMap({ RecordSharing.Audience(rawValue: $0) }) {
                with.insert(audience)
            } else {
                let allowed = RecordSharing.Audience.allCases.map { JSON.string($0.rawValue) }
                let fault = Fault(.outOfRange, at: JSONPointer.step(index), ["allowed": .array(allowed)])
                form.refuse("with", FaultList([fault]))
            }
        }
        sharing = RecordSharing(what: what ?? .headline, with: with)
    }
}
