import JSON

/// What the launcher needs to know about the scheme that it starts: one JSON argument of its command line.
public struct LaunchPlan: Sendable, Equatable {
    /// The subcommand that makes the program the launcher of a scheme.
    public static let command = "scheme-launch"

    /// The scheme's executable.
    public var program: String
    /// The limit of address space and memory, in bytes; `.max` for no limit.
    public var memory: Int
    /// Whether the scheme is confined. Even if not, it ends with the server, and its error output is limited.
    public var isConfined: Bool
    /// Files and folders that it may read besides its own folder and the system's programs and libraries.
    public var readable: [String]
    /// Files and folders that it must not read, wherever they are.
    public var secret: [String]
    /// Folders of control groups in which it may get one of its own.
    public var groups: [String]

    /// Creates a plan.
    public init(
        program: String, memory: Int, isConfined: Bool = true, readable: [String] = [], secret: [String] = [],
        groups: [String] = []
    ) {
        self.program = program
        self.memory = memory
        self.isConfined = isConfined
        self.readable = readable
        self.secret = secret
        self.groups = groups
    }

    /// The plan as an argument.
    public var argument: String {
        let plan: JSON = [
            "program": .string(program), "memory": .number(String(memory)), "confined": .bool(isConfined),
            "readable": .array(readable.map { .string($0) }), "secret": .array(secret.map { .string($0) }),
            "groups": .array(groups.map { .string($0) }),
        ]
        return plan.text
    }

    /// Reads an argument; `nil` if it is not a plan.
    public init?(argument: String) {
        guard let json = try? JSON.parse(Array(argument.utf8)), let program = json["program"]?.string,
            let memory = json["memory"]?.integer, let isConfined = json["confined"]?.bool
        else { return nil }
        self.init(
            program: program, memory: memory, isConfined: isConfined,
            readable: Self.texts(json["readable"]), secret: Self.texts(json["secret"]),
            groups: Self.texts(json["groups"]))
    }

    private static func texts(_ list: JSON?) -> [String] { (list?.array ?? []).compactMap(\.string) }
}
