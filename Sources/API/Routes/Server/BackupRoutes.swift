import Accounts
import Application
import HTTP
import Shared
import WebServer

/// The route by which administrators download a copy of the whole store, as `gradecast backup` writes it.
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

    /// The stream in the answer to HEAD. Only the head is sent, so it is never opened.
    private final class NoStream: ByteStreamHandler {
        func closed() {}
    }

    private static func head(at now: Timestamp) -> Response {
        // 2026-11-21T09:31:05.120Z becomes 2026-11-21T093105Z, because file names should not contain colons.
        let moment = now.description.prefix { $0 != "." }.filter { $0 != ":" } + "Z"
        return Response(
            .ok,
            headers: [
                "Content-Type": "application/vnd.sqlite3",
                "Content-Disposition": "attachment; filename=\"gradecast-\(moment).db\"",
            ])
    }
}
