import Glibc

/// An error of the operating system.
struct SystemError {
    /// `errno`.
    let number: Int32
    /// The action that failed.
    let action: String

    var description: String { "cannot \(action): \(String(cString: strerror(number)))" }
}
