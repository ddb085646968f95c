import Testing

@testable import PostgreSQL

@Suite struct `The text of a statement` {
    @Test(arguments: [
        ("SELECT ?", "SELECT $1", 1),
        ("SELECT ?, ?", "SELECT $1, $2", 2),
        ("SELECT ?2, ?, ?1", "SELECT $2, $3, $1", 3),
        ("SELECT ?1 + ?1::bigint", "SELECT $1 + $1::bigint", 1),
        ("SELECT ?::text", "SELECT $1::text", 1),
        ("SELECT '?', 'it''s ?', ?", "SELECT '?', 'it''s ?', $1", 1),
        (#"SELECT '\', ?"#, #"SELECT '\', $1"#, 1),
        (#"SELECT E'\'?', ?"#, #"SELECT E'\'?', $1"#, 1),
        (#"SELECT e'\\', ?"#, #"SELECT e'\\', $1"#, 1),
        (#"SELECT name'\', ?"#, #"SELECT name'\', $1"#, 1),
        (#"SELECT "a?""?", ?"#, #"SELECT "a?""?", $1"#, 1),
        ("SELECT 1 -- ? '\n, ?", "SELECT 1 -- ? '\n, $1", 1),
        ("SELECT /* ? /* ' ? */ ? */ ?", "SELECT /* ? /* ' ? */ ? */ $1", 1),
        ("SELECT $$ ? ' $$, ?", "SELECT $$ ? ' $$, $1", 1),
        ("SELECT $a$ ? $$ $b$ $a$, ?", "SELECT $a$ ? $$ $b$ $a$, $1", 1),
        ("SELECT a$1, b$$?", "SELECT a$1, b$$$1", 1),
        ("SELECT 'é?', ?, \"né?\"", "SELECT 'é?', $1, \"né?\"", 1),
        ("SELECT a-?, b/?, c- -?", "SELECT a-$1, b/$2, c- -$3", 3),
        ("SELECT 1", "SELECT 1", 0),
        ("SELECT '?", "SELECT '?", 0),
        ("SELECT /* ?", "SELECT /* ?", 0),
        ("SELECT $x$ ?", "SELECT $x$ ?", 0),
        ("SELECT ?65535", "SELECT $65535", 65_535),
    ])
    func `has its parameters numbered`(sql: String, expected: String, parameters: Int) throws {
        let text = try StatementText(sql)
        #expect(String(decoding: text.characters.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) == expected)
        #expect(text.characters.last == 0)
        #expect(text.parameters == parameters)
    }

    @Test(arguments: ["", " ;\n", "-- ?", "/* SELECT */", "SELECT ?0", "SELECT ?65536", "SELECT ?99999999999999999999"])
    func `is refused when it holds no statement or a wrong parameter`(sql: String) {
        #expect(throws: PostgreSQLError.self) { try StatementText(sql) }
    }

    @Test(arguments: ["SELECT $1", "SELECT 1\u{0}"])
    func `is refused when it holds what would be read as something else`(sql: String) {
        let error = #expect(throws: PostgreSQLError.self) { try StatementText(sql) }
        #expect(error?.kind == .misuse)
    }

    @Test(arguments: [
        ("SELECT 1", false), ("SELECT 'delete'", false), ("SELECT \"update\" FROM t -- insert", false),
        ("SELECT n FROM t FOR UPDATE", false), ("SELECT n FROM t FOR NO KEY UPDATE", false),
        ("SELECT updated FROM t", false), ("BEGIN", false), ("insert INTO t VALUES (1)", true),
        ("WITH x AS (DELETE FROM t RETURNING n) SELECT n FROM x", true), ("UPDATE t SET n = 1", true),
        ("CREATE TABLE t (n BIGINT)", true),
    ])
    func `says whether it may write`(sql: String, writes: Bool) throws {
        #expect(try StatementText(sql).writes == writes)
    }
}
