public import Cryptography
public import Shared

/// The second factor of an account: codes of an authenticator app, and recovery codes.
public struct SecondFactor: Sendable, Equatable {
    /// An authenticator app.
    public struct App: Sendable, Equatable {
        /// The encrypted seed of its codes.
        public let seed: [UInt8]
        /// When it was set up.
        public let since: Timestamp
        /// The time step of the last code that was used: no code is accepted twice.
        public var lastStep: Int64

        /// Creates an app as it is stored.
        public init(seed: [UInt8], since: Timestamp, lastStep: Int64) {
            self.seed = seed
            self.since = since
            self.lastStep = lastStep
        }
    }

    /// The setup of an app, which ends when the app has shown a code.
    public struct Enrolment: Sendable, Equatable {
        /// The time in which it must end, in seconds.
        public static let lifetime: Int64 = 600

        /// The encrypted seed of its codes.
        public let seed: [UInt8]
        /// The moment from which it is void.
        public let expiresAt: Timestamp

        /// Creates a setup as it is stored.
        public init(seed: [UInt8], expiresAt: Timestamp) {
            self.seed = seed
            self.expiresAt = expiresAt
        }
    }

    /// The account that it belongs to.
    public let account: AccountID
    /// The app in use; `nil` if there is none.
    public var app: App?
    /// The setup of an app; `nil` if there is none.
    public var enrolment: Enrolment?
    /// The digests of the unused recovery codes.
    public var recoveryCodes: [TokenDigest]

    /// Creates a second factor as it is stored; by default, the account has none.
    public init(
        of account: AccountID, app: App? = nil, enrolment: Enrolment? = nil, recoveryCodes: [TokenDigest] = []
    ) {
        self.account = account
        self.app = app
        self.enrolment = enrolment
        self.recoveryCodes = recoveryCodes
    }

    /// Whether signing in requires it.
    public var isRequired: Bool { app != nil }

    /// The ways to show it.
    public var ways: [Way] { app == nil ? [] : [.totp] + (recoveryCodes.isEmpty ? [] : [.recovery]) }

    /// A way to show a second factor.
    public enum Way: String, Sendable, CaseIterable {
        /// A code of an authenticator app.
        case totp
        /// A recovery code.
        case recovery
    }
}

/// A sign-in with a correct first factor that waits for the second.
public struct SignInChallenge: Sendable, Equatable {
    /// The time that it waits, in seconds.
    public static let lifetime: Int64 = 300
    /// The number of codes that may be tried.
    public static let tries = 5
    /// How many may wait for one account from one device that it knows, or from one address; the newest ones do.
    public static let capacity = 5
    /// How many may wait for one account in all, from devices that it does not know. Beyond it the network with the most
    /// makes room: a person who knows only the password neither fills the store nor takes a place from a known device
    /// or another network.
    public static let capacityOfStrangers = 100

    /// Which sign-ins of an account make room for each other.
    public struct Asker: Sendable, Equatable {
        /// Whether it is a device that the account knows.
        public let isKnown: Bool
        /// SHA-256 of the device's token, or of the address.
        public let digest: [UInt8]
        /// SHA-256 of the IPv6 site, or of the address.
        public let network: [UInt8]

        /// Creates an asker as it is stored.
        public init(isKnown: Bool, digest: [UInt8], network: [UInt8] = []) {
            self.isKnown = isKnown
            self.digest = digest
            self.network = network
        }

        /// Creates the asker of a device that the account knows, or of another one at the client's address.
        package init(device: SecretToken?, client: Client) {
            self.init(
                isKnown: device != nil, digest: device?.digest.bytes ?? SHA256.hash(client.source.utf8),
                network: SHA256.hash(client.network.utf8))
        }
    }

    /// A challenge that waits, as far as another one has to know.
    public struct Waiting: Sendable {
        /// Its digest.
        public let digest: TokenDigest
        /// Until when.
        public let expiresAt: Timestamp
        /// Who asked.
        public let asker: Asker

        /// What waits.
        public init(digest: TokenDigest, expiresAt: Timestamp, asker: Asker) {
            self.digest = digest
            self.expiresAt = expiresAt
            self.asker = asker
        }
    }

    /// The account that signs in.
    public let account: AccountID
    /// What was shown so far.
    public let proof: SignInProof
    /// Who asked.
    public let asker: Asker
    /// From then on it is refused.
    public let expiresAt: Timestamp
    /// The number of wrong codes tried.
    public let failures: Int

    /// A challenge.
    public init(
        account: AccountID, proof: SignInProof, asker: Asker = Asker(isKnown: false, digest: []), expiresAt: Timestamp,
        failures: Int = 0
    ) {
        self.account = account
        self.asker = asker
        self.proof = proof
        self.expiresAt = expiresAt
        self.failures = failures
    }
}

/// The error if the first factor was correct and the second is required.
public struct SecondFactorRequired: Error, Sendable {
    /// The token to send with the second factor.
    public let challenge: SecretToken
    /// The ways to show it.
    public let ways: [SecondFactor.Way]
    /// The page of this site to show afterwards, if the sign-in was begun for one.
    public var returnTo: String?

    /// Creates the error.
    package init(challenge: SecretToken, ways: [SecondFactor.Way]) {
        self.challenge = challenge
        self.ways = ways
    }
}
