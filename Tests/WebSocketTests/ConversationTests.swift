import Testing

@testable import WebSocket

@Suite struct `A conversation` {
    private func actions(_ conversation: inout Conversation, _ bytes: [UInt8]) -> [Conversation.Action] {
        var position = 0
        var actions: [Conversation.Action] = []
        while let action = conversation.receive(bytes.span, at: &position) { actions.append(action) }
        return actions
    }

    private let hello = Frame(.text, "hi".utf8, mask: 7).bytes

    @Test func `delivers messages and answers pings`() {
        var conversation = Conversation()
        #expect(
            actions(&conversation, hello + Frame.ping([1], mask: 9).bytes + Frame.pong([2], mask: 9).bytes) == [
                .deliver(Message(.text, Array("hi".utf8))), .pong([1]), .pongArrived([2]),
            ])
    }

    @Test func `answers a close with the same code and hears nothing after it`() {
        var conversation = Conversation()
        let close = Frame.close(CloseCode(3000), reason: "x", mask: 1).bytes
        #expect(
            actions(&conversation, close + hello) == [.close(.close(CloseCode(3000)), CloseCode(3000), reason: "x")])
        #expect(conversation.connectionEnded() == nil)
        #expect(conversation.close(.normal) == nil)
    }

    @Test func `answers a close without a code with one`() {
        var conversation = Conversation()
        #expect(actions(&conversation, Frame.close(nil, mask: 1).bytes) == [.close(.close(nil), .noStatus, reason: "")])
    }

    @Test func `awaits the answer to its own close and keeps its own code`() {
        var conversation = Conversation()
        #expect(conversation.close(CloseCode(4500), reason: "why") == .close(CloseCode(4500), reason: "why"))
        #expect(conversation.close(.normal) == nil)
        #expect(!conversation.isOpen)
        #expect(actions(&conversation, hello + Frame.ping([1], mask: 9).bytes).isEmpty)
        #expect(
            actions(&conversation, Frame.close(CloseCode(4500), mask: 3).bytes) == [
                .close(nil, CloseCode(4500), reason: "why")
            ])
        #expect(conversation.connectionEnded() == nil)
    }

    @Test func `ends with 1006 when the connection breaks`() {
        var open = Conversation()
        #expect(open.connectionEnded() == .abnormal)
        #expect(open.connectionEnded() == nil)
        var closing = Conversation()
        _ = closing.close(.normal)
        #expect(closing.connectionEnded() == .abnormal)
    }

    @Test func `closes with the code of a violation`() {
        var conversation = Conversation()
        let violation = Violation.masking
        #expect(
            actions(&conversation, Frame.text("x").bytes + hello) == [
                .close(
                    .close(.protocolError, reason: violation.description), .protocolError,
                    reason: violation.description)
            ])
        #expect(Violation.text.closeCode == .invalidPayload)
        #expect(Violation.messageTooLong(limit: 1).closeCode == .messageTooBig)
        #expect(Violation.tooManyFragments(limit: 1).closeCode == .messageTooBig)
    }
}
