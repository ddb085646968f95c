public import GradingKit
public import Shared

/// What one of two markers gives for work.
public struct CellMark: Sendable, Equatable {
    /// Who marked.
    public let account: AccountID
    /// The mark.
    public let value: FieldValue

    /// The marks of one cell.
    public static let most = 2

    /// A mark by a person.
    public init(_ value: FieldValue, by account: AccountID) {
        self.account = account
        self.value = value
    }

    /// `{"by","value"}`.
    public var json: JSON { ["by": .string(account.text), "value": value.json] }

    /// Reads what `json` writes; `nil` for anything else.
    public init?(_ json: JSON) {
        guard let account = json["by"]?.string, let value = json["value"].flatMap({ FieldValue($0) }) else {
            return nil
        }
        self.init(value, by: AccountID(account))
    }
}

extension ClassCell {
    /// Whether a reader sees the value of a mark: of the own one, and of all once both are there.
    ///
    /// - Parameters:
    ///   - reader: who reads; `nil` for many people at once.
    ///   - marking: that of the line; `nil` for a line that is gone.
    public func shows(_ mark: CellMark, to reader: AccountID?, in marking: LineMarking?) -> Bool {
        marks.count == CellMark.most || mark.account == reader || marking?.double?.isOpen ?? false
    }

    /// The cell as it is stored, without the values of marks that a reader does not see.
    public func json(seenBy reader: AccountID?, in marking: LineMarking?) -> JSON {
        guard !marks.isEmpty, case .object(var object) = json else { return json }
        object["marks"] = .array(
            marks.map { mark in
                shows(mark, to: reader, in: marking) ? mark.json : ["by": .string(mark.account.text)]
            })
        return .object(object)
    }
}
