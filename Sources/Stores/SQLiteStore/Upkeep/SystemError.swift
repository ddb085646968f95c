import Glibc

/// A refusal of the operating system.
struct SystemError: Error {
    /// `errno`.
    let number: Int32
    /// What was tried.
    let action: String

    var description: String { "cannot \(action): \(String(cString: strerror(number)))" }
}
