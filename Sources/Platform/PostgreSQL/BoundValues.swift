internal import CPostgreSQL
import SQL

/// The values of one statement in the protocol's binary form. The next statement reuses the memory.
struct BoundValues {
    /// The most memory that is kept between statements, in bytes; few statements need more.
    private static let greatestKept = 64 * 1024
    /// The most bytes that a statement's values may have in total; a message holds less than 1 GiB.
    private static let greatestSum = 1 << 29

    private(set) var types: [UInt32] = []
    private var bytes: [UInt8] = []
    private var starts: [Int] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []
    private var pointers: [UnsafePointer<CChar>?] = []

    /// The size of all values in bytes.
    var byteCount: Int { bytes.count }

    /// Replaces the values.
    ///
    /// - Throws: an error of kind `misuse` if a text contains U+0000, or all values together are too long.
    mutating func set(_ values: Span<SQLValue>) throws(PostgreSQLError) {
        clear()
        for place in values.indices {
            let content = values[place].content
            starts.append(bytes.count)
            types.append(content.kind.number)
            formats.append(1)
            switch content {
            case .null:
                starts[place] = -1
            case .integer(let number):
                withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
            case .text(var text):
                let start = bytes.count
                text.withUTF8 { bytes.append(contentsOf: $0) }
                try refuseNUL(from: start, parameter: place + 1)
            case .utf8(let text):
                let start = bytes.count
                bytes.append(contentsOf: text)
                try refuseNUL(from: start, parameter: place + 1)
            case .blob(let blob):
                bytes.append(contentsOf: blob)
            }
            guard bytes.count <= Self.greatestSum else {
                throw PostgreSQLError(.misuse, "the values are longer than \(Self.greatestSum) bytes")
            }
            lengths.append(Int32(starts[place] < 0 ? 0 : bytes.count - starts[place]))
        }
    }

    /// Drops the values, and also memory that is too large to keep.
    mutating func clear() {
        if bytes.capacity > Self.greatestKept { bytes = [] } else { bytes.removeAll(keepingCapacity: true) }
        types.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        formats.removeAll(keepingCapacity: true)
    }

    /// Lends the values in libpq's form: a pointer for each value, which is null for NULL, its length and its format.
    mutating func lend<Value>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Value
    ) -> Value {
        // One byte more, so that an empty value at the end has an address: libpq treats a value without one as NULL.
        bytes.append(0)
        defer { bytes.removeLast() }
        pointers.removeAll(keepingCapacity: true)
        return bytes.withUnsafeBytes { memory in
            for start in starts {
                let address = start < 0 ? nil : memory.baseAddress?.advanced(by: start)
                pointers.append(address?.assumingMemoryBound(to: CChar.self))
            }
            return pointers.withUnsafeBufferPointer { pointers in
                lengths.withUnsafeBufferPointer { lengths in
                    formats.withUnsafeBufferPointer { formats in
                        body(pointers.baseAddress, lengths.baseAddress, formats.baseAddress)
                    }
                }
            }
        }
    }

    private func refuseNUL(from start: Int, parameter: Int) throws(PostgreSQLError) {
        guard bytes[start...].contains(0) else { return }
        throw PostgreSQLError(.misuse, "the text of parameter \(parameter) contains U+0000")
    }
}

extension SQLValue.Kind {
    /// The OID of the type that a parameter is sent as.
    fileprivate var number: UInt32 {
        switch self {
        case .inferred: 0
        case .blob: 17
        case .integer: 20
        case .text: 25
        }
    }
}
