import JSON
public import Messages

extension FaultCode {
    /// The address is neither `https` nor, where that is allowed, plain `http` on this machine.
    public static let outboundAddress = FaultCode(
        "outbound_address", "{address} is no https address", fr: "{address} n’est pas une adresse https",
        zh: "{address} 不是 https 地址")
    /// The host is in a network that is not allowed.
    public static let outboundNetwork = FaultCode(
        "outbound_network", "{host} lies in a network that outbound.networks does not name",
        fr: "{host} se trouve dans un réseau absent de outbound.networks", zh: "{host} 所在的网络未列入 outbound.networks")
    /// The name service does not know the host.
    public static let outboundName = FaultCode(
        "outbound_name", "The name service (DNS) does not know {host}",
        fr: "Le service de noms (DNS) ne connaît pas {host}",
        zh: "域名系统（DNS）中找不到 {host}")
    /// The host accepts no connection.
    public static let outboundConnection = FaultCode(
        "outbound_connection", "{host} takes no connection", fr: "{host} n’accepte pas la connexion", zh: "无法连接 {host}")
    /// No secure connection could be established.
    public static let outboundTLS = FaultCode(
        "outbound_tls", "No secure connection (TLS) to {host}: {why}",
        fr: "Pas de connexion sécurisée (TLS) avec {host} : {why}",
        zh: "无法与 {host} 建立安全连接（TLS）：{why}")
    /// The answer did not come in time.
    public static let outboundTime = FaultCode(
        "outbound_time", "{host} did not answer in time", fr: "{host} n’a pas répondu à temps", zh: "{host} 未及时响应")
    /// The answer is longer than the limit.
    public static let outboundSize = FaultCode(
        "outbound_size", "{host} sent a longer answer than this server reads",
        fr: "{host} a envoyé une réponse plus longue que ce que ce serveur lit", zh: "{host} 的响应过长，本服务器不予读取")
    /// Too many requests are waiting on this server.
    public static let outboundBusy = FaultCode(
        "outbound_busy", "This server has too many requests to others under way; try again",
        fr: "Ce serveur a trop de requêtes en cours vers d’autres ; réessayez", zh: "本服务器正在处理的对外请求过多，请稍后再试")
    /// The exchange broke off for another reason.
    public static let outboundFailed = FaultCode(
        "outbound_failed", "The exchange with {host} broke off: {why}", fr: "L’échange avec {host} a échoué : {why}",
        zh: "与 {host} 的通信中断：{why}")
    /// The answer has an HTTP status that is not expected.
    public static let outboundStatus = FaultCode(
        "outbound_status", "{address} answered with the HTTP status {status}",
        fr: "{address} a répondu avec le statut HTTP {status}",
        zh: "{address} 返回了 HTTP 状态码 {status}")
    /// The answer is not in the expected format.
    public static let outboundForm = FaultCode(
        "outbound_form", "{address} did not answer in {language}", fr: "{address} n’a pas répondu en {language}",
        zh: "{address} 的响应不是 {language} 格式")
}

extension OutboundError {
    /// Returns the fault for this error of a request to an address.
    public func fault(at url: String) -> Fault {
        let host = JSON.string(OutboundRequest.host(of: url))
        switch self {
        case .addressRefused: return Fault(.outboundAddress, ["address": .string(OutboundRequest.plain(url))])
        case .networkRefused: return Fault(.outboundNetwork, ["host": host])
        case .nameUnknown: return Fault(.outboundName, ["host": host])
        case .unreachable: return Fault(.outboundConnection, ["host": host])
        case .untrusted(let why): return Fault(.outboundTLS, ["host": host, "why": .string(why)])
        case .timedOut: return Fault(.outboundTime, ["host": host])
        case .tooLarge: return Fault(.outboundSize, ["host": host])
        case .busy: return Fault(.outboundBusy)
        case .cancelled: return Fault(.outboundBusy)
        case .failed(let why): return Fault(.outboundFailed, ["host": host, "why": .string(why)])
        }
    }
}

extension OutboundResponse {
    /// Returns the fault for an answer with this status to a request to an address.
    public func statusFault(at url: String) -> Fault {
        Fault(.outboundStatus, ["address": .string(OutboundRequest.plain(url)), "status": .number(String(status))])
    }
}

extension OutboundRequest {
    /// Returns the fault for an answer that is not in the expected `language` (JSON, CAS 3.0).
    public static func formFault(at url: String, expected language: String) -> Fault {
        Fault(.outboundForm, ["address": .string(plain(url)), "language": .string(language)])
    }

    /// Returns an address without its query, which may contain data that must not be logged.
    static func plain(_ url: String) -> String { String(url.prefix { $0 != "?" }) }

    /// Returns the host of an address, with its port.
    static func host(of url: String) -> String {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        return String(rest.prefix { !"/?#".contains($0) })
    }
}

extension MessageCatalog {
    /// The messages for faults of requests to other servers.
    public static let outbound = MessageCatalog([
        .outboundAddress, .outboundNetwork, .outboundName, .outboundConnection, .outboundTLS, .outboundTime,
        .outboundSize, .outboundBusy, .outboundFailed, .outboundStatus, .outboundForm,
    ])
}
