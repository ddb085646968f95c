import Accounts
import Application
import HTTP
import Shared
import WebServer

/// The whole store, for administrators to take away: what `gradecast backup` writes, as it stands at the moment.
struct BackupRoutes: RouteGroup {
    let backups: Backups
    let proofs: Proofs

    var routes: [Route] {
        [
            .download(
                "/v1/backup", .administrator,
                "A copy of everything, as an SQLite database that `gradecast restore` takes", scope: .backup,
                media: ["application/vnd.sqlite3"]
            ) { call in
                let head = Self.head(at: call.now)
                guard !call.wantsHeadAlone else { return .stream(head) { _ in NoStream() } }
                let copy = try await backups.take(by: call.audit())
                return .stream(head) { PieceStream(to: $0, size: copy.size, copy.read) }
            }.proven(by: proofs, takesTokens: true)
        ]
    }

    /// To HEAD, a stream is its head; this is never asked for.
    private final class NoStream: ByteStreamHandler {
        func closed() {}
    }

    private static func head(at now: Timestamp) -> Response {
        // 2026-11-21T09:31:05.120Z without what file names do without.
        let moment = now.description.prefix { $0 != "." }.filter { $0 != ":" } + "Z"
        return Response(
            .ok,
            headers: [
                "Content-Type": "application/vnd.sqlite3",
                "Content-Disposition": "attachment; filename=\"gradecast-\(moment).db\"",
            ])
    }
}
