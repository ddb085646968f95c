import Accounts
import Cryptography
import HTTP
import Shared

/// The small texts that come from outside: what is read is written as it was, or as its one canonical form.
@Sendable func fuzzWords(_ bytes: [UInt8]) {
    promise(Base64.url.decode(Base64.url.encode(bytes)) == bytes, "base64")
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    if let decoded = Base64.url.decode(text) { promise(Base64.url.encode(decoded) == text, "two texts of one value") }
    if let address = IPAddress(text) { promise(IPAddress(address.description) == address, "an address") }
    if let day = CalendarDay(text: text) { promise(day.description == text, "a day") }
    if let revision = Revision(text: text) { promise(Revision(text: revision.description) == revision, "a revision") }
    if let target = try? Target(text) { promise((try? Target(target.description)) == target, "a target") }
    if let login = try? Login(text) { promise((try? Login(login.text)) == login, "a login") }
    if let token = SecretToken(text: text) { promise(token.text == text, "a token") }
    _ = PasswordHash(text: text)
}
