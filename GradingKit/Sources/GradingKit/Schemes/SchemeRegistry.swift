/// A scheme as the server knows it: its description, and how to create a rulebook.
public struct InstalledScheme: Sendable {
    /// The identifier in JSON and URLs.
    public let identifier: SchemeIdentifier
    /// The title for people.
    public let title: LocalizedText
    /// The description for clients: shape, figures, settings, presets, templates, wording.
    public let description: [UInt8]
    /// The presets on which a configuration may be based, `default` first.
    public let presets: [String]
    /// The running build, for a scheme in its own process.
    public let executable: SchemeExecutable?
    /// Whether the rules are in the configuration, as a document written by an institution.
    public let isDocument: Bool
    private let make: @Sendable (String?, JSON) throws(FaultList) -> Rulebook
    private let read: (@Sendable (String?, JSON) throws(FaultList) -> ConfigurationDraft)?
    private let prove: (@Sendable (JSON) throws(FaultList) -> Void)?
    private let link: (any SchemeLink)?

    /// Creates a scheme that is compiled into the server.
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

    /// Creates a scheme whose rules are in the configuration, as a document written by an institution.
    ///
    /// - Parameters:
    ///   - title: the title for people.
    ///   - summary: the purpose of the scheme, in one sentence.
    ///   - schema: the JSON Schema of a configuration, as far as possible without a document.
    ///   - draft: reads a configuration that is being edited; faults of its document become warnings.
    ///   - prove: throws what prevents a configuration from being published.
    ///   - rulebook: creates the rules; throws all faults of the document.
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

    /// Creates a scheme that runs in another process.
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

    /// Whether everything is computed in this process. If not, `perform` keeps the caller's thread free.
    public var isImmediate: Bool { link == nil }

    /// Runs work with the scheme: immediately, away from the caller's executor if a document must be read, or where it
    /// may block while it waits for another process.
    public func perform<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        if let link { return try await link.perform(work) }
        guard isDocument else { return try work() }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) { try work() }
    }

    /// Returns the scheme's description under the rules of a configuration.
    public func description(of rules: Rulebook) -> [UInt8] { SchemeDescription(of: rules, in: description).json }

    /// Reads a configuration that is being edited, and returns its complete stored form with warnings. Faults of a
    /// document do not make this fail.
    ///
    /// - Throws: faults whose paths start at `/configuration` and `/preset`.
    public func draft(preset: String? = nil, configuration: JSON = .null) throws(FaultList) -> ConfigurationDraft {
        if let read { return try read(preset, configuration) }
        let rules = try make(preset, configuration)
        return ConfigurationDraft(configuration: rules.configuration, warnings: rules.warnings)
    }

    /// Throws what prevents a configuration from being published, such as a worked example with another result.
    public func checkPublishable(_ configuration: JSON) throws(FaultList) { try prove?(configuration) }

    /// Ends the scheme's process, if it has one.
    public func close() { link?.close() }

    /// Creates a rulebook from a preset and the settings that override it.
    ///
    /// - Throws: all faults at once; their paths start at `/configuration` and `/preset`.
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
        // The shape that a sample must fit does not depend on the faulty settings.
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

    /// Returns the names of the settings with faults.
    private static func settings(of faults: FaultList, below path: String) -> Set<String> {
        Set(
            faults.faults.filter { $0.path.hasPrefix(path + "/") }.map { fault in
                String(fault.path.dropFirst(path.utf8.count + 1).prefix { $0 != "/" })
            })
    }

    /// Returns the faults of a request that would add the sample to an empty record.
    private static func faults(of sample: JSON, in compiled: CompiledScheme, _ scheme: SchemeIdentifier) -> [Fault] {
        let rules = Rulebook(scheme: scheme, configuration: .null, warnings: [], compiled: compiled)
        var made = 0
        do {
            _ = try rules.validate(
                [.add(entry: sample, parent: nil, ref: nil)], of: rules.emptyRecord, at: nil,
                by: .student,
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

/// A configuration that is being edited.
public struct ConfigurationDraft: Sendable {
    /// The configuration in its stored form.
    public let configuration: JSON
    /// Settings that are allowed but surprising, and the faults of a document.
    public let warnings: [Fault]

    /// Creates a draft.
    public init(configuration: JSON, warnings: [Fault]) {
        self.configuration = configuration
        self.warnings = warnings
    }
}

/// All schemes that a server offers. The composition root fills it; then it never changes.
public struct SchemeRegistry: Sendable {
    /// A scheme with this identifier is already installed.
    public struct DuplicateScheme: Error, Equatable {
        /// The identifier.
        public let identifier: SchemeIdentifier
    }

    /// The schemes, in the order in which they were installed.
    public private(set) var schemes: [InstalledScheme] = []

    /// Creates an empty registry.
    public init() {}

    /// Adds a scheme.
    public mutating func install(_ scheme: InstalledScheme) throws(DuplicateScheme) {
        guard self[scheme.identifier] == nil else { throw DuplicateScheme(identifier: scheme.identifier) }
        schemes.append(scheme)
    }

    /// The scheme with that identifier; `nil` if it is not installed.
    public subscript(identifier: SchemeIdentifier) -> InstalledScheme? {
        schemes.first { $0.identifier == identifier }
    }
}
