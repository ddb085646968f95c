/// A hash of a name (FNV-1a), which hot paths compare instead of the name. A shape refuses two names with the same
/// hash.
struct NameKey: Hashable, Sendable {
    private let hash: UInt64

    init(_ name: String) {
        hash = name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
