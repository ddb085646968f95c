extension SchemeLink {
    /// Sends a request and returns its answer.
    func ask(
        _ operation: String, records: Int = 0, _ members: (inout JSONWriter) -> Void
    ) throws(SchemeFailure) -> WireValue {
        var writer = JSONWriter(capacity: 1024 + records * 2048)
        writer.object { writer in
            writer.member("op", operation)
            members(&writer)
        }
        let answer = try WireValue(parsing: try answer(to: writer.bytes, records: records))
        if let refusal = try answer["error"].textIfAny() { throw SchemeFailure(refusal) }
        return answer
    }
}

extension InstalledScheme {
    /// Asks a scheme in its own process to describe itself. Blocks until the answer arrives.
    ///
    /// - Throws: a failure that names both versions when the scheme speaks an unsupported version of the wire; a
    ///   failure when its description is invalid.
    public init(_ link: any SchemeLink) throws(SchemeFailure) {
        let answer = try link.ask("describe") { writer in
            writer.member("wire", SchemeWire.oldest)
            writer.member("newest", SchemeWire.version)
            writer.member("kit", SchemeWire.kit)
        }
        let wire = try answer["wire"].integer()
        guard SchemeWire.oldest...SchemeWire.version ~= wire else {
            throw SchemeFailure(
                "it speaks version \(wire) of the wire (kit \(try answer["kit"].textIfAny() ?? "unknown")), "
                    + "this server versions \(SchemeWire.oldest) to \(SchemeWire.version) (kit \(SchemeWire.kit))")
        }
        let scheme = answer["scheme"]
        let identifier = SchemeIdentifier(try scheme["id"].text())
        guard identifier.isWellFormed else { throw scheme["id"].wrong("lower-case letters, digits and hyphens") }
        let version = try scheme["version"].optional { version throws(SchemeFailure) in
            let text = try version.text()
            guard SchemeExecutable.isVersion(text) else { throw version.wrong("a version of at most 64 characters") }
            return text
        }
        let executable = link.digest.map { SchemeExecutable(version: version, digest: $0) }
        let remote = RemoteScheme(
            identifier: identifier, catalog: MessageCatalog.kit.adding(try MessageCatalog(scheme["messages"])),
            link: link, executable: executable, wire: wire, solvesGoals: try answer["goals"].flag(),
            takesGiven: try answer["given"].flag())
        // Read only to find faults; later, the answer for a configuration counts.
        _ = try SchemeRegistrar(describedBy: scheme, try RecordShape(scheme["shape"]))
        for template in try scheme["templates"].list(atMost: 64) {
            _ = (try template["id"].text(), try template["label"].localized())
        }
        self.init(
            identifier: identifier, title: try scheme["title"].localized(),
            description: Self.description(scheme.json, of: executable),
            presets: try scheme["configuration"]["presets"].object().map(\.name), executable: executable, link: link
        ) { preset, configuration throws(FaultList) in
            try remote.rulebook(preset: preset, configuration: configuration)
        }
    }

    /// Returns the scheme's description of itself, with the digest of its executable.
    private static func description(_ scheme: JSON, of executable: SchemeExecutable?) -> [UInt8] {
        guard let executable, let members = scheme.object else { return scheme.bytes }
        var described = JSONObject()
        for member in members where !["version", "digest"].contains(member.name) {
            described[member.name] = member.value
            guard member.name == "id", let build = executable.json.object else { continue }
            for part in build { described[part.name] = part.value }
        }
        return JSON.object(described).bytes
    }
}

extension SchemeIdentifier {
    fileprivate var isWellFormed: Bool {
        !text.isEmpty && text.utf8.count <= 40
            && text.unicodeScalars.allSatisfy { "a"..."z" ~= $0 || "0"..."9" ~= $0 || $0 == "-" }
    }
}

/// A scheme in its own process, with its description of itself.
private struct RemoteScheme: Sendable {
    let identifier: SchemeIdentifier
    let catalog: MessageCatalog
    let link: any SchemeLink
    let executable: SchemeExecutable?
    /// The version of the wire that the scheme speaks.
    let wire: Int
    let solvesGoals: Bool
    let takesGiven: Bool

    /// Asks the scheme for the rules of a configuration.
    func rulebook(preset: String?, configuration: JSON) throws(FaultList) -> Rulebook {
        // Faults that the scheme reports and failures to answer both become lists of faults, but by different ways.
        let answered: Result<Rulebook, FaultList>
        do throws(SchemeFailure) {
            let answer = try link.ask("configure") { writer in
                writer.member("preset", preset)
                writer.member("configuration", configuration)
            }
            if let faults = try FaultList(answering: answer) {
                answered = .failure(faults)
            } else {
                answered = .success(try rulebook(answer))
            }
        } catch {
            throw FaultList(error)
        }
        return try answered.get()
    }

    /// Creates the rules of a configuration that the scheme has accepted.
    private func rulebook(_ answer: WireValue) throws(SchemeFailure) -> Rulebook {
        guard answer["configuration"].json.object != nil else { throw answer["configuration"].wrong("an object") }
        let configuration = answer["configuration"].json
        let shape = try RecordShape(answer["shape"])
        var registrar = try SchemeRegistrar(describedBy: answer, shape)
        registrar.catalog = catalog
        for template in try answer["templates"].list(atMost: 64) {
            registrar.template(
                try template["id"].text(), try template["label"].localized(), fields: template["fields"].json,
                entries: template["entries"].json)
        }
        let warnings = try answer["warnings"].map { warning throws(SchemeFailure) in try Fault(warning) }
        return Rulebook(
            scheme: identifier, configuration: configuration, warnings: warnings,
            compiled: CompiledScheme(
                shape, registrar,
                remote: RemoteRules(
                    link: link, executable: executable, wire: wire, configuration: configuration,
                    solvesGoals: solvesGoals, takesGiven: takesGiven)))
    }
}

extension SchemeRegistrar {
    /// Reads the scheme's description of what it computes and decides. The formulas registered here compute nothing.
    fileprivate init(describedBy wire: WireValue, _ shape: RecordShape) throws(SchemeFailure) {
        self.init()
        var known: Set<[String]> = []
        for figure in try wire["figures"].list(atMost: 256) {
            let (kind, name) = try Self.place(of: figure, in: shape, &known)
            let (presentation, names) = (try Presentation(figure), try figure["was"].formerNames())
            if try figure["family"].flag() {
                calculate(eachOf: Figure(name), of: kind, presentation, formerly: names) { _ in [] }
            } else {
                calculate(Figure(name), of: kind, presentation, formerly: names) { _ in .undefined(.notComputable) }
            }
        }
        known = []
        for outcome in try wire["outcomes"].list(atMost: 256) {
            let (kind, name) = try Self.place(of: outcome, in: shape, &known)
            let values = try outcome["values"].optional { list throws(SchemeFailure) in
                try list.map(atMost: OutcomeValue.most) { value throws(SchemeFailure) in try OutcomeValue(value) }
            }
            decide(
                name, of: kind, try outcome["label"].localized(), values: values ?? [],
                formerly: try outcome["was"].formerNames()
            ) { _ in
                .pending(because: [DecisionReason(.notComputable)])
            }
            if try outcome["family"].flag() { outcomes[outcomes.count - 1].outcome.isFamily = true }
        }
        if let violation = formerNameViolations.first { throw SchemeFailure("the description is wrong: \(violation)") }
    }

    /// Reads the kind of a figure or an outcome, and its name, which must be unique in that kind.
    private static func place(
        of wire: WireValue, in shape: RecordShape, _ known: inout Set<[String]>
    ) throws(SchemeFailure) -> (kind: Kind, name: String) {
        let kind = try wire["kind"].isNull ? Kind.record : Kind(wire["kind"].name())
        guard shape.index(of: kind) != nil else { throw wire["kind"].wrong("a kind of the shape") }
        let name = try wire["name"].name()
        // A family may have the same name as a figure, because its members have other names.
        let isFamily = try wire["family"].flag()
        guard known.insert([kind.name, name, isFamily ? "family" : ""]).inserted else {
            throw wire["name"].wrong("there only once")
        }
        return (kind, name)
    }
}

extension OutcomeValue {
    fileprivate init(_ wire: WireValue) throws(SchemeFailure) {
        let state = try wire["state"].word(Decision.State.self)
        guard state != .pending else { throw wire["state"].wrong("met or unmet") }
        self.init(
            try wire["value"].name(), try wire["label"].localized(), state, isByHand: try wire["byHand"].flag())
    }
}

extension MessageCatalog {
    fileprivate init(_ wire: WireValue) throws(SchemeFailure) {
        var texts: [FaultCode: LocalizedText] = [:]
        for (code, text) in try wire.object() { texts[FaultCode(code)] = try text.localized() }
        self.init(texts)
    }
}

extension Fault {
    fileprivate init(_ wire: WireValue) throws(SchemeFailure) {
        self.init(try wire["code"].code(), at: try wire["path"].textIfAny() ?? "", try wire["args"].arguments())
    }
}

extension FaultList {
    /// Reads the faults of an answer; `nil` when it contains none.
    init?(answering wire: WireValue) throws(SchemeFailure) {
        guard !wire["faults"].isNull else { return nil }
        self.init(try wire["faults"].map { fault throws(SchemeFailure) in try Fault(fault) })
        guard !isEmpty else { throw wire["faults"].wrong("a list of faults") }
    }
}
