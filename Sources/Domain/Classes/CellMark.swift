public import GradingKit
public import Shared

/// The mark of one of two markers.
public struct CellMark: Sendable, Equatable {
    /// The marker.
    public let account: AccountID
    /// The mark.
    public let value: FieldValue

    /// The most marks of one cell.
    public static let most = 2

    /// A mark by a person.
    public init(_ value: FieldValue, by account: AccountID) {
        self.account = account
        self.value = value
    }

    /// `{"by","value"}`.
    public var json: JSON { ["by": .string(account.text), "value": value.json] }

    /// Reads the form of `json`; `nil` for anything else.
    public init?(_ json: JSON) {
        guard let account = json["by"]?.string, let value = json["value"].flatMap({ FieldValue($0) }) else {
            return nil
        }
        self.init(value, by: AccountID(account))
    }
}

extension ClassCell {
    /// Whether a reader sees the value of a mark: always for the reader's own, and for both once both exist.
    ///
    /// - Parameters:
    ///   - reader: the reader; `nil` for many people at once.
    ///   - marking: the marking of the line; `nil` if the line is deleted.
    public func shows(_ mark: CellMark, to reader: AccountID?, in marking: LineMarking?) -> Bool {
        marks.count == CellMark.most || mark.account == reader || marking?.double?.isOpen ?? false
    }

    /// The cell in its stored form, without the values of marks that a reader does not see.
    public func json(seenBy reader: AccountID?, in marking: LineMarking?) -> JSON {
        guard !marks.isEmpty, case .object(var object) = json else { return json }
        object["marks"] = .array(
            marks.map { mark in
                shows(mark, to: reader, in: marking) ? mark.json : ["by": .string(mark.account.text)]
            })
        return .object(object)
    }
}
