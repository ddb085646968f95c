import Accounts
import Cryptography
import DataStore
import Records
import Shared

extension StoreLaw {
    /// A password's hash as a key makes it; no password fits it.
    private static func hash(_ letter: Character, by pepper: Pepper) throws -> PasswordHash {
        let text = try Sample.hash(letter).text
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        let key = PasswordHash.text(of: pepper).dropLast()
        let peppered = (parts.prefix(3) + ["\(parts[3])\(key)"] + parts.dropFirst(4)).joined(separator: "$")
        guard let hash = PasswordHash(text: peppered) else { throw Violation(description: "\(peppered) is no hash") }
        return hash
    }

    private static func pepper(_ byte: UInt8) throws -> Pepper {
        guard let pepper = Pepper(key: [UInt8](repeating: byte, count: 32)) else {
            throw Violation(description: "the sample is no key")
        }
        return pepper
    }

    static let upkeep: [StoreLaw] = [
        StoreLaw("an open store is read and written, and has written what was acknowledged") { place in
            let upkeep = place.data.upkeep
            try await place.store.create("r")
            try expect(await upkeep.isReadable(), "it can be read")
            try expect(await upkeep.checkWritable(), "it can be written")
            try expect(upkeep.waitingWrites, is: 0, "the changes that wait")
            try expect(upkeep.isGuest, is: false, "whether it is a guest")
            // Of tables and indices that hold hardly anything.
            try expect(100_000..<100_000_000 ~= upkeep.size, "\(upkeep.size) bytes are a size for an empty database")
            try expect(try await upkeep.isHeeded(within: .zero), "there is no other server to take anything in")
        },
        StoreLaw("a store without room is still read") { place in
            let small = try await place.small()
            let text = String(repeating: "x", count: 8_000)
            var error: (any Error)?
            for number in 0..<1_000 where error == nil {
                do { try await small.store.create("r\(number)", text) } catch let refusal { error = refusal }
            }
            try expect(error as? StoreError, is: .full, "what ends the writing")
            try expect(await small.data.upkeep.isReadable(), "it can be read")
            try expect(try await small.store.found("r0").fullVersion, is: 1, "what was acknowledged")
            await small.close()
        },
        StoreLaw("what a program beside the server has changed is taken in, records excepted") { place in
            let guest = try place.factory.open(mayBeGuest: true, observer: { _ in }, gathering: { $0() })
            try expect(guest.upkeep.isGuest, is: true, "whether it is a guest")
            try expect(guest.epoch, is: place.epoch, "the epoch")
            try await guest.accounts.insert(
                Sample.account("a"), password: nil, audit: Sample.entry("account.created", of: "a"), keeping: nil)
            try expect(try await place.data.accounts.account(AccountID("a")) != nil, "the server reads it")
            try expect(try await guest.upkeep.isHeeded(within: .zero), is: false, "before the server took it in")
            let heeding = Task { await place.data.upkeep.heedOthers() }
            try expect(try await guest.upkeep.isHeeded(within: .seconds(60)), is: true, "when it does")
            heeding.cancel()
            await heeding.value
            try expect(place.told.contains(.accountsChanged), "it is told")
            do {
                _ = try await guest.records.create("r")
                throw Violation(description: "a guest made a record")
            } catch StoreError.unavailable {}
            await guest.close()
        },
        StoreLaw("passwords of another key are counted, and taken away with a line in the trail") { place in
            let (first, second) = (try pepper(1), try pepper(2))
            try await place.make("plain")
            try await place.make("mine", password: try hash("a", by: first))
            try await place.make("theirs", password: try hash("b", by: second))
            func census(_ pepper: Pepper?) throws -> PasswordCensus { try place.factory.passwords(pepper: pepper) }
            try expect(try census(first), is: PasswordCensus(peppered: 2, foreign: 1), "by the first key")
            try expect(try census(try pepper(3)).isOfAnotherKey, "a key that fits none is another store's")
            try expect(try census(nil), is: PasswordCensus(peppered: 2, foreign: 2), "without a key")
            let entry = Sample.entry("passwords.forgotten", of: "*")
            let forgotten = try await place.data.upkeep.forgetPasswords(besides: first, audit: entry)
            try expect(forgotten, is: 1, "those taken away")
            var left: [String] = []
            for id in ["plain", "mine", "theirs"] {
                if try await place.data.accounts.password(of: AccountID(id)) != nil { left.append(id) }
            }
            try expect(left, is: ["plain", "mine"], "who has a password left")
            let lines = try await place.data.accounts.auditItems(AuditQuery(limit: 1))
            try expect(lines.map(\.entry.action), is: ["passwords.forgotten"], "the newest line")
        },
    ]
}
