import GradingKit

/// A row of results with its number in the file, from 1; a CSV file's header is not counted.
struct ResultLine: Sendable {
    let number: Int
    /// The content of the row, or why it cannot be read.
    let json: Result<JSON, FaultList>

    /// The greatest length, in bytes, of a row's content that is returned to its sender.
    private static let longestContent = 2_048

    /// The content of the row, if it can be read and is short enough to be returned.
    var shortContent: JSON? {
        guard let content = try? json.get(), content.bytes.count <= Self.longestContent else { return nil }
        return content
    }
}

/// A reader of the rows of an import, one at a time, so that only one is held in memory.
struct ResultReader {
    private enum Source {
        case lines(LineReader)
        case csv(CSVReader, ResultColumns)
    }

    private var source: Source
    private var number = 0
    private var returned: ResultLine?

    /// Creates a reader; reads the header of a CSV file.
    init(_ body: ResultBody) throws {
        switch body.form {
        case .lines: source = .lines(LineReader(body.bytes, longest: ResultBody.longestRow))
        case .csv(let dialect):
            var reader = CSVReader(body.bytes, delimiter: dialect.delimiter, longest: ResultBody.longestRow)
            guard let header = try Self.row(&reader), !header.isTooLong else {
                throw UseCaseError.malformed("the body is no CSV with a header")
            }
            source = .csv(reader, try ResultColumns(header.cells, dialect))
        }
    }

    /// Skips the next row; returns `false` at the end.
    mutating func skip() throws -> Bool { try advance() != nil }

    /// Returns the next row; `nil` at the end.
    mutating func next() throws -> ResultLine? {
        if let line = returned {
            returned = nil
            return line
        }
        guard let raw = try advance() else { return nil }
        switch raw {
        case .line(let bytes):
            let json = Result { try JSON.parse(bytes) }.mapError { _ in FaultList([Fault("malformed")]) }
            return ResultLine(number: number, json: json)
        case .row(let cells, let columns): return ResultLine(number: number, json: columns.json(cells))
        case .tooLong:
            let limit: JSONObject = ["max": .number(String(ResultBody.longestRow))]
            return ResultLine(number: number, json: .failure(FaultList([Fault("row_too_long", limit)])))
        }
    }

    /// Returns a row to the reader, to be read next again.
    mutating func giveBack(_ line: ResultLine) { returned = line }

    private enum Raw {
        case line([UInt8])
        case row([String], ResultColumns)
        case tooLong
    }

    private mutating func advance() throws -> Raw? {
        switch source {
        case .lines(var reader):
            defer { source = .lines(reader) }
            guard let line = reader.next() else { return nil }
            number = line.number
            return line.bytes.map { .line($0) } ?? .tooLong
        case .csv(var reader, let columns):
            defer { source = .csv(reader, columns) }
            while let row = try Self.row(&reader) {
                number += 1
                if row.isTooLong { return .tooLong }
                if !row.cells.allSatisfy(\.isEmpty) { return .row(row.cells, columns) }
            }
            return nil
        }
    }

    private static func row(_ reader: inout CSVReader) throws -> CSVReader.Row? {
        do throws(CSVReader.Broken) {
            return try reader.next()
        } catch {
            throw UseCaseError.malformed("the body is no CSV in UTF-8")
        }
    }
}
