import GradingKit

/// Whatever a file of results says, its rows are counted as they are read, each is JSON or refused by itself, and lines
/// are those between the line feeds.
@Sendable func fuzzImports(_ bytes: [UInt8]) {
    let comma = ResultBody.Dialect(delimiter: UInt8(ascii: ";"), hasDecimalComma: true)
    for form in [ResultBody.Form.lines, .csv(ResultBody.Dialect()), .csv(comma)] {
        let body = ResultBody(bytes: bytes, form: form)
        guard let lines = try? read(body) else {
            promise((try? count(body)) == nil, "counted, but not read")
            continue
        }
        promise((try? count(body)) == lines.count, "not as many as counted")
        promise(zip(lines, lines.dropFirst()).allSatisfy { $0.number < $1.number }, "out of order")
        for case .success(let json) in lines.map(\.json) {
            promise((try? JSON.parse(json.bytes)) == json, "a row that is no JSON")
            _ = try? ResultRow(json, hidden: nil)
        }
    }
    fuzzLines(bytes)
}

private func fuzzLines(_ bytes: [UInt8]) {
    let longest = 64
    var reader = LineReader(bytes, longest: longest)
    for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
        guard line.contains(where: { $0 > 0x20 }) else { continue }
        let next = reader.next()
        promise(next?.number == index + 1, "another line")
        promise(next?.bytes == (line.count <= longest ? Array(line) : nil), "not what the line says")
    }
    promise(reader.next() == nil, "a line too many")
}

private func read(_ body: ResultBody) throws -> [ResultLine] {
    var (reader, lines) = (try ResultReader(body), [ResultLine]())
    while let line = try reader.next() { lines.append(line) }
    return lines
}

private func count(_ body: ResultBody) throws -> Int {
    var (reader, count) = (try ResultReader(body), 0)
    while try reader.skip() { count += 1 }
    return count
}
