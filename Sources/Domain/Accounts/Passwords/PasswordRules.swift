import JSON
public import Messages

/// The rules for new passwords: long enough and hard to guess. There are no composition rules.
public struct PasswordRules: Sendable {
    /// The minimum number of code points, 8…64.
    public let minimumLength: Int
    private let forbidden: [String]

    /// Creates rules. `names` are words that everyone here knows, such as the names of the service and of institutions.
    public init(minimumLength: Int = 8, names: [String] = []) {
        self.minimumLength = min(max(minimumLength, 8), 64)
        forbidden = (names + ["gradecast"]).map(PasswordRules.plain).filter { $0.count >= 4 }
    }

    /// Returns the faults of `password` for an account with the login; their paths are relative to the value.
    public func faults(_ password: Password, login: Login?) -> FaultList {
        var faults = FaultList()
        let length = password.text.unicodeScalars.count
        if length < minimumLength {
            faults.add(.passwordTooShort, at: "", ["min": .number("\(minimumLength)")])
        } else if password.isCut || length > Password.maximumLength {
            faults.add(.passwordTooLong, at: "", ["max": .number("\(Password.maximumLength)")])
        } else if isCommon(password.text, login: login) {
            faults.add(.passwordCommon, at: "")
        }
        return faults
    }

    private func isCommon(_ text: String, login: Login?) -> Bool {
        let plain = PasswordRules.plain(text)
        if CommonPasswords.contains(plain) || PasswordRules.isMonotonous(Array(plain.unicodeScalars)) { return true }
        var names = forbidden
        if let login {
            names += [PasswordRules.plain(login.text), PasswordRules.plain(String(login.text.prefix { $0 != "@" }))]
        }
        return names.contains { PasswordRules.adds(little: plain, to: $0) }
    }

    /// Returns whether the password is the name plus fewer than five characters: `alice2026` for `alice`.
    private static func adds(little password: String, to name: String) -> Bool {
        guard name.count >= 3, password.count < name.count + 5 else { return false }
        return (0...(password.count - min(password.count, name.count))).contains {
            password.dropFirst($0).hasPrefix(name)
        }
    }

    /// Returns whether there are at most two different characters, or the characters are consecutive: `abcdefgh`.
    private static func isMonotonous(_ scalars: [Unicode.Scalar]) -> Bool {
        if Set(scalars).count <= 2 { return true }
        let steps = Set(zip(scalars.dropFirst(), scalars).map { Int($0.value) - Int($1.value) })
        return steps == [1] || steps == [-1]
    }

    private static func plain(_ text: String) -> String { text.lowercased() }
}
