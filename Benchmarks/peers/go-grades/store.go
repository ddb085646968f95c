//go:build !postgres

package main

import (
	"database/sql"
	"encoding/json"
	"errors"

	_ "github.com/mattn/go-sqlite3"
)

const schema = `
CREATE TABLE IF NOT EXISTS records (
	id TEXT PRIMARY KEY, student TEXT NOT NULL, version INTEGER NOT NULL, chain BLOB NOT NULL, tree TEXT NOT NULL,
	standing TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS changes (
	seq INTEGER PRIMARY KEY, record TEXT NOT NULL, version INTEGER NOT NULL, at INTEGER NOT NULL,
	account TEXT NOT NULL, source TEXT NOT NULL, entry TEXT NOT NULL, before TEXT, after TEXT, digest BLOB NOT NULL,
	chain BLOB NOT NULL
) STRICT;`

// One connection that writes: SQLite has one writer, and here it is the pool's only connection.
type store struct {
	db                    *sql.DB
	find, keep, note, add *sql.Stmt
}

func openStore(path string) (*store, error) {
	db, err := sql.Open("sqlite3", path+"?_journal_mode=WAL&_synchronous=FULL&_txlock=immediate&_foreign_keys=1")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(schema); err != nil {
		return nil, err
	}
	s := &store{db: db}
	for statement, text := range map[**sql.Stmt]string{
		&s.find: "SELECT student, version, chain, tree FROM records WHERE id = ?",
		&s.keep: "UPDATE records SET version = ?, chain = ?, tree = ?, standing = ? WHERE id = ?",
		&s.add:  "INSERT INTO records (id, student, version, chain, tree, standing) VALUES (?, ?, ?, ?, ?, ?)",
		&s.note: `INSERT INTO changes (record, version, at, account, source, entry, before, after, digest, chain)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
	} {
		if *statement, err = db.Prepare(text); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *store) insert(r record, judged standing) error {
	tree, err := json.Marshal(r.Units)
	if err != nil {
		return err
	}
	document, err := json.Marshal(judged)
	if err != nil {
		return err
	}
	_, err = s.add.Exec(r.ID, r.Student, r.Version, make([]byte, 32), string(tree), string(document))
	return err
}

// amend changes one grade in one transaction: reads the record, changes it, judges it, and writes it with its change.
func (s *store) amend(id, entry, account, source string, value *grade) (done amended, err error) {
	tx, err := s.db.Begin()
	if err != nil {
		return done, err
	}
	defer tx.Rollback()
	r := record{ID: id}
	var chain, tree []byte
	err = tx.Stmt(s.find).QueryRow(id).Scan(&r.Student, &r.Version, &chain, &tree)
	if errors.Is(err, sql.ErrNoRows) {
		return done, errNotFound
	} else if err != nil {
		return done, err
	}
	c, done, err := r.amend(entry, account, source, chain, tree, value)
	if err != nil {
		return done, err
	}
	_, err = tx.Stmt(s.note).Exec(
		id, c.version, c.at, account, source, entry, string(c.before), string(c.after), c.digest, c.link)
	if err != nil {
		return done, err
	}
	if _, err = tx.Stmt(s.keep).Exec(c.version, c.link, string(c.tree), string(c.standing), id); err != nil {
		return done, err
	}
	return done, tx.Commit()
}

// document is the newest standing, for one who may read it.
func (s *store) document(id, account string) (version int64, standing []byte, err error) {
	err = s.db.QueryRow("SELECT version, standing FROM records WHERE id = ? AND student = ?", id, account).
		Scan(&version, &standing)
	return version, standing, err
}
