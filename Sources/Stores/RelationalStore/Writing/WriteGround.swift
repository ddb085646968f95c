import Records
import Shared

/// What a change of a record rests on, as far as that is known before the change runs.
package struct WriteGround: Sendable {
    let record: RecordID
    let account: AccountID
    let key: String?

    /// - Returns: `nil` if an identifier or the key has a character that separates the words of a list.
    init?(_ record: RecordID, _ context: WriteContext) {
        self.record = record
        account = context.account
        key = context.idempotency?.key
        guard Self.isWord(record.text), Self.isWord(account.text), key.map(Self.isWord) != false else { return nil }
    }

    private static func isWord(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { 0x21...0x7e ~= $0 }
    }
}
