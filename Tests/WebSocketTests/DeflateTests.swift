import Testing

@testable import WebSocket

@Suite struct `Compression terms` {
    @Test(arguments: [
        ("permessage-deflate", 15), ("PERMESSAGE-DEFLATE ; client_max_window_bits", 15),
        ("permessage-deflate; client_max_window_bits=10; server_max_window_bits=9", 9),
        ("permessage-deflate; server_max_window_bits=\"12\"", 12),
        ("permessage-deflate; server_no_context_takeover; client_no_context_takeover", 15),
        ("x-webkit-deflate-frame, permessage-deflate; server_max_window_bits=8, permessage-deflate", 15),
        ("permessage-deflate; server_max_window_bits=10, permessage-deflate", 10),
    ]) func `take the first offer that can be met`(offers: String, window: Int) {
        #expect(Deflate(offers: [offers])?.window == window)
    }

    @Test(arguments: [
        "", "deflate", "permessage-deflate; server_max_window_bits", "permessage-deflate; server_max_window_bits=16",
        "permessage-deflate; server_max_window_bits=8", "permessage-deflate; server_max_window_bits=09",
        "permessage-deflate; client_max_window_bits=7", "permessage-deflate; unknown",
        "permessage-deflate; server_no_context_takeover=1", "permessage-deflate;",
        "permessage-deflate; client_max_window_bits; client_max_window_bits=9",
    ]) func `refuse what is malformed, unknown or said twice`(offer: String) {
        #expect(Deflate(offers: [offer]) == nil)
    }

    @Test func `are answered with each message by itself`() {
        let answer = "permessage-deflate; server_no_context_takeover; client_no_context_takeover"
        #expect(Deflate(offers: ["permessage-deflate"])?.answer == answer)
        #expect(
            Deflate(offers: ["permessage-deflate; server_max_window_bits=10"])?.answer
                == answer + "; server_max_window_bits=10")
    }
}
