@testable import Live

/// A client's message is read or refused; what was read can be told apart from everything else.
@Sendable func fuzzLive(_ bytes: [UInt8]) {
    guard let message = ClientMessage(bytes, limits: LiveLimits()) else { return }
    guard case .sub(let text, _) = message, let topic = try? Topic(text: text) else { return }
    promise((try? Topic(text: topic.description)) == topic, "\(text) is another topic")
}
