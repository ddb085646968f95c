/// A part of a stored record that a shape does not allow.
public struct ShapeMisfit: Hashable, Sendable {
    /// The kind of the entry; `nil` for the record itself.
    public let kind: String?
    /// The name of the field, or `status`; `nil` for the entry as a whole.
    public let field: String?
    /// What is wrong.
    public let code: FaultCode
    /// What is allowed, as the arguments of the code's message.
    public let arguments: JSONObject

    /// Returns whether two misfits have the same code at the same place of a shape, whatever their arguments.
    public static func == (left: Self, right: Self) -> Bool {
        left.kind == right.kind && left.field == right.field && left.code == right.code
    }

    /// Hashes the members that equality compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(field)
        hasher.combine(code)
    }
}

extension RecordShape {
    /// The shape as JSON, in which form it can be stored.
    public var described: [UInt8] {
        var writer = JSONWriter(capacity: 2_048)
        SchemeDescription.write(self, to: &writer)
        return writer.bytes
    }

    /// Reads the form of ``described``.
    public init(described text: [UInt8]) throws(SchemeFailure) { try self.init(WireValue(parsing: text)) }

    /// Returns what the shape does not allow in a stored record, `{"id","program","fields","entries"}`: unknown kinds
    /// and fields, values out of range, too many or too few entries. Each misfit appears once.
    public func misfits(of text: [UInt8]) -> Set<ShapeMisfit> {
        guard let json = try? JSON.parse(text) else {
            return [ShapeMisfit(kind: nil, field: nil, code: "malformed", arguments: [:])]
        }
        var decoder = EntryDecoder(shape: self, source: .store, newID: { EntryID("?") })
        var draft = RecordDraft(shape: self)
        decoder.fields(json["fields"] ?? .null, of: 0, in: &draft, at: "/fields")
        decoder.entries(json["entries"] ?? .null, in: (0, 0), of: &draft, at: "/entries")
        draft.close(0)
        var found = Set(decoder.faults.faults.map { ShapeMisfit($0, in: json) })
        var sink = FaultSink(touched: [])
        let body = draft.body
        body.checkShape(&sink)
        for (place, arguments) in sink.located {
            let kind = body.index(of: place.entry).map { body.shape.kinds[body.nodes[$0].kind].kind }
            found.insert(
                ShapeMisfit(
                    kind: kind == .record ? nil : kind?.name, field: place.part.name, code: place.code,
                    arguments: arguments))
        }
        return found
    }
}

extension ShapeMisfit {
    /// Creates a misfit from a fault of the reader, whose path leads to the entry and perhaps to a field.
    fileprivate init(_ fault: Fault, in record: JSON) {
        var (entry, field) = (JSON.null, String?.none)
        var place: JSON? = record
        for step in fault.path.split(separator: "/") {
            let name = String(step.replacing("~1", with: "/").replacing("~0", with: "~"))
            if let elements = place?.array {
                place = Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
                if let place { entry = place }
            } else {
                place = place?[name]
                field = ["fields", "entries", "children", "kind"].contains(name) ? nil : name
            }
        }
        self.init(kind: entry["kind"]?.string, field: field, code: fault.code, arguments: fault.arguments)
    }
}

extension FaultSink.Part {
    fileprivate var name: String? {
        switch self {
        case .whole, .children: nil
        case .field(let name): name
        case .status: "status"
        }
    }
}
