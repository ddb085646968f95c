/// A hash of a name (FNV-1a), compared on hot paths in its place. A shape refuses two names with one hash.
struct NameKey: Hashable, Sendable {
    private let hash: UInt64

    init(_ name: String) {
        hash = name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
