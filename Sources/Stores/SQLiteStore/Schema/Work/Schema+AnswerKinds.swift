extension Schema {
    /// An answer under a client's key says what became of the request; the API makes an HTTP status of that.
    static let answerKinds = Migration(
        name: "answer kinds",
        script: """
            ALTER TABLE idempotency ADD COLUMN kind TEXT NOT NULL DEFAULT 'changed';
            UPDATE idempotency SET kind =
                CASE status WHEN 201 THEN 'created' WHEN 202 THEN 'begun' WHEN 204 THEN 'deleted' ELSE 'changed' END;
            ALTER TABLE idempotency DROP COLUMN status;
            """)
}
