import Configuration
import WebServer

extension Settings {
    /// The settings of the public address.
    init(_ configuration: ServerConfiguration) {
        self.init()
        connections = configuration.limits.connections
        connectionsPerAddress = configuration.limits.connectionsPerAddress
        proxies = configuration.proxies
        pipelinedBytes = configuration.limits.unreadBytesPerConnection
        unreadBytesPerPayer = configuration.limits.unreadBytesPerClient
        unreadBytes = configuration.limits.unreadBytes
        requestBytesPerPayer = configuration.limits.requestBytesPerClient
        requestBytes = configuration.limits.requestBytes
        drainTime = .seconds(configuration.limits.drainSeconds)
    }

    /// The settings of the management address.
    static var management: Settings {
        var settings = Settings()
        settings.connections = 64
        settings.drainTime = .zero
        return settings
    }
}
