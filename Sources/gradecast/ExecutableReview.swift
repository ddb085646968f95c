import DataStore
import GradingKit
import Records
import Shared

/// Checks the executables of schemes that a server is about to run against the records that other executables computed:
/// whether a record still fits the shape, and whether a version's configuration is still accepted.
struct ExecutableReview {
    /// What does not fit the stored data, each finding in words for an operator.
    private var findings: [String] = []
    /// The schemes that did not answer, each in words for an operator.
    private var silences: [String] = []
    private let census: any BuildCensus

    /// Reviews the schemes against a store; `nil` for a store in an older format, which has nothing to review.
    ///
    /// - Throws: ``Failure`` if the store cannot be read.
    init?(of schemes: [InstalledScheme], over stores: any DataStoreFactory) throws {
        do {
            guard let census = try stores.builds() else { return nil }
            self.census = census
            for scheme in schemes {
                guard let executable = scheme.executable else { continue }
                for version in try census.staleVersions(of: scheme.identifier.text, besides: executable) {
                    try review(version, scheme, executable)
                }
            }
        } catch let error as StoreError {
            throw Failure("\(stores.place): \(error.explanation)")
        }
    }

    private mutating func review(
        _ version: StaleVersion, _ scheme: InstalledScheme, _ executable: SchemeExecutable
    ) throws {
        // A store that was upgraded from an older format lacks the shape that judged its records. Without it, misfits
        // of this executable cannot be told from older ones.
        guard let earlier = version.shape.flatMap({ try? RecordShape(described: $0) }) else { return }
        let place = "the program “\(version.title)” (\(version.program)), version \(version.version)"
        let rules: Rulebook
        do throws(FaultList) {
            rules = try Self.rules(of: version, by: scheme)
        } catch {
            if let failure = error.faults.first(where: { $0.code == .notComputable }) {
                let why = failure.arguments["detail"]?.string.map { ": \($0)" } ?? ""
                return silences.append(
                    "The scheme \(scheme.identifier) (\(executable.name)) did not answer when it was asked twice about the"
                        + " configuration of \(place)\(why)")
            }
            let faults = error.faults.map { "  \($0.path): \(MessageCatalog.kit.message($0, in: .english))" }
            return findings.append(
                "The scheme \(scheme.identifier) (\(executable.name)) refuses the configuration of \(place):\n"
                    + faults.joined(separator: "\n"))
        }
        let shape = rules.shape
        if version.shape == shape.described { return }
        var found: [ShapeMisfit: (records: Int, example: RecordID)] = [:]
        try census.forEachRecord(of: version, besides: executable) { stored in
            let misfits = shape.misfits(of: stored.tree)
            guard !misfits.isEmpty else { return }
            // A misfit with the shape that the record was judged by is not this executable's doing.
            for misfit in misfits.subtracting(earlier.misfits(of: stored.tree)) {
                found[misfit, default: (0, stored.record)].records += 1
            }
        }
        guard !found.isEmpty else { return }
        let lines = found.map { misfit, count in
            let records = count.records == 1 ? "one record" : "\(count.records) records"
            return "  \(misfit.words(rules.catalog)) (\(records), such as \(count.example))"
        }
        findings.append(
            "Stored records of \(place), do not fit the scheme \(scheme.identifier) (\(executable.name)):\n"
                + lines.sorted().joined(separator: "\n"))
    }

    /// Returns the rules of a version. Asks a process that does not answer once more: on a busy machine, a slow start
    /// is no reason not to serve.
    private static func rules(
        of version: StaleVersion, by scheme: InstalledScheme
    ) throws(FaultList) -> Rulebook {
        let configuration = (try? JSON.parse(version.configuration)) ?? .null
        do throws(FaultList) {
            return try scheme.rulebook(configuration: configuration)
        } catch {
            guard error.isNotComputable else { throw error }
            return try scheme.rulebook(configuration: configuration)
        }
    }

    /// Throws all findings, with advice; returns if there are none.
    func check() throws {
        var lines: [String] = []
        if !silences.isEmpty {
            lines += silences
            lines.append("Try again, or give the scheme more time or memory; see docs/schemes.md.")
        }
        if !findings.isEmpty {
            lines += findings
            lines.append(
                "Start the executable from before, and change those records or the scheme; see docs/schemes.md.")
        }
        guard lines.isEmpty else { throw Failure(lines.joined(separator: "\n")) }
    }
}

extension ShapeMisfit {
    /// Returns what does not fit, in words for an operator.
    fileprivate func words(_ catalog: MessageCatalog) -> String {
        let place = kind.map { "kind \($0)" } ?? "the record"
        let part = field.map { ", field \($0)" } ?? ""
        return "\(place)\(part): \(catalog.message(code, arguments, in: .english))"
    }
}
