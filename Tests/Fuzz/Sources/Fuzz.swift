import Glibc

/// What one run does with its bytes; it traps when a promise is broken.
typealias FuzzTarget = @Sendable ([UInt8]) -> Void

/// The targets by name; `GRADECAST_FUZZ` says which one a process runs.
private let targets: [String: FuzzTarget] = [
    "http": fuzzHTTP, "websocket": fuzzWebSocket, "json": fuzzJSON, "numbers": fuzzNumbers, "live": fuzzLive,
    "words": fuzzWords, "schemes": fuzzSchemes, "wire": fuzzWire, "pictures": fuzzPictures,
    "tokens": fuzzTokens, "deflate": fuzzDeflate, "csv": fuzzCSV, "imports": fuzzImports,
    "forwarding": fuzzForwarding, "passkeys": fuzzPasskeys, "regulations": fuzzRegulations,
    "documents": fuzzDocuments,
]

private let chosen: FuzzTarget = {
    guard let name = getenv("GRADECAST_FUZZ"), let target = targets[String(cString: name)] else {
        fatalError("GRADECAST_FUZZ must name one of \(targets.keys.sorted())")
    }
    return target
}()

/// Called by libFuzzer, again and again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    chosen(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// A promise that holds for every input.
func promise(_ holds: Bool, _ what: @autoclosure () -> String) {
    guard holds else { fatalError(what()) }
}

/// The bytes in pieces whose lengths the first byte decides; a decoder must not care how it is fed.
func pieces(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    guard let seed = bytes.first else { return [] }
    var (state, rest, result) = (UInt32(seed) &+ 1, bytes[...], [ArraySlice<UInt8>]())
    while !rest.isEmpty {
        state = state &* 1_664_525 &+ 1_013_904_223
        let length = seed < 16 ? 1 : Int(state >> 24) + 1
        result.append(rest.prefix(length))
        rest = rest.dropFirst(length)
    }
    return result
}
