import GradingKit

/// What is read and written again is the same, in bytes as well from then on.
@Sendable func fuzzJSON(_ bytes: [UInt8]) {
    guard let value = try? JSON.parse(bytes) else { return }
    promise(String(validating: bytes, as: UTF8.self) != nil, "no UTF-8")
    let written = value.bytes
    guard let again = try? JSON.parse(written) else { fatalError("unreadable: \(written)") }
    promise(again == value, "another value")
    promise(again.bytes == written, "other bytes")
}
