import Shared
import Testing

@testable import Live

@Suite struct ClientMessageTests {
    static let good: [(String, ClientMessage)] = [
        (#"{"t":"hello"}"#, .hello(token: nil)),
        (#"{"t":"hello","token":"abc","client":"web/1.0","new":[1]}"#, .hello(token: "abc")),
        (#"{"t":"sub","topic":"x"}"#, .sub("x", have: nil)),
        (
            #"{"t":"sub","topic":"x","have":{"e":"k3","v":41}}"#,
            .sub("x", have: Revision(epoch: Epoch("k3"), version: 41))
        ),
        (#" { "topic" : "x" , "t" : "unsub" } "#, .unsub("x")),
        (#"{"t":"auth","token":"abc"}"#, .auth(token: "abc")),
        (#"{"t":"pong","n":17}"#, .pong(17)),
    ]

    @Test(arguments: good)
    func `a message is read`(text: String, message: ClientMessage) {
        #expect(ClientMessage(Array(text.utf8), limits: LiveLimits()) == message)
    }

    @Test(arguments: [
        "", "null", "[]", "{}", "{", #"{"t":1}"#, #"{"t":"subscribe"}"#, #"{"t":"hello","token":1}"#,
        #"{"t":"hello","token":""}"#, #"{"t":"hello","client":1}"#, #"{"t":"hello","t":"hello"}"#, #"{"t":"sub"}"#,
        #"{"t":"sub","topic":1}"#, #"{"t":"sub","topic":"x","have":null}"#, #"{"t":"sub","topic":"x","have":{}}"#,
        #"{"t":"sub","topic":"x","have":{"e":"k3"}}"#, #"{"t":"sub","topic":"x","have":{"e":"k3","v":"41"}}"#,
        #"{"t":"sub","topic":"x","have":{"e":"k3","v":-1}}"#, #"{"t":"sub","topic":"x","have":{"e":"k3","v":1.0}}"#,
        #"{"t":"sub","topic":"x","have":{"e":"k3","v":1e2}}"#, #"{"t":"sub","topic":"x","have":{"e":"","v":1}}"#,
        #"{"t":"sub","topic":"x","have":{"e":"k.3","v":1}}"#, #"{"t":"sub","topic":"x","have":{"e":"k-3","v":1}}"#,
        #"{"t":"sub","topic":"x","have":{"e":"k3","v":99999999999999999999}}"#,
        #"{"t":"sub","topic":"x","have":"k3.41"}"#,
        #"{"t":"unsub"}"#, #"{"t":"auth"}"#, #"{"t":"auth","token":null}"#, #"{"t":"pong"}"#, #"{"t":"pong","n":"1"}"#,
        #"{"t":"pong","n":1}x"#, #"{"t":"pong","n":1,"x":[[[[[[[[1]]]]]]]]}"#, "{\"t\":\"pong\u{0}\"}",
    ])
    func `what is no message of the protocol is refused`(text: String) {
        #expect(ClientMessage(Array(text.utf8), limits: LiveLimits()) == nil)
    }

    @Test func `nesting up to the limit is allowed`() {
        let text = #"{"t":"pong","n":1,"x":[[[[[[[1]]]]]]]}"#
        #expect(ClientMessage(Array(text.utf8), limits: LiveLimits()) == .pong(1))
    }

    @Test func `a token has an end`() {
        let token = String(repeating: "x", count: 4_097)
        #expect(ClientMessage(Array(#"{"t":"auth","token":"\#(token)"}"#.utf8), limits: LiveLimits()) == nil)
    }
}
