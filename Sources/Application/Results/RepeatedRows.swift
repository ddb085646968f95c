import GradingKit

/// Rows of one import that say different things of one place. None of them tells which one is meant, so none is entered.
///
/// A place is what the rows write: the record or student, the entry, and the field or the status.
struct RepeatedRows: Sendable {
    private struct Place: Hashable {
        let owner: ResultRow.Owner
        let entry: ResultRow.Place
        let member: String
    }

    /// By the numbers of rows, where each says something else than another one.
    private var faults: [Int: Fault] = [:]

    /// Reads the rows of a body. Rows that cannot be read, and those that make new entries, repeat none.
    init(in body: ResultBody) async throws {
        var said: [Place: (row: Int, value: String, differs: Bool)] = [:]
        var reader = try ResultReader(body)
        while let line = try reader.next() {
            if line.number % 256 == 0 { await Task.yield() }
            guard let json = try? line.json.get(), let row = try? ResultRow(json, hidden: nil), row.kind == nil else {
                continue
            }
            for (member, value) in row.values {
                let place = Place(owner: row.owner, entry: row.place, member: member)
                guard let known = said[place] else {
                    said[place] = (line.number, value, false)
                    continue
                }
                guard known.value != value || known.differs else { continue }
                let fault = Fault("row_twice", at: member)
                (faults[known.row], faults[line.number]) = (faults[known.row] ?? fault, fault)
                said[place]?.differs = true
            }
        }
    }

    /// Throws `row_twice` for a row that another one contradicts.
    func check(_ number: Int) throws(FaultList) {
        if let fault = faults[number] { throw FaultList([fault]) }
    }
}

extension ResultRow {
    /// What the row says, by the places of its members. Numbers that are equal are written alike.
    fileprivate var values: [(member: String, value: String)] {
        func text(_ json: JSON) -> String {
            let text = json.string ?? json.text
            return DecimalText(text)?.value.description ?? text
        }
        let fields = (members["fields"]?.object ?? JSONObject()).map {
            (member: "/fields" + JSONPointer.step($0.name), value: text($0.value))
        }
        let others = members.filter { $0.name != "fields" }
        return fields + others.map { (member: JSONPointer.step($0.name), value: text($0.value)) }
    }
}
