import HTTP
import TestKit
import Testing
import Transport

@testable import WebServer

/// Runs a server on a free loopback port, and beside it `body` on a thread of its own: clients here are blocking.
/// When `body` returns the server drains; `during` runs beside that.
func serving(
    _ responder: some Responder, settings: Settings = Settings(), loops: Int = 1,
    securedBy identity: TLSIdentity? = nil,
    _ body: @escaping @Sendable (Port) throws -> Void, whileDraining during: @escaping @Sendable () throws -> Void = {}
) async throws {
    let group = try EventLoopGroup(count: loops)
    let server = try WebServer(
        at: SocketAddress(host: "127.0.0.1", port: 0), on: group.loops, securedBy: identity, responder: responder,
        settings: settings)
    try await withThrowingTaskGroup { tasks in
        // On the loop: other tests may keep all threads of the pool for long.
        tasks.addTask(executorPreference: group.loops[0]) { try await server.run() }
        try await onThread { try body(Port(number: server.address.port, server: server)) }
        tasks.cancelAll()
        try await onThread(during)
        try await tasks.waitForAll()
    }
    #expect(server.connectionCount == 0 && server.unread.bytes == 0 && server.requests.bytes == 0)
    await group.shutdown()
}

/// A port of the loopback interface.
struct Port: Sendable {
    let number: UInt16
    /// Who serves it.
    let server: WebServer

    func connect(receiveBuffer: Int32? = nil) throws -> Client {
        try Client(port: number, receiveBuffer: receiveBuffer)
    }

    /// The answer to one request on a connection of its own.
    func ask(_ request: String) throws -> Client.Answer {
        let client = try connect()
        try client.send(request)
        return try client.answer()
    }
}
