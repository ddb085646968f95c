import GradingKit
import Institutions
import Testing

@Suite struct WordingTests {
    @Test func `every code of the module is worded in every language`() {
        let codes: [FaultCode] = [
            .slugTaken, .slugConfigured, .slugInvalid, .programUnknown, .accountUnknown, .notStudent, .draftMissing,
            .dayInvalid,
            .dayTooEarly, .studentNumberTaken, .invitationRefused, .invitationOwn, .versionInForce, .membershipByRule,
            .serviceAccountLimit, .timeZoneUnknown, .termUnknown, .termMisplaced, .termInUse, .termLimit, .daysReversed,
            .daysOutside, .periodsOverlap, .wouldLose, .webhookLimit, .webhookQueueFull, .webhookAddress,
        ]
        #expect(MessageCatalog.institutions.codes == codes.sorted())
        for code in codes {
            let texts = Language.allCases.map { MessageCatalog.institutions.message(code, in: $0) }
            #expect(Set(texts).count == Language.allCases.count)
        }
    }
}
