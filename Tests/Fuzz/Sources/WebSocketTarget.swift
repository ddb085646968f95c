import WebSocket

private func converse(
    _ parts: [ArraySlice<UInt8>], _ role: FrameDecoder.Role, compresses: Bool
) -> [Conversation.Action] {
    var limits = FrameDecoder.Limits(allowsCompression: compresses)
    limits.message = 2_048
    limits.fragments = 32
    var (conversation, actions) = (Conversation(role: role, limits: limits), [Conversation.Action]())
    for part in parts {
        let bytes = Array(part)
        var position = 0
        while let action = conversation.receive(bytes.span, at: &position) { actions.append(action) }
        promise(position == bytes.count, "bytes were left")
    }
    return actions
}

/// What is heard does not depend on the cut; messages keep their limit, text is UTF-8, and the end comes once.
@Sendable func fuzzWebSocket(_ bytes: [UInt8]) {
    for (role, compresses) in [(FrameDecoder.Role.server, false), (.client, false), (.server, true)] {
        let actions = converse([bytes[...]], role, compresses: compresses)
        promise(actions == converse(pieces(bytes), role, compresses: compresses), "the cut decides")
        for (index, action) in actions.enumerated() {
            switch action {
            case .deliver(let message):
                promise(message.payload.count <= 2_048, "a long message")
                promise(
                    message.kind != .text || String(validating: message.payload, as: UTF8.self) != nil, "no UTF-8")
            case .pong(let payload), .pongArrived(let payload): promise(payload.count <= 125, "a long ping")
            case .close: promise(index == actions.count - 1, "something after the end")
            }
        }
    }
}
