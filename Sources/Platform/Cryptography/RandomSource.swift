/// A source of unpredictable bytes; injected, so that tests are repeatable.
public struct RandomSource: Sendable {
    private let make: @Sendable (Int) -> [UInt8]

    /// Creates a source from a function that makes `count` bytes.
    public init(_ make: @escaping @Sendable (_ count: Int) -> [UInt8]) { self.make = make }

    /// Returns `count` bytes.
    public func bytes(_ count: Int) -> [UInt8] { make(max(0, count)) }

    /// The kernel's generator, fit for keys: Swift's system generator is `getrandom(2)` here, which never returns
    /// before the kernel has been seeded.
    public static let system = RandomSource { count in
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 7)
        while bytes.count < count {
            let word: UInt64 = generator.next()
            for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        return Array(bytes.prefix(count))
    }
}
