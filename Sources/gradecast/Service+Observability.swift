import Accounts
import DataStore
import GradingKit
import Observability
import PostgresStore
import SchemeHost
import Transport
import WebServer

extension Metrics {
    /// Registers metrics of a server's connections and of the memory held for them.
    func register(_ server: WebServer) {
        gauge("gradecast_connections", "Connections to the public address") { Double(server.connectionCount) }
        gauge("gradecast_unread_bytes", "Bytes kept of responses that are not read") { Double(server.unread.bytes) }
        counter("gradecast_unread_resets_total", "Connections reset because too much was not read") {
            Double(server.unread.evictions)
        }
        gauge("gradecast_request_bytes", "Bytes kept of requests that take more than one look to come in") {
            Double(server.requests.bytes)
        }
        counter("gradecast_request_refusals_total", "Requests refused because too much was being sent at once") {
            Double(server.requests.evictions)
        }
    }
}

extension Metrics {
    /// Registers metrics of a store and of its writer.
    func register(_ upkeep: any StoreUpkeep) {
        gauge("gradecast_store_waiting_writes", "Changes waiting for the writer") { Double(upkeep.waitingWrites) }
        gauge("gradecast_store_bytes", "Size of the database, in bytes; of a file with its log") { Double(upkeep.size) }
        let commits = upkeep.commits
        show(
            commits.durations, as: "gradecast_store_commit_seconds",
            "Time that a group of changes took, from its first change to the end of its commit")
        counter("gradecast_store_changes_total", "Changes in committed groups, refused ones included") {
            Double(commits.changes.value)
        }
    }

    /// Registers how requests to the process of a scheme end.
    func register(_ host: SchemeHost, of scheme: String) {
        let results: [(String, @Sendable (SchemeCalls) -> Int)] = [
            ("answered", \.answered), ("late", \.late), ("failed", \.failed), ("refused", \.refused),
        ]
        for (result, count) in results {
            counter(
                "gradecast_scheme_calls_total", "Requests to schemes in processes of their own, by how they ended",
                labels: ["scheme": scheme, "result": result]
            ) { Double(count(host.calls)) }
        }
    }

    /// Registers when the certificate for new connections ends.
    func register(_ identity: TLSIdentity) {
        gauge(
            "gradecast_certificate_end_timestamp_seconds",
            "When the server's certificate ends, in seconds since 1970"
        ) { identity.certificateEnd.map { Double($0) } ?? .nan }
    }

    /// Registers the version of this program.
    func registerProgram() {
        gauge("gradecast_build_info", "The version of the program; always 1", labels: ["version": Program.version]) {
            1
        }
    }
}

extension Log {
    /// Logs why a provider did not vouch for a person. What the provider sent is never logged.
    func signIn(_ provider: ProviderID, _ error: ProviderError) {
        switch error {
        case .refused(let why): info("sign-in refused", ["provider": .text(provider.text), "why": .text(why)])
        case .unavailable(let why):
            warning("sign-in provider unavailable", ["provider": .text(provider.text), "why": .text(why)])
        }
    }

    /// Logs that a database server is lost, or back.
    func store(_ news: PostgresStoreOptions.News) {
        switch news {
        case .lost(let why): warning("the database takes no changes", ["why": .text(why)])
        case .back: info("the database takes changes again")
        case .ended(let why): error("the store cannot be served any more", ["why": .text(why)])
        }
    }

    /// Logs an event of a scheme's process, with the path of its program.
    func scheme(_ path: String, _ event: SchemeEvent) {
        switch event {
        case .started(let missing) where missing.isEmpty: info("scheme confined", ["program": .text(path)])
        case .started(let missing):
            let list = missing.joined(separator: ", ")
            warning("scheme not wholly confined", ["program": .text(path), "missing": .text(list)])
        case .complained(let line): info("scheme says", ["program": .text(path), "line": .text(line)])
        case .failed(let failure):
            warning("scheme", ["program": .text(path), "failure": .text(failure.description)])
        }
    }
}
