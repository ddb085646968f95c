import Accounts
import GradingKit
import Shared
import Testing

@Suite struct WordingTests {
    @Test func `every code of the harness is worded in every language`() {
        let codes: [FaultCode] = [
            .emailInvalid, .loginTaken, .loginInvalid, .loginConfusable, .passwordTooShort, .passwordTooLong,
            .passwordCommon, .passwordWrong, .tokenRefused, .codeRefused, .pictureInvalid, .pictureTooLarge,
            .lastAdministrator, .signInExpired, .signInRefused, .identityTaken, .identityPresent, .lastSignIn,
            .passkeyRefused, .passkeyLimit, .tokenLimit, .scopeRefused, .serviceScopeRefused, .networkInvalid,
            .signUpClosed,
        ]
        #expect(MessageCatalog.accounts.codes == codes.sorted())
        for code in codes {
            let texts = Language.allCases.map { MessageCatalog.accounts.message(code, in: $0) }
            #expect(Set(texts).count == Language.allCases.count)
        }
    }
}
