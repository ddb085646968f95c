public import GradingKit
public import Shared

/// Where rehearsals are kept: nothing here is truth, everything can be rehearsed again.
///
/// What is found is stored in small slices, so that those who change records wait for one of them at the longest.
public protocol RehearsalStore: LeaseStore {
    /// Keeps a rehearsal that begins, with the answer that tells of it. One of the program that is under way is stopped,
    /// and the oldest ones beyond ``RehearsalPlans/kept`` are forgotten: what they found is left to ``deleteForgotten(limit:)``. `false` when too many are under way.
    ///
    /// - Throws: `StoreError.taken(field: "key")` when there is an answer under the key.
    func begin(_ rehearsal: Rehearsal, keeping kept: KeptAnswer?) async throws -> Bool
    /// Keeps how a rehearsal stands, and what was found in more records, in the order of the records. With a record goes
    /// what was found in it, and of one that is gone the version alone is kept.
    ///
    /// - Throws: ``LeaseLost``, also when it was stopped.
    func advance(_ rehearsal: Rehearsal, finding records: [RehearsedRecord], under lease: WorkLease) async throws
    /// Stops a rehearsal that is under way, and forgets one that has ended; how it was left, `nil` when there is none.
    func cancel(_ rehearsal: String) async throws -> Rehearsal?

    /// Deletes at most `limit` findings of one forgotten rehearsal, so that no write waits for all of them. `false` when
    /// no forgotten rehearsal has any.
    func deleteForgotten(limit: Int) async throws -> Bool

    /// The rehearsal; `nil` when there is none.
    func rehearsal(_ id: String) async throws -> Rehearsal?
    /// A program's rehearsals, newest first.
    func rehearsals(of program: ProgramID) async throws -> [Rehearsal]
    /// The newest rehearsal of a program that ended with this digest.
    func rehearsal(of program: ProgramID, digest: String) async throws -> Rehearsal?

    /// What was found in noteworthy records from `first` on, in the order of the records: at most `limit` records.
    func findings(of rehearsal: String, from first: RecordID?, limit: Int) async throws -> [RehearsalFinding]
    /// The versions that were compared, of records after `cursor`.
    func versions(of rehearsal: String, after cursor: RecordID?, limit: Int) async throws -> [RecordVersion]
    /// The records that a rehearsal under way has compared, after `cursor`.
    func compared(in rehearsal: String, after cursor: RecordID?, limit: Int) async throws -> [ComparedRecord]
}

/// A record as a rehearsal compared it.
public struct ComparedRecord: Sendable, Hashable {
    /// The record.
    public let record: RecordID
    /// The full view's version.
    public let version: Version
    /// The program's version by which it was judged.
    public let programVersion: Version

    /// A record that was compared.
    public init(record: RecordID, version: Version, programVersion: Version) {
        self.record = record
        self.version = version
        self.programVersion = programVersion
    }
}

/// What a rehearsal found in one record.
public struct RehearsalFinding: Sendable {
    /// The names of the details of each difference, in the order of `rows`.
    private static let names = ["kind", "entry", "figure", "before", "after", "exactBefore", "exactAfter"]

    /// The record.
    public let record: RecordID
    /// JSON text, an array for each thing: a cohort has so many of them that their members' names would be most of it.
    public let rows: [UInt8]

    /// What is seen otherwise, as `{"kind","entry","figure","before","after","path"}`; with `exactBefore` and
    /// `exactAfter` for a figure. The path tells what the entry and those around it are called, outermost first.
    public var details: [JSONObject] {
        ((try? JSON.parse(rows))?.array ?? []).map { row in
            var details = zip(Self.names, row.array ?? []).reduce(into: JSONObject()) { $0[$1.0] = $1.1 }
            // Rehearsals made before paths were stored hold the entry only.
            let place = details["entry"]?.array
            if let entry = place?.first { details["entry"] = entry }
            details["path"] = .array(Array((place ?? []).dropFirst()))
            return details
        }
    }

    /// A finding; `rows` as ``RehearsedRecord/rows`` writes them.
    public init(record: RecordID, rows: [UInt8]) {
        self.record = record
        self.rows = rows
    }
}

/// Which version of a record's full view is meant.
public struct RecordVersion: Sendable, Hashable {
    /// The record.
    public let record: RecordID
    /// The full view's version.
    public let version: Version

    /// A version of a record.
    public init(record: RecordID, version: Version) {
        self.record = record
        self.version = version
    }
}
