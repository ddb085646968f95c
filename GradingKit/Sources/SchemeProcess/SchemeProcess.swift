import Glibc
public import GradingKit

/// The process of a scheme, started by a server.
///
/// ```swift
/// @main struct PassFail: GradingScheme {
///     …
///     static func main() { SchemeProcess.run(Self.self) }
/// }
/// ```
public enum SchemeProcess {
    /// Answers requests on descriptor 3 until the server closes it. The scheme's output goes to the server's log.
    public static func run<Scheme: GradingScheme>(_ type: Scheme.Type) {
        guard FrameChannel.isConnected else {
            FrameChannel.complain(
                "\(Scheme.identifier) is a grading scheme for Gradecast. Name it in config.json, "
                    + "or try it with: gradecast scheme lint PROGRAM\n")
            exit(64)
        }
        let servant = SchemeRequestHandler(InstalledScheme(type))
        while let request = FrameChannel.read() {
            guard FrameChannel.write(servant.answer(to: request)) else { return }
        }
    }
}
