/// One of the subjects on which a permission rests, with its access version when the permission was given.
public struct AccessGround: Sendable, Hashable {
    /// What the permission rests on.
    public let subject: AccessSubject
    /// Its access version when it was read for the permission.
    public let version: Int

    /// A subject as it was read.
    public init(_ subject: AccessSubject, at version: Int) {
        self.subject = subject
        self.version = version
    }

    /// Throws ``StoreError/moved`` unless the stored version is still that one.
    public func check(stored: Int) throws(StoreError) {
        guard stored == version else { throw .moved }
    }
}
