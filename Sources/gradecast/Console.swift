import Glibc

/// The program's output to the person or script that called it.
enum Console {
    /// Prints a line of output.
    static func say(_ text: String) { write(text + "\n", to: STDOUT_FILENO) }

    /// Prints a line about what went wrong.
    static func complain(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

    /// Shows the progress of long work, in place on a terminal and not at all elsewhere.
    static func progress(_ label: String, _ done: Int, of total: Int) {
        guard isatty(STDERR_FILENO) == 1, total > 0 else { return }
        write("\r\(label) \(done * 100 / total) %" + (done == total ? "\n" : ""), to: STDERR_FILENO)
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
