import HTTP

private let proxies = ["127.0.0.0/8", "10.0.0.0/8", "2001:db8::/32"].compactMap { IPNetwork($0) }
private let addresses = ["127.0.0.1", "10.1.2.3", "2001:db8::1", "192.0.2.1", "::1"].compactMap { IPAddress($0) }

/// What the proxies say, in lines such as `for=192.0.2.1` (`Forwarded`) or `X-Forwarded-For: 192.0.2.1`.
private func fields(_ text: String) -> Headers {
    var headers = Headers()
    for line in text.split(separator: "\n") {
        guard line.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { continue }
        let parts = line.split(separator: ": ", maxSplits: 1)
        let isNamed = parts.count == 2 && parts[0].hasPrefix("X-Forwarded-")
        headers.append(isNamed ? String(parts[0]) : "Forwarded", isNamed ? String(parts[1]) : String(line))
    }
    return headers
}

/// The client that the proxies name; `nil` where they cannot be believed.
private func client(_ headers: Headers, from peer: IPAddress) -> IPAddress? {
    (try? Forwarding(headers, from: peer, trusting: proxies))?.client
}

/// Nobody but a proxy decides whose request it is, whatever stands to the left of what the proxy wrote.
@Sendable func fuzzForwarding(_ bytes: [UInt8]) {
    guard let first = bytes.first, let text = String(validating: bytes.dropFirst(), as: UTF8.self) else { return }
    let peer = addresses[Int(first) % addresses.count]
    let headers = fields(text)
    if let client = client(headers, from: peer), client != peer {
        promise(proxies.contain(peer), "\(peer) is no proxy, and was believed")
    }
    guard let proxy = addresses.first, let stranger = IPAddress("198.51.100.7") else { return }
    for (name, hop) in [("Forwarded", "for=198.51.100.7"), ("X-Forwarded-For", "198.51.100.7")] {
        var (joined, apart) = (Headers(), Headers())
        let written = headers.values(name)
        joined.append(name, (written + [hop]).joined(separator: ","))
        for value in written + [hop] { apart.append(name, value) }
        let found = client(joined, from: proxy)
        promise(found == nil || found == stranger, "\(name): a client passed for \(found.map { "\($0)" } ?? "")")
        promise(found == client(apart, from: proxy), "\(name): one field and many differ")
    }
}
