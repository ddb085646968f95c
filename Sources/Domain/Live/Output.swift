/// Whether what was sent to a reader is on its way.
enum Output {
    /// All of it is with the kernel.
    case clear
    /// Some of it may still wait in this process.
    case busy
}
