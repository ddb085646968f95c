/// The scheme's end of the wire: answers requests, one after another.
///
/// It has no side effects except a cache of rulebooks; its owner reads and writes the frames.
public final class SchemeRequestHandler {
    private let scheme: InstalledScheme
    private var rulebooks: [[UInt8]: Rulebook] = [:]

    /// Creates the handler of a scheme.
    public init(_ scheme: InstalledScheme) { self.scheme = scheme }

    /// Returns the answer to one request. If the request fails, the answer contains the error.
    public func answer(to request: [UInt8]) -> [UInt8] {
        var writer = JSONWriter(capacity: 4096)
        do {
            try answer(try WireValue(parsing: request), to: &writer)
        } catch {
            writer = JSONWriter()
            writer.object { $0.member("error", error.description) }
        }
        return writer.bytes
    }

    private func answer(_ request: WireValue, to writer: inout JSONWriter) throws(SchemeFailure) {
        switch try request["op"].text() {
        case "describe": try describe(request, to: &writer)
        case "configure": try configure(request, to: &writer)
        case "validate": try validate(request, to: &writer)
        case "evaluate": try evaluate(request, to: &writer)
        case "goal": try solve(request, to: &writer)
        case "given": try give(request, to: &writer)
        case let operation: throw SchemeFailure("this scheme does not know the operation \(operation)")
        }
    }

    private func describe(_ request: WireValue, to writer: inout JSONWriter) throws(SchemeFailure) {
        let oldest = try request["wire"].integer()
        let newest = try request["newest"].optional { value throws(SchemeFailure) in try value.integer() } ?? oldest
        guard oldest <= SchemeWire.version, SchemeWire.version <= newest else {
            throw SchemeFailure(
                "it speaks version \(SchemeWire.version) of the wire (kit \(SchemeWire.kit)), this server "
                    + "version \(newest) (kit \(request["kit"].json.string ?? "unknown"))")
        }
        writer.object { writer in
            writer.member("wire", SchemeWire.version)
            writer.member("kit", SchemeWire.kit)
            writer.member("goals", true)
            writer.member("given", true)
            writer.member("scheme") { $0.raw(scheme.description) }
        }
    }

    private func configure(_ request: WireValue, to writer: inout JSONWriter) throws(SchemeFailure) {
        let preset = try request["preset"].optional { value throws(SchemeFailure) in try value.text() }
        let rules: Rulebook
        do {
            rules = try scheme.rulebook(preset: preset, configuration: request["configuration"].json)
        } catch {
            return writer.object { $0.member("faults") { error.write(to: &$0) } }
        }
        writer.object { writer in
            writer.member("configuration", rules.configuration)
            writer.member("warnings") { FaultList(rules.warnings).write(to: &$0) }
            SchemeDescription.write(rules.compiled, to: &writer)
            writer.member("templates") { writer in
                writer.array { writer in
                    for template in rules.compiled.templates {
                        var object: JSONObject = ["id": .string(template.name), "label": template.label.json]
                        if !template.fields.isNull { object["fields"] = template.fields }
                        object["entries"] = template.entries
                        writer.value(.object(object))
                    }
                }
            }
        }
    }

    private func validate(_ request: WireValue, to writer: inout JSONWriter) throws(SchemeFailure) {
        let rules = try rulebook(request)
        var sinks: [FaultSink] = []
        for record in try request["records"].list() {
            let touched =
                record["touched"].isNull
                ? []
                : try record["touched"].map { id throws(SchemeFailure) in
                    EntryID(try id.text())
                }
            var sink = FaultSink(touched: Set(touched))
            rules.compiled.checkOwn(try tree(record, rules), &sink)
            sinks.append(sink)
        }
        writer.object { writer in
            writer.member("results") { writer in
                writer.array { for sink in sinks { sink.writeWire(to: &$0) } }
            }
        }
    }

    private func evaluate(_ request: WireValue, to writer: inout JSONWriter) throws(SchemeFailure) {
        let rules = try rulebook(request)
        let trees = try request["records"].map { record throws(SchemeFailure) in try tree(record, rules) }
        let traced = try TraceSelection(request["explain"])
        let standings = rules.standings(of: trees, explaining: traced)
        writer.object { writer in
            writer.member("results") { writer in
                writer.array { writer in
                    for standing in standings {
                        switch standing {
                        case .success(let standing): standing.writeWire(to: &writer)
                        case .failure(let faults):
                            writer.object { $0.member("faults") { faults.write(to: &$0) } }
                        }
                    }
                }
            }
        }
    }

    private func give(_ request: WireValue, to writer: inout JSONWriter) throws(SchemeFailure) {
        let rules = try rulebook(request)
        var results: [Result<GivenFigures, FaultList>] = []
        for record in try request["records"].list() {
            let (entry, tree) = (EntryID(try record["entry"].text()), try tree(record, rules))
            results.append(Result { () throws(FaultList) in try rules.given(of: entry, in: tree) })
        }
        writer.object { writer in
            writer.member("results") { writer in
                writer.array { writer in
                    for result in results {
                        switch result {
                        case .success(let figures): writer.value(figures.json)
                        case .failure(let faults): writer.object { $0.member("faults") { faults.write(to: &$0) } }
                        }
                    }
                }
            }
        }
    }

    private func solve(_ request: WireValue, to writer: inout JSONWriter) throws(SchemeFailure) {
        let rules = try rulebook(request)
        let tree = try tree(request["record"], rules)
        do {
            let answer = try rules.answer(to: try Goal(request["goal"].json), in: tree)
            answer.writeWire(to: &writer)
        } catch let faults as FaultList {
            writer.object { $0.member("faults") { faults.write(to: &$0) } }
        } catch let missing as EntryNotFound {
            writer.object { $0.member("missing", missing.entry) }
        } catch {
            throw SchemeFailure("\(error)")
        }
    }

    /// Returns the rules of the request's configuration, which the scheme accepted earlier.
    private func rulebook(_ request: WireValue) throws(SchemeFailure) -> Rulebook {
        let key = request["configuration"].json.bytes
        if let rules = rulebooks[key] { return rules }
        let rules: Rulebook
        do {
            rules = try scheme.rulebook(configuration: request["configuration"].json)
        } catch {
            throw SchemeFailure("the configuration is refused: \(error.faults.map { "\($0.code) \($0.path)" })")
        }
        if rulebooks.count >= 256 { rulebooks.removeAll() }
        rulebooks[key] = rules
        return rules
    }

    private func tree(_ record: WireValue, _ rules: Rulebook) throws(SchemeFailure) -> RecordTree {
        do {
            return try rules.storedRecord(fields: record["fields"].json, entries: record["entries"].json)
        } catch {
            throw SchemeFailure("the record does not fit the shape: \(error.faults.map { "\($0.code) \($0.path)" })")
        }
    }
}

extension FaultList {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.array { writer in
            for fault in faults {
                writer.value([
                    "code": .string(fault.code.text), "path": .string(fault.path), "args": .object(fault.arguments),
                ])
            }
        }
    }
}

extension FaultSink {
    fileprivate func writeWire(to writer: inout JSONWriter) {
        writer.array { writer in
            for (place, arguments) in located {
                writer.object {
                    $0.member("code", place.code.text)
                    $0.member("entry", place.entry == .record ? nil : place.entry.text)
                    switch place.part {
                    case .field(let name): $0.member("field", name)
                    case .status: $0.member("part", "status")
                    case .children: $0.member("part", "children")
                    case .whole: break
                    }
                    $0.member("args", .object(arguments))
                }
            }
        }
    }
}

extension TraceSelection {
    fileprivate init(_ wire: WireValue) throws(SchemeFailure) {
        if wire.isNull {
            self = .none
        } else if wire.json == "all" {
            self = .all
        } else {
            self = .named(Set(try wire.map { name throws(SchemeFailure) in try name.text() }))
        }
    }
}
