import Institutions
import Shared
import Testing

@testable import Application

@Suite struct ProfileVisibilityTests {
    @Test func `members of one institution see each other, strangers see nobody, administrators everybody`()
        async throws
    {
        let harness = try await ProgramHarness()
        let visibility = ProfileVisibility(members: harness.institutions.members)
        let (ada, bob) = (
            try await harness.caller("ada", as: "student"), try await harness.caller("bob", as: "teacher")
        )
        let (eve, root) = (try await harness.caller("eve"), try await harness.administrator())
        #expect(try await visibility.maySee(bob.account, ada))
        #expect(try await visibility.maySee(ada.account, bob))
        #expect(try await visibility.maySee(eve.account, eve))
        #expect(try await !visibility.maySee(ada.account, eve))
        #expect(try await !visibility.maySee(eve.account, ada))
        #expect(try await visibility.maySee(eve.account, root))
        #expect(try await !visibility.maySee(root.account, eve))
    }
}
