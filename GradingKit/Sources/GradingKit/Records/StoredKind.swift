/// The fixed parts of the text that entries of one kind are stored as:
///
///     {"id":"…","kind":"unit","position":1,"status":null,"hidden":false,"fields":{"title":"…","weight":6},"children":[…]}
///
/// What is written from them, `StoredRecordReader` reads by them.
struct StoredKind: Sendable {
    /// What stands between the identifier and the position.
    let kind: [UInt8]
    /// For each field what stands before its value: its name, with the comma where one stands.
    let names: [[UInt8]]

    init(_ shape: KindShape) {
        kind = Array(",\"kind\":\(JSON.string(shape.kind.name).text),\"position\":".utf8)
        names = shape.fields.enumerated().map { place, field in
            Array("\(place > 0 ? "," : "")\(JSON.string(field.name).text):".utf8)
        }
    }
}
