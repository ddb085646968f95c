/// Any bytes are read as a table or refused; what is read survives being written, but for the guard of formulas, and a
/// limit of rows takes away none but the long ones.
@Sendable func fuzzCSV(_ bytes: [UInt8]) {
    for delimiter in [UInt8(ascii: ","), UInt8(ascii: ";")] {
        guard let rows = table(bytes, delimiter) else { continue }
        promise(
            table(written(rows)) == [CSVReader.Row(cells: ["first"])] + rows.filter { !$0.isTooLong }.map(guarded),
            "not what was written")
        let longest = 64
        guard let short = table(bytes, delimiter, longest: longest) else { fatalError("broken by the limit") }
        promise(short.count == rows.count, "other rows by the limit")
        for (row, short) in zip(rows, short) {
            let size = row.cells.reduce(0) { $0 + $1.utf8.count }
            promise(short == row || short.isTooLong, "another row by the limit")
            promise(short.isTooLong == (row.isTooLong || size > longest), "a row of \(size) bytes")
        }
    }
}

private func table(_ bytes: [UInt8], _ delimiter: UInt8 = UInt8(ascii: ","), longest: Int = .max) -> [CSVReader.Row]? {
    var (reader, rows) = (CSVReader(bytes, delimiter: delimiter, longest: longest), [CSVReader.Row]())
    do throws(CSVReader.Broken) {
        while let row = try reader.next() { rows.append(row) }
        return rows
    } catch {
        return nil
    }
}

/// A row before them all, so that a mark of byte order in the first cell is not taken for the file's.
private func written(_ rows: [CSVReader.Row]) -> [UInt8] {
    var writer = CSVWriter()
    writer.row(["first"])
    for row in rows where !row.isTooLong { writer.row(row.cells) }
    return writer.bytes
}

private func guarded(_ row: CSVReader.Row) -> CSVReader.Row {
    CSVReader.Row(
        cells: row.cells.map { cell in
            cell.utf8.first.map { "=+-@\t\r".utf8.contains($0) } == true ? "'" + cell : cell
        })
}
