/// Whether the server is stopping.
final class Drain: Sendable {
    private let flag = Flag()

    var hasBegun: Bool { flag.isSet }

    func begin() { flag.set() }
}
