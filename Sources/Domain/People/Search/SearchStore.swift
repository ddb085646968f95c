public import Shared

/// A kind of things that a search finds.
public enum SearchKind: String, Sendable, CaseIterable {
    /// A record of the caller's own.
    case record
    /// An entry of such a record.
    case entry
    /// A program.
    case program
    /// A class that the caller teaches or oversees.
    case taughtClass = "class"
    /// A student of the caller's.
    case student
    /// A person who wants to be found.
    case person
    /// An institution.
    case institution
    /// A scheme.
    case scheme
    /// A regulation to begin with.
    case regulation
}

/// The people who find something. The audiences to which a caller belongs at the moment are part of every search.
public struct SearchAudience: Sendable, Hashable, Comparable {
    /// The text under which the index keeps it.
    public let text: String

    /// Reads the text of an index.
    public init(stored text: String) { self.text = text }

    /// Everyone, signed in or not.
    public static let everyone = SearchAudience(stored: "public")
    /// Everyone who is signed in.
    public static let signedIn = SearchAudience(stored: "found")

    /// The members of an institution.
    public static func members(of institution: InstitutionID) -> SearchAudience {
        SearchAudience(stored: "institution/\(institution)")
    }

    /// The registrars of an institution.
    public static func registrars(of institution: InstitutionID) -> SearchAudience {
        SearchAudience(stored: "institution/\(institution)/staff")
    }

    /// The teachers of a program.
    public static func staff(of program: ProgramID) -> SearchAudience {
        SearchAudience(stored: "program/\(program)/staff")
    }

    /// One account.
    public static func account(_ account: AccountID) -> SearchAudience {
        SearchAudience(stored: "account/\(account)")
    }

    /// The institution whose registrars it is; `nil` for another audience.
    public var overseenInstitution: InstitutionID? { identifier(after: "institution/").map { InstitutionID($0) } }

    /// The program whose teachers it is; `nil` for another audience.
    public var overseenProgram: ProgramID? { identifier(after: "program/").map { ProgramID($0) } }

    private func identifier(after prefix: String) -> String? {
        let end = "/staff"
        guard text.hasPrefix(prefix), text.hasSuffix(end), text.utf8.count > prefix.utf8.count + end.utf8.count else {
            return nil
        }
        return String(text.dropFirst(prefix.count).dropLast(end.count))
    }

    /// Orders audiences by their texts.
    public static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

/// The place of a result among the others: the words that match whole come first, then the longer ones, each in the order
/// of titles.
public struct SearchPlace: Sendable, Hashable, Comparable {
    /// The stored term that matches.
    public let term: String
    /// The title, as ``SearchText/sortKey(of:)`` makes it.
    public let title: String
    /// The identifier of what was found.
    public let id: String

    /// Creates a place.
    public init(term: String, title: String, id: String) {
        self.term = term
        self.title = title
        self.id = id
    }

    /// Compares byte by byte, as a store's index does.
    public static func < (left: Self, right: Self) -> Bool {
        for (one, other) in [(left.term, right.term), (left.title, right.title)] where !one.isSame(as: other) {
            return one.utf8.lexicographicallyPrecedes(other.utf8)
        }
        return left.id.utf8.lexicographicallyPrecedes(right.id.utf8)
    }
}

extension String {
    /// Compares bytes: two texts that look the same may be different terms.
    fileprivate func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

/// A search of the index for one kind of things.
public struct SearchQuestion: Sendable {
    /// The kind.
    public let kind: SearchKind
    /// The terms; all have to match what one audience may find a thing by.
    public let terms: [SearchTerm]
    /// The caller's audiences.
    public let audiences: [SearchAudience]
    /// The caller, who finds no person with whom there is a block; `nil` for a guest.
    public let viewer: AccountID?
    /// Where to begin; `nil` for the first page.
    public let after: SearchCursor?
    /// The greatest number of results.
    public let limit: Int

    /// The greatest number of audiences that count.
    public static let mostAudiences = 200

    /// Creates a search.
    public init(
        _ kind: SearchKind, for terms: [SearchTerm], in audiences: [SearchAudience], viewer: AccountID?,
        after: SearchCursor? = nil, limit: Int
    ) {
        self.kind = kind
        self.terms = Array(terms.prefix(SearchText.mostAsked))
        self.audiences = Array(Set(audiences).sorted().prefix(Self.mostAudiences))
        self.viewer = viewer
        self.after = after
        self.limit = limit
    }
}

/// Where a page of results ends.
public struct SearchCursor: Sendable, Equatable {
    /// Which of the search's terms orders the results.
    public let term: Int
    /// The last place.
    public let place: SearchPlace

    /// Creates a cursor.
    public init(term: Int, place: SearchPlace) {
        self.term = term
        self.place = place
    }
}

/// What a search found.
public struct SearchHit: Sendable, Equatable {
    /// Where it stands.
    public let cursor: SearchCursor
    /// The audience that finds it: the first one of the caller's.
    public let audience: SearchAudience

    /// The identifier of what was found.
    public var id: String { cursor.place.id }

    /// Creates a hit.
    public init(cursor: SearchCursor, audience: SearchAudience) {
        self.cursor = cursor
        self.audience = audience
    }
}

/// The hits of one question, in order.
public struct SearchHits: Sendable, Equatable {
    /// The hits.
    public let hits: [SearchHit]
    /// Where to go on when the search ended before all was looked at; `nil` when there is no more.
    public let next: SearchCursor?

    /// Creates hits.
    public init(hits: [SearchHit], next: SearchCursor?) {
        self.hits = hits
        self.next = next
    }
}

/// The index of what can be found, kept in the transactions of what it describes.
///
/// Work is bounded: a search that looks at too many rows ends early, and says where it goes on.
public protocol SearchStore: Sendable {
    /// Searches, for each question, in one transaction.
    func search(_ questions: [SearchQuestion]) async throws -> [SearchHits]
}
