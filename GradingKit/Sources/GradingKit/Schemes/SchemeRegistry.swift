/// A scheme as the server knows it: what it is called, and how to make a rulebook of it.
public struct InstalledScheme: Sendable {
    /// The scheme's name on the wire.
    public let identifier: SchemeIdentifier
    /// What people read.
    public let title: LocalizedText
    /// The scheme described for clients: shape, figures, settings, presets, templates, wording.
    public let description: [UInt8]
    /// The presets that a configuration may start from, `default` first.
    public let presets: [String]
    /// The build that runs, of a scheme in a process of its own.
    public let executable: SchemeExecutable?
    /// Whether the rules stand in the configuration, as a document that an institution writes.
    public let isDocument: Bool
    private let make: @Sendable (String?, JSON) throws(FaultList) -> Rulebook
    private let read: (@Sendable (String?, JSON) throws(FaultList) -> ConfigurationDraft)?
    private let prove: (@Sendable (JSON) throws(FaultList) -> Void)?
    private let link: (any SchemeLink)?

    /// Describes a scheme that is compiled in.
    public init<Scheme: GradingScheme>(_ type: Scheme.Type) {
        identifier = Scheme.identifier
        title = Scheme.title
        description = SchemeDescription(Scheme.self).json
        var form = SettingsForm<Scheme.Configuration>()
        Scheme.Configuration.describe(&form)
        presets = form.presetNames
        executable = nil
        link = nil
        (isDocument, read, prove) = (false, nil, nil)
        make = { preset, json throws(FaultList) in try Self.rulebook(Scheme.self, preset: preset, configuration: json) }
    }

    /// A scheme whose rules stand in the configuration, as a document that an institution writes.
    ///
    /// - Parameters:
    ///   - title: what people read.
    ///   - summary: one sentence on what the scheme is for.
    ///   - schema: the JSON Schema of a configuration, as far as it is known without a document.
    ///   - draft: reads a configuration that is being worked on; what is wrong with its document is a warning here.
    ///   - prove: throws what keeps a configuration from being published.
    ///   - rulebook: makes the rules; throws all that is wrong with the document.
    public init(
        documents identifier: SchemeIdentifier, title: LocalizedText, summary: LocalizedText, schema: JSON,
        draft: @escaping @Sendable (String?, JSON) throws(FaultList) -> ConfigurationDraft,
        prove: @escaping @Sendable (JSON) throws(FaultList) -> Void,
        rulebook: @escaping @Sendable (String?, JSON) throws(FaultList) -> Rulebook
    ) {
        self.identifier = identifier
        self.title = title
        description = SchemeDescription(ofDocuments: identifier, title, summary, schema: schema).json
        presets = ["default"]
        executable = nil
        isDocument = true
        make = rulebook
        read = draft
        self.prove = prove
        link = nil
    }

    /// A scheme that runs elsewhere.
    init(
        identifier: SchemeIdentifier, title: LocalizedText, description: [UInt8], presets: [String],
        executable: SchemeExecutable?, link: any SchemeLink,
        make: @escaping @Sendable (String?, JSON) throws(FaultList) -> Rulebook
    ) {
        self.identifier = identifier
        self.title = title
        self.description = description
        self.presets = presets
        self.executable = executable
        self.link = link
        self.make = make
        (isDocument, read, prove) = (false, nil, nil)
    }

    /// Whether everything is computed on the spot. Where it is not, `perform` keeps the caller's thread free.
    public var isImmediate: Bool { link == nil }

    /// Does work with the scheme: at once, beside the caller's executor where a document has to be read, or where it may
    /// wait for a process of its own.
    public func perform<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        if let link { return try await link.perform(work) }
        guard isDocument else { return try work() }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) { try work() }
    }

    /// The scheme as a program uses it: its description, with what a configuration makes of it.
    public func description(of rules: Rulebook) -> [UInt8] { SchemeDescription(of: rules, in: description).json }

    /// Reads a configuration that is being worked on: the whole of it as it is kept, and what is to be said of it. What
    /// is wrong with a document does not stand in the way.
    ///
    /// Paths of faults start at `/configuration` and `/preset`.
    public func draft(preset: String? = nil, configuration: JSON = .null) throws(FaultList) -> ConfigurationDraft {
        if let read { return try read(preset, configuration) }
        let rules = try make(preset, configuration)
        return ConfigurationDraft(configuration: rules.configuration, warnings: rules.warnings)
    }

    /// Throws what keeps a configuration from being published, as a worked example that does not come out.
    public func checkPublishable(_ configuration: JSON) throws(FaultList) { try prove?(configuration) }

    /// Ends the process of a scheme that has one of its own.
    public func close() { link?.close() }

    /// Makes a rulebook of a preset and the settings that override it; all faults at once.
    ///
    /// Paths of faults start at `/configuration` and `/preset`.
    public func rulebook(preset: String? = nil, configuration: JSON = .null) throws(FaultList) -> Rulebook {
        try make(preset, configuration)
    }

    private static func rulebook<Scheme: GradingScheme>(
        _ type: Scheme.Type, preset: String?, configuration json: JSON
    ) throws(FaultList) -> Rulebook {
        let path = "/configuration"
        var form = SettingsForm<Scheme.Configuration>()
        Scheme.Configuration.describe(&form)
        var configuration = Scheme.Configuration()
        var faults = form.read(json, preset: preset, into: &configuration, at: path)
        var clashes = SettingClashes(unreadable: Self.settings(of: faults, below: path))
        configuration.check(&clashes)
        for clash in clashes.faults.faults { faults.add(clash.prefixed(path)) }
        // What a sample has to fit does not depend on the settings that are wrong.
        let compiled = CompiledScheme(Scheme(configuration: faults.isEmpty ? configuration : Scheme.Configuration()))
        for setting in form.settings {
            guard let sample = setting.sampleEntry?(configuration), sample.object != nil else { continue }
            for fault in Self.faults(of: sample, in: compiled, Scheme.identifier) {
                faults.add(fault.prefixed(path + JSONPointer.step(setting.name)))
            }
        }
        try faults.check()
        let warnings = form.settings.flatMap { setting in
            let place = path + JSONPointer.step(setting.name)
            return (json[setting.name].map { setting.readings($0, configuration, place) } ?? [])
                + setting.warnings(configuration, place)
        }
        return Rulebook(
            scheme: Scheme.identifier, configuration: form.write(configuration), warnings: warnings,
            compiled: compiled)
    }

    /// The settings in which faults were found.
    private static func settings(of faults: FaultList, below path: String) -> Set<String> {
        Set(
            faults.faults.filter { $0.path.hasPrefix(path + "/") }.map { fault in
                String(fault.path.dropFirst(path.utf8.count + 1).prefix { $0 != "/" })
            })
    }

    /// What a request that adds the sample to an empty record would be told.
    private static func faults(of sample: JSON, in compiled: CompiledScheme, _ scheme: SchemeIdentifier) -> [Fault] {
        let rules = Rulebook(scheme: scheme, configuration: .null, warnings: [], compiled: compiled)
        var made = 0
        do {
            _ = try rules.validate(
                [.add(entry: sample, parent: nil, ref: nil)], of: rules.emptyRecord, at: nil,
                by: .preview(isStaff: false),
                newID: {
                    made += 1
                    return EntryID("sample \(made)")
                })
            return []
        } catch let found as FaultList {
            return found.faults
        } catch {
            return []
        }
    }
}

/// A configuration that is being worked on.
public struct ConfigurationDraft: Sendable {
    /// The configuration as it is kept.
    public let configuration: JSON
    /// What is allowed but surprises, and what is wrong with a document.
    public let warnings: [Fault]

    /// What was read.
    public init(configuration: JSON, warnings: [Fault]) {
        self.configuration = configuration
        self.warnings = warnings
    }
}

/// All schemes that a server offers. Filled in the composition root, then never changed.
public struct SchemeRegistry: Sendable {
    /// Two schemes with one identifier.
    public struct DuplicateScheme: Error, Equatable {
        /// The identifier.
        public let identifier: SchemeIdentifier
    }

    /// The schemes, in the order in which they were installed.
    public private(set) var schemes: [InstalledScheme] = []

    /// No scheme yet.
    public init() {}

    /// Adds a scheme.
    public mutating func install(_ scheme: InstalledScheme) throws(DuplicateScheme) {
        guard self[scheme.identifier] == nil else { throw DuplicateScheme(identifier: scheme.identifier) }
        schemes.append(scheme)
    }

    /// The scheme of that name.
    public subscript(identifier: SchemeIdentifier) -> InstalledScheme? {
        schemes.first { $0.identifier == identifier }
    }
}
