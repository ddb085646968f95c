import API
import Configuration
import Observability

extension WebFiles {
    /// Returns the web client: from the configured folder, installed beside the program, or in the checkout it was
    /// built in.
    static func installed(by configuration: ServerConfiguration, _ log: Log) throws -> WebFiles {
        let program = Files.programFolder
        let places =
            configuration.webFolder.map { [$0] } ?? [
                program + "/../share/gradecast/web", program + "/../../../Web",
                program + "/../../Web",
            ]
        for place in places {
            if let files = try? WebFiles(folder: place) { return files }
        }
        if let folder = configuration.webFolder { throw Failure("\(folder) holds no web client.") }
        log.warning("no web client found; serving the API alone", ["looked": .text(places.joined(separator: ", "))])
        return WebFiles()
    }
}
