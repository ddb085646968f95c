import GradingKit
import Testing

@testable import Accounts

@Suite struct DeviceNameTests {
    @Test(arguments: [
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Windows"),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 "
                + "Safari/537.36 Edg/138.0.0.0", "Edge on Windows"
        ),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 "
                + "Safari/605.1.15", "Safari on macOS"
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                + "CriOS/138.0.7204.33 Mobile/15E148 Safari/604.1", "Chrome on iPhone"
        ),
        (
            "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile "
                + "Safari/537.36", "Chrome on Android"
        ),
        ("curl/8.5.0", "curl"), ("python-requests/2.32", "python-requests"), ("GradesApp", "GradesApp"),
    ])
    func `a client is called by its program and system`(client: String, name: String) {
        #expect(DeviceName(client: client)?.text(in: .english) == name)
    }

    @Test func `a client that says nothing has no name`() {
        #expect(DeviceName(client: "") == nil)
        #expect(DeviceName(client: "/1.0") == nil)
    }

    @Test func `a name is as short as a line, and in the reader's language`() {
        #expect(DeviceName(client: String(repeating: "x", count: 200))?.program.count == 60)
        let firefox = DeviceName(client: "Mozilla/5.0 (Windows NT 10.0) Firefox/140.0")
        #expect(firefox?.text(in: .french) == "Firefox sur Windows")
        #expect(firefox?.text(in: .simplifiedChinese) == "Windows 上的 Firefox")
    }
}
