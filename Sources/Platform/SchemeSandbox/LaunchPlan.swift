import JSON

/// What the launcher needs to know about the scheme that it starts: one JSON argument of its command line.
public struct LaunchPlan: Sendable, Equatable {
    /// The word with which the program becomes the launcher of a scheme.
    public static let command = "scheme-launch"

    /// The scheme's executable.
    public var program: String
    /// Address space and memory, in bytes; `.max` is no limit.
    public var memory: Int
    /// Whether the scheme is confined; if not, it only ends with the server and has its complaints bounded.
    public var isConfined: Bool
    /// Files and folders that it may read beside its own folder and the system's programs and libraries.
    public var readable: [String]
    /// Files and folders that it must not read, wherever they lie.
    public var secret: [String]
    /// Folders of control groups below which it may have one of its own.
    public var groups: [String]

    /// A plan.
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

    /// Reads an argument; `nil` when it is no plan.
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
