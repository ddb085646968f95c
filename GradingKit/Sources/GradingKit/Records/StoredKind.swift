/// The constant parts of the text in which entries of one kind are stored:
///
///     {"id":"…","kind":"unit","position":1,"status":null,"hidden":false,
///      "fields":{"title":"…","weight":6},"children":[…]}
///
/// `RecordTree` writes these parts, and `StoredRecordReader` reads them.
final class StoredKind: Sendable {
    /// How to read a stored value, if a look at its text is enough.
    enum Form: Sendable {
        /// A number with at most that many digits in total and after the point.
        case number(digits: Int, places: Int)
        /// A text with at most that many bytes, which bounds its number of scalars.
        case text(limit: Int)
        case flag
        /// A value that only the field's check can read.
        case other
    }

    /// The text between the identifier and the position.
    let kind: [UInt8]
    /// The form of each field.
    let forms: [Form]
    /// For each field the text before its value: its name, with a preceding comma if necessary. The texts are
    /// concatenated, because a list of lists would count a reference for each access.
    private let names: [UInt8]
    /// The end of each name.
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

    /// Returns the text before the value of a field.
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
