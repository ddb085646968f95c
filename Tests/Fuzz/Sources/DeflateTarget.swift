@testable import WebSocket

/// What is restored keeps its limit and survives being compressed with every window; what is agreed to is an offer that
/// would be agreed to in the same terms.
@Sendable func fuzzDeflate(_ bytes: [UInt8]) {
    let limit = 1_024
    if let restored = try? Compression.inflate(bytes, limit: limit) {
        promise(restored.count <= limit, "longer than the limit")
        survives(restored)
    }
    survives(bytes)
    guard let text = String(validating: bytes, as: UTF8.self), let terms = Deflate(offers: [text]) else { return }
    promise((9...15).contains(terms.window), "no window")
    promise(Deflate(offers: [terms.answer]) == terms, "other terms")
}

private func survives(_ payload: [UInt8]) {
    let window = 9 + Int(payload.first ?? 0) % 7
    guard let short = Compression.deflate(payload, window: window) else { return }
    promise(short.count < payload.count, "longer when compressed")
    promise((try? Compression.inflate(short, limit: payload.count)) == payload, "not what was compressed")
    promise((try? Compression.inflate(short, limit: payload.count - 1)) == nil, "beyond the limit")
}
