/// A subject that a permission depends on, with its access version when the permission was checked.
public struct AccessGround: Sendable, Hashable {
    /// The subject.
    public let subject: AccessSubject
    /// Its access version when the permission was checked.
    public let version: Int

    /// Creates a ground.
    public init(_ subject: AccessSubject, at version: Int) {
        self.subject = subject
        self.version = version
    }

    /// Throws ``StoreError/moved`` unless the stored version is still the same.
    public func check(stored: Int) throws(StoreError) {
        guard stored == version else { throw .moved }
    }
}
