import Application
import GradingKit
import HTTP
import Shared
import WebServer

/// A class as a file.
extension ClassRoutes {
    var files: [Route] {
        [
            .download(
                Self.path + "/export", .signedIn,
                "The class as a table: its students with their results and figures", scope: .classesRead,
                reads: [
                    Self.format, Self.ofGroup, Self.withComments, ResultBody.Dialect.cellDelimiter,
                    ResultBody.Dialect.decimalMark,
                ],
                media: FileFormat.allCases.map(\.mediaType)
            ) { call in
                let format = try call.read(Self.format) ?? .csv
                let file = try await classes.export(
                    of: call.taughtClass, try call.read(Self.ofGroup).map { GroupID($0) },
                    withComments: call.read(Self.withComments) ?? false, as: format.file(in: ResultBody.Dialect(call)),
                    for: call.context)
                let head = Response(
                    .ok,
                    headers: [
                        "Content-Type": format.contentType,
                        "Content-Disposition": Self.disposition(file.title, format.rawValue),
                    ])
                return .stream(head) { PieceStream(to: $0) { try await file.next() } }
            }
        ]
    }

    /// What a file is, as requests say it.
    private enum FileFormat: String, CaseIterable, Sendable {
        case csv
        case xlsx

        var mediaType: String {
            switch self {
            case .csv: "text/csv"
            case .xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
            }
        }

        var contentType: String {
            switch self {
            case .csv: mediaType + "; charset=utf-8"
            case .xlsx: mediaType
            }
        }

        func file(in dialect: ResultBody.Dialect) -> ClassExport.Format {
            switch self {
            case .csv: .csv(dialect)
            case .xlsx: .xlsx
            }
        }
    }

    private static let format = Parameter<FileFormat?>.choice(
        "format", of: FileFormat.self, "What the file is; `csv` without it.")

    private static let withComments = Parameter.flag(
        "comments", "Whether each line with results has a column with the comments on them.")

    /// Names a file by a title. Source: RFC 6266, with a plain name for clients that read no other.
    private static func disposition(_ title: String, _ suffix: String) -> String {
        "attachment; filename=\"class.\(suffix)\"; filename*=UTF-8''\(title.percentEncoded).\(suffix)"
    }
}
