/// The fixed parts of the text that entries of one kind are stored as:
///
///     {"id":"…","kind":"unit","position":1,"status":null,"hidden":false,"fields":{"title":"…","weight":6},"children":[…]}
///
/// What is written from them, `StoredRecordReader` reads by them.
final class StoredKind: Sendable {
    /// How a stored value is told from what the field holds, where that takes no more than a look at its text.
    enum Form: Sendable {
        /// A number of so many digits at most, so many of them after the point.
        case number(digits: Int, places: Int)
        /// A text of so many bytes at most, which are no fewer than its letters.
        case text(limit: Int)
        case flag
        /// What the field's check alone can tell.
        case other
    }

    /// What stands between the identifier and the position.
    let kind: [UInt8]
    /// For each field its form.
    let forms: [Form]
    /// For each field what stands before its value: its name, with the comma where one stands. One behind the other,
    /// because a list of lists would have a reference counted for each look at one.
    private let names: [UInt8]
    /// Where each name ends.
    private let ends: [Int]

    init(_ shape: KindShape) {
        kind = Array(",\"kind\":\(JSON.string(shape.kind.name).text),\"position\":".utf8)
        forms = shape.fields.map { Form($0) }
        let names = shape.fields.enumerated().map { place, field in
            Array("\(place > 0 ? "," : "")\(JSON.string(field.name).text):".utf8)
        }
        self.names = names.flatMap(\.self)
        ends = names.reduce(into: []) { $0.append(($0.last ?? 0) + $1.count) }
    }

    /// What stands before the value of a field.
    func name(_ slot: Int) -> ArraySlice<UInt8> { names[(slot == 0 ? 0 : ends[slot - 1])..<ends[slot]] }
}

extension StoredKind.Form {
    fileprivate init(_ field: FieldShape) {
        self =
            switch field.content {
            case .number: .number(digits: field.digits, places: field.decimals)
            case .integer: .number(digits: field.digits, places: 0)
            case .text(let limit): .text(limit: limit)
            case .flag: .flag
            case .choice: .other
            }
    }
}
