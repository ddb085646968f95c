import Accounts
import Application
import Cryptography
import Forms
import GradingKit
import Shared
import Testing

@Suite struct ProfilesTests {
    private func edit(_ harness: AccountsHarness, _ id: AccountID, _ body: JSON) async throws -> Profile {
        try await harness.services.profiles.edit(try ProfileEdit.form.read(body), of: id, from: "x").profile
    }

    @Test func `an edit changes what it names and null puts back the beginning`() async throws {
        let harness = try AccountsHarness()
        let id = try await harness.signUp("alice").account.id
        var profile = try await edit(
            harness, id,
            [
                "description": "I like\nlogic", "gender": "female", "avatarHue": .number("359.9"), "locale": "zh-Hans",
                "discoverable": true, "followers": "open", "lists": "friends",
            ])
        #expect(profile.displayName == "alice")
        #expect(profile.hue.tenths == 3_599)
        #expect(profile.locale == .simplifiedChinese)
        #expect(try await harness.services.profiles.account(id)?.profile == profile)
        profile = try await edit(
            harness, id,
            ["description": nil, "gender": nil, "avatarHue": nil, "discoverable": nil, "followers": nil, "lists": nil])
        #expect(profile == Profile(displayName: "alice", locale: .simplifiedChinese))
        profile = try await edit(harness, id, ["locale": nil])
        #expect(profile == Profile(displayName: "alice"))
    }

    @Test func `a first and a last name are said, kept, changed and taken away each by itself`() async throws {
        let harness = try AccountsHarness()
        let id = try await harness.signUp("alice").account.id
        #expect(try await harness.services.profiles.account(id)?.profile.personName == PersonName.none)
        let edits: [(JSON, PersonName)] = [
            (["givenName": " Alice ", "familyName": "Liddell"], PersonName(given: "Alice", family: "Liddell")),
            (["displayName": "Al"], PersonName(given: "Alice", family: "Liddell")),
            (["familyName": nil], PersonName(given: "Alice")),
            (["givenName": nil, "familyName": "Hargreaves"], PersonName(family: "Hargreaves")),
        ]
        for (body, expected) in edits {
            #expect(try await edit(harness, id, body).personName == expected)
            #expect(try await harness.services.profiles.account(id)?.profile.personName == expected)
        }
        let names = try await harness.services.profiles.names(of: [id])
        #expect(names[id] == AccountNames(displayName: "Al", personName: PersonName(family: "Hargreaves")))
        let wrong: JSON = [
            "givenName": .string(String(repeating: "x", count: 101)), "familyName": .string("a\u{202E}b"),
        ]
        let found = await faults { try ProfileEdit.form.read(wrong) }
        #expect(found == ["/familyName text_invalid", "/givenName text_too_long"])
    }

    @Test func `a wrong edit is answered with all its faults`() async {
        let body: JSON = [
            "displayName": nil, "description": .string(String(repeating: "x", count: 1_001)), "gender": "x",
            "avatarHue": .number("12.34"), "sharing": "friends", "login": "y",
        ]
        #expect(
            await faults { try ProfileEdit.form.read(body) } == [
                "/avatarHue too_precise", "/description text_too_long", "/displayName missing_field",
                "/gender out_of_range", "/login unknown_field", "/sharing unknown_field",
            ])
    }

    @Test(arguments: [
        (JSON.number("0"), 0), (.number("360"), 3_600), (.string("12.5"), 125), (.number("1e2"), 1_000),
        (.number("7.0"), 70),
    ])
    func `a hue is read exactly`(json: JSON, tenths: Int) throws {
        #expect(try AvatarHue(json).tenths == tenths)
    }

    @Test(arguments: [
        (JSON.number("360.1"), "out_of_range"), (.number("-0.1"), "out_of_range"), (.string("red"), "not_a_number"),
        (.number("1e999"), "not_a_number"), (.number("0.05"), "too_precise"), (true, "wrong_type"),
    ])
    func `a wrong hue says why`(json: JSON, code: String) async {
        #expect(await faults { try AvatarHue(json) } == [" \(code)"])
    }

    @Test func `hues and names go out as they should`() async throws {
        let harness = try AccountsHarness()
        let id = try await harness.signUp("alice").account.id
        _ = try await edit(harness, id, ["avatarHue": .number("210.0"), "displayName": "Al \"Ice\""])
        var writer = JSONWriter()
        try await harness.services.profiles.account(id)?.write(to: &writer)
        #expect(
            writer.text == """
                {"id":"\(id)","login":"alice","displayName":"Al \\"Ice\\"","givenName":null,"familyName":null,\
                "description":"","gender":"unspecified","avatarHue":210,"locale":null,"discoverable":false,"followers":"approve",\
                "lists":"none","avatar":null,"role":null,"disabled":false,\
                "createdAt":"2027-01-15T08:00:00.000Z"}
                """)
        #expect(AvatarHue(tenths: 5).text == "0.5")
    }

    @Test func `deleting erases everything but the fact`() async throws {
        let harness = try AccountsHarness()
        let alice = try await harness.signUp("alice")
        let id = alice.account.id
        try await harness.services.profiles.setPicture(try Picture(AccountsHarness.picture), of: id, from: "x")
        try await harness.services.profiles.delete(id, by: harness.server)
        #expect(try await harness.services.profiles.account(id) == nil)
        #expect(try await harness.services.profiles.picture(of: id) == nil)
        #expect(try await harness.services.sessions.authenticate(alice.token) == nil)
        await #expect(throws: AccountError.refused) { try await harness.signIn("alice") }
        let trail = try await harness.services.administration.audit(AuditQuery(subject: id.text))
        #expect(trail.first?.entry.action == "account.deleted")
        #expect(trail.allSatisfy { $0.entry.detail == nil })
        try await harness.signUp("alice")
    }

    @Test func `the export holds account, picture and sessions, and no secret`() async throws {
        let harness = try AccountsHarness()
        let alice = try await harness.signUp("alice")
        try await harness.services.profiles.setPicture(
            try Picture(AccountsHarness.picture), of: alice.account.id, from: "x")
        let members = try await export(harness, alice.account.id)
        let export = try JSON.parse("{\(String(decoding: members, as: UTF8.self))}")
        #expect(export["account"]?["login"] == "alice")
        #expect(export["picture"]?["type"] == "image/png")
        #expect(export["sessions"]?.array?.count == 1)
        let trail = try await harness.services.profiles.audit(about: alice.account.id, before: nil, limit: 9)
        #expect(trail.last?.entry.action == "account.created")
        #expect(!export.text.contains("argon2"))
        #expect(!export.text.contains(alice.token.text))
    }

    private func export(_ harness: AccountsHarness, _ id: AccountID) async throws -> [UInt8] {
        var writer = JSONWriter()
        try await harness.services.profiles.writeExport(of: id, to: &writer)
        return writer.bytes
    }
}
