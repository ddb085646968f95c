import GradingKit

/// A row of results with its number, from 1, in the file; a CSV file's header is not counted.
struct ResultLine: Sendable {
    let number: Int
    /// What stands there, if it can be read.
    let json: Result<JSON, FaultList>

    /// The most text of a row that is repeated to its sender, in bytes.
    private static let longestContent = 2_048

    /// What stands there, if it can be read and is short enough to be repeated.
    var shortContent: JSON? {
        guard let content = try? json.get(), content.bytes.count <= Self.longestContent else { return nil }
        return content
    }
}

/// Reads the rows of an import one after the other, so that no more than one of them is held at a time.
struct ResultReader {
    private enum Source {
        case lines(LineReader)
        case csv(CSVReader, ResultColumns)
    }

    private var source: Source
    private var number = 0
    private var returned: ResultLine?

    /// Reads the header, where there is one.
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

    /// Goes over the next row; `false` at the end.
    mutating func skip() throws -> Bool { try advance() != nil }

    /// The next row; `nil` at the end.
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

    /// Gives a row back, to be the next again.
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
