import Glibc

/// What is started as a scheme: a program, or the interpreter that a script names in its first line.
///
/// The interpreter is looked up here, also through `env`, because only one call may start a program: `env` could not
/// start the interpreter itself.
struct LaunchTarget {
    /// The path of the program to start.
    let program: String
    /// Its arguments; the first is its name.
    let arguments: [String]
    /// The folder of the scheme's executable, with links resolved.
    let folder: String

    /// The reason why a scheme cannot be started.
    struct Failure: Error {
        let code: Int32
        let step: String
    }

    init(_ path: String) throws(Failure) {
        guard let real = realpath(path, nil) else { throw Failure(code: errno, step: "") }
        defer { free(real) }
        folder = Self.folder(of: String(cString: real))
        var program = Self.absolute(path)
        var arguments = [program]
        for _ in 0..<4 {
            guard let line = try Self.firstLine(of: program) else { break }
            let (interpreter, argument) = Self.split(line)
            let words = [interpreter] + (argument.map { [$0] } ?? [])
            arguments = try Self.lookThrough(words) + [program] + arguments.dropFirst()
            program = arguments[0]
        }
        self.program = program
        self.arguments = arguments
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    private static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        guard let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    /// Returns what follows `#!` in the first line, as the kernel reads it; `nil` if the program is not a script.
    private static func firstLine(of path: String) throws(Failure) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Failure(code: errno, step: path) }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = read(file, &buffer, buffer.count)
        guard count > 2, buffer[0] == UInt8(ascii: "#"), buffer[1] == UInt8(ascii: "!") else { return nil }
        let line = buffer[2..<count].prefix { $0 != UInt8(ascii: "\n") }
        return String(decoding: line, as: UTF8.self)
    }

    /// Returns the interpreter and its only argument.
    private static func split(_ line: String) -> (String, String?) {
        let parts = line.split(maxSplits: 1) { $0 == " " || $0 == "\t" || $0 == "\r" }
        let rest = parts.count > 1 ? String(parts[1].reversed().drop { " \t\r".contains($0) }.reversed()) : ""
        return (parts.first.map(String.init) ?? "", rest.isEmpty ? nil : rest)
    }

    /// Returns what `env` would start, if the interpreter is `env`; otherwise the words unchanged.
    private static func lookThrough(_ words: [String]) throws(Failure) -> [String] {
        guard words[0].hasSuffix("/env"), words.count > 1 else { return words }
        let isSplit = words[1].hasPrefix("-S")
        var wanted = isSplit ? words[1].dropFirst(2).split(separator: " ").map(String.init) : [words[1]]
        guard let name = wanted.first, !name.hasPrefix("-"), !name.contains("=") else {
            throw Failure(code: EINVAL, step: "env understands a program's name alone here")
        }
        if name.contains("/") { return wanted }
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        for folder in path.split(separator: ":") where access("\(folder)/\(name)", X_OK) == 0 {
            wanted[0] = "\(folder)/\(name)"
            return wanted
        }
        throw Failure(code: ENOENT, step: name)
    }
}
