extension Schema {
    /// Answers under clients' keys store the kind of result, from which the API derives an HTTP status.
    static let answerKinds = Migration(
        name: "answer kinds", expands: false,
        script: """
            ALTER TABLE idempotency ADD COLUMN kind TEXT NOT NULL DEFAULT 'changed';
            UPDATE idempotency SET kind =
                CASE status WHEN 201 THEN 'created' WHEN 202 THEN 'begun' WHEN 204 THEN 'deleted' ELSE 'changed' END;
            ALTER TABLE idempotency DROP COLUMN status;
            """)
}
