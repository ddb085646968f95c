import Accounts
import Application
import Cryptography
import Testing

@Suite struct PasswordHasherTests {
    @Test func `a hash that does not exist is verified by the same work, and never matches`() async throws {
        let cost = try #require(Argon2Cost(memory: 1_024, passes: 1, lanes: 1))
        let hasher = try PasswordHasher(cost: cost)
        let hash = try await hasher.hash(Password("a long enough one"))
        #expect(try await hasher.verify(Password("a long enough one"), against: hash))
        #expect(try await !hasher.verify(Password("a long enough one"), against: nil))
        #expect(try await !hasher.verify(Password(""), against: nil))
        #expect(!hasher.isOutdated(hash))
        #expect(hasher.waiting == 0)
    }

    @Test func `a hash of another pepper never matches, by the same work`() async throws {
        let cost = try #require(Argon2Cost(memory: 1_024, passes: 1, lanes: 1))
        let keys = [UInt8(1), 2].map { Pepper(key: [UInt8](repeating: $0, count: 32)) }
        let hash = try await PasswordHasher(cost: cost, pepper: keys[0]).hash(Password("a long enough one"))
        for key in [keys[1], nil] {
            let other = try PasswordHasher(cost: cost, pepper: key)
            #expect(try await !other.verify(Password("a long enough one"), against: hash))
        }
    }

    @Test func `a full queue of passwords is refused, and what was taken is done`() async throws {
        let cheap = try #require(Argon2Cost(memory: 8_192, passes: 1, lanes: 1))
        let hasher = try PasswordHasher(threads: 1, queue: 2, cost: cheap)
        let outcomes = await withTaskGroup(of: Bool?.self) { group in
            for _ in 0..<32 {
                group.addTask {
                    do {
                        return try await hasher.verify(Password("x"), against: nil)
                    } catch {
                        return (error as? AccountError) == .busy(retryAfter: 1) ? nil : true
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == false } >= 2)
        #expect(outcomes.allSatisfy { $0 != true })
        let hash = try await hasher.hash(Password("after the rush"))
        #expect(try await hasher.verify(Password("after the rush"), against: hash))
    }
}
