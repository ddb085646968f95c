import GradingKit

/// The body of an import before it is parsed, with the format of its rows.
public struct ResultBody: Sendable {
    /// The greatest number of rows in one import.
    static let mostRows = 20_000
    /// The greatest length of a row, in bytes.
    static let longestRow = 65_536

    /// The dialect of a CSV file.
    public struct Dialect: Sendable {
        let delimiter: UInt8
        let hasDecimalComma: Bool
        /// The columns that contain numbers.
        var numbers: Set<String> = []

        /// Creates a dialect.
        ///
        /// - Parameters:
        ///   - delimiter: the character between cells.
        ///   - hasDecimalComma: whether 12,5 means twelve and a half.
        public init(delimiter: UInt8 = UInt8(ascii: ","), hasDecimalComma: Bool = false) {
            self.delimiter = delimiter
            self.hasDecimalComma = hasDecimalComma
        }
    }

    /// The format of the rows.
    public enum Form: Sendable {
        /// JSON, one row per line; empty lines are skipped.
        case lines
        /// CSV with a header of column names: `record` or `student`, `entry` or `path`, `kind`, `status`, `hidden`;
        /// every other column is a field. An empty cell means that the row does not mention the column.
        case csv(Dialect)
    }

    let bytes: [UInt8]
    let form: Form

    /// Creates a body from bytes and their format.
    public init(bytes: [UInt8], form: Form) {
        self.bytes = bytes
        self.form = form
    }

    /// Returns the same body with the columns of these names read as numbers.
    func naming(numbers: Set<String>) -> ResultBody {
        guard case .csv(var dialect) = form else { return self }
        dialect.numbers = numbers
        return ResultBody(bytes: bytes, form: .csv(dialect))
    }

    /// Returns how to read and enter the rows, as JSON text; `hidden` applies to rows that do not say whether they are
    /// hidden.
    func reading(hidden: Bool?) -> [UInt8] {
        var reading: JSONObject = ["hidden": hidden.map { .bool($0) } ?? .null]
        if case .csv(let dialect) = form {
            reading["csv"] = [
                "delimiter": .number(String(dialect.delimiter)), "decimalComma": .bool(dialect.hasDecimalComma),
                "numbers": .array(dialect.numbers.sorted().map { .string($0) }),
            ]
        }
        return JSON.object(reading).bytes
    }

    /// Creates the body from bytes and the JSON text that ``reading(hidden:)`` made; `nil` for any other text.
    static func read(_ bytes: [UInt8], as reading: [UInt8]) -> (body: ResultBody, hidden: Bool?)? {
        guard let reading = try? JSON.parse(reading), reading.object != nil else { return nil }
        let hidden = reading["hidden"]?.bool
        guard let csv = reading["csv"] else { return (ResultBody(bytes: bytes, form: .lines), hidden) }
        guard let delimiter = csv["delimiter"]?.integer.flatMap({ UInt8(exactly: $0) }),
            let hasDecimalComma = csv["decimalComma"]?.bool, let numbers = csv["numbers"]?.array
        else { return nil }
        var dialect = Dialect(delimiter: delimiter, hasDecimalComma: hasDecimalComma)
        dialect.numbers = Set(numbers.compactMap(\.string))
        return (ResultBody(bytes: bytes, form: .csv(dialect)), hidden)
    }

    /// Counts the rows. Yields regularly, because a body may be long.
    ///
    /// - Throws: `malformed` for a file that is not CSV; `FaultList` for invalid columns and for too many rows.
    func count() async throws -> Int {
        var reader = try ResultReader(self)
        var count = 0
        while try reader.skip() {
            count += 1
            guard count <= Self.mostRows else {
                throw FaultList([Fault("row_limit", ["limit": .number(String(Self.mostRows))])])
            }
            if count % 256 == 0 { await Task.yield() }
        }
        return count
    }
}
