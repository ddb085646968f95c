public import Cryptography
public import Shared

/// What an account's owner shows beside the password: codes of an authenticator app, or recovery codes.
public struct SecondFactor: Sendable, Equatable {
    /// An app that shows codes.
    public struct App: Sendable, Equatable {
        /// The seed of its codes, sealed.
        public let seed: [UInt8]
        /// Since when it counts.
        public let since: Timestamp
        /// The step of the last code that was used: no code counts twice.
        public var lastStep: Int64

        /// An app as it is stored.
        public init(seed: [UInt8], since: Timestamp, lastStep: Int64) {
            self.seed = seed
            self.since = since
            self.lastStep = lastStep
        }
    }

    /// An app that is being set up: it counts once it has shown a code.
    public struct Enrolment: Sendable, Equatable {
        /// Seconds for which it waits.
        public static let patience: Int64 = 600

        /// The seed of its codes, sealed.
        public let seed: [UInt8]
        /// From then on it is void.
        public let expiresAt: Timestamp

        /// An enrolment as it is stored.
        public init(seed: [UInt8], expiresAt: Timestamp) {
            self.seed = seed
            self.expiresAt = expiresAt
        }
    }

    /// Whose it is.
    public let account: AccountID
    /// The app that counts.
    public var app: App?
    /// The app that is being set up.
    public var enrolment: Enrolment?
    /// The digests of the recovery codes that were not used.
    public var recoveryCodes: [TokenDigest]

    /// A second factor as it is stored; without arguments none.
    public init(
        of account: AccountID, app: App? = nil, enrolment: Enrolment? = nil, recoveryCodes: [TokenDigest] = []
    ) {
        self.account = account
        self.app = app
        self.enrolment = enrolment
        self.recoveryCodes = recoveryCodes
    }

    /// Whether signing in asks for it.
    public var isRequired: Bool { app != nil }

    /// The ways in which it can be shown.
    public var ways: [Way] { app == nil ? [] : [.totp] + (recoveryCodes.isEmpty ? [] : [.recovery]) }

    /// A way in which a second factor is shown.
    public enum Way: String, Sendable, CaseIterable {
        /// A code of an authenticator app.
        case totp
        /// A recovery code.
        case recovery
    }
}

/// A sign-in whose password was right, and that waits for the second factor.
public struct SignInChallenge: Sendable, Equatable {
    /// Seconds for which it waits.
    public static let patience: Int64 = 300
    /// How many codes may be tried.
    public static let tries = 5
    /// How many may wait for one account from one device that it knows, or from one address; the newest ones do.
    public static let capacity = 5
    /// How many may wait for one account in all, from devices that it does not know: who knows the password alone neither
    /// fills the store nor takes the place of a known device.
    public static let capacityOfStrangers = 100

    /// Which sign-ins of an account make room for each other.
    public struct Asker: Sendable, Equatable {
        /// Whether it is a device that the account knows.
        public let isKnown: Bool
        /// SHA-256 of the device's token, or of the address.
        public let digest: [UInt8]

        /// An asker as it is stored.
        public init(isKnown: Bool, digest: [UInt8]) {
            self.isKnown = isKnown
            self.digest = digest
        }

        /// A device that the account knows, or another one at an address.
        init(device: SecretToken?, source: String) {
            self.init(
                isKnown: device != nil, digest: device?.digest.bytes ?? SHA256.hash(Array(source.utf8)))
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

    /// Who signs in.
    public let account: AccountID
    /// What was shown so far.
    public let proof: SignInProof
    /// Who asked.
    public let asker: Asker
    /// From then on it is refused.
    public let expiresAt: Timestamp
    /// How many wrong codes were tried.
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

/// The password was right, and signing in goes on with a second factor.
public struct SecondFactorRequired: Error, Sendable {
    /// What to show with the second factor.
    public let challenge: SecretToken
    /// How it can be shown.
    public let ways: [SecondFactor.Way]
    /// The page of this site to show afterwards, of a sign-in that was begun for one.
    public var returnTo: String?
}
