import Cryptography
public import Shared

/// The codes under which a line's work is marked while markers do not know the students.
///
/// A code is an HMAC of the class's secret over the line and the student's place in the order of enrolment. There are
/// always at least ten spare codes, and the list grows by twenty. So a code is in the list before its student joins,
/// and stays when the student leaves. Only comparing lists from before and after many students joined shows which codes
/// belong to later ones.
public struct AnonymousCodes: Sendable {
    /// The length of a class's secret, in bytes.
    public static let secretLength = 32
    /// The characters of a code: digits and letters that are not easily confused. Source: Crockford's Base32.
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    /// The length of a code, without the hyphen in its middle.
    private static let length = 10
    /// The number of codes by which the list grows.
    private static let step = 20
    /// The least number of codes without a student.
    private static let spare = 10

    /// The codes by the student's place in the order of enrolment, including students who have left.
    public let list: [String]

    /// The codes of a line in a class that has had this many students.
    public init(secret: [UInt8], line: LineID, students: Int) {
        let wanted = min(max(0, students), ClassLimits.students) + Self.spare
        let count = (wanted + Self.step - 1) / Self.step * Self.step
        let key = HMACSHA256(key: secret)
        var (list, used): ([String], Set<String>) = ([], [])
        for place in 0..<count {
            // If two places have the same code, the later one gets another.
            var (code, turn) = (Self.code(key, "\(line.text)/\(place)"), 0)
            while !used.insert(code).inserted {
                turn += 1
                code = Self.code(key, "\(line.text)/\(place)/\(turn)")
            }
            list.append(code)
        }
        self.list = list
    }

    private static func code(_ key: HMACSHA256, _ name: String) -> String {
        // Each byte gives one character: 256 is a multiple of 32.
        let characters = key.authenticate(name.utf8).prefix(length).map { alphabet[Int($0 % 32)] }
        let middle = length / 2
        return String(decoding: characters[..<middle] + [UInt8(ascii: "-")] + characters[middle...], as: UTF8.self)
    }

    /// The place of a code; `nil` for a code that the line does not have.
    public func place(of code: String) -> Int? { list.firstIndex(of: code) }
}

/// What was entered under a code.
public struct SealedCell: Sendable, Equatable {
    /// The code.
    public let code: String
    /// What was entered.
    public var cell: ClassCell

    /// A cell under a code.
    public init(_ code: String, _ cell: ClassCell) {
        self.code = code
        self.cell = cell
    }
}

/// An anonymously marked line at one moment.
public struct SealedLine: Sendable, Equatable {
    /// The class's secret.
    public let secret: [UInt8]
    /// How many students the class has had.
    public let students: Int
    /// What was entered, in the order of codes, which reveals nothing about students.
    public let cells: [SealedCell]

    /// A line with the secret of its codes.
    public init(secret: [UInt8], students: Int, cells: [SealedCell]) {
        self.secret = secret
        self.students = students
        self.cells = cells
    }

    /// The codes of a line.
    public func codes(of line: LineID) -> AnonymousCodes {
        AnonymousCodes(secret: secret, line: line, students: students)
    }
}
