package main

import (
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	_ "github.com/mattn/go-sqlite3"
)

var errNotFound = errors.New("not found")

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

type amended struct {
	version  int64
	standing []byte
	entry    subject
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
	if errors.Is(err, sql.ErrNoRows) || err == nil && r.Student != account {
		return done, errNotFound
	} else if err != nil {
		return done, err
	}
	if err = json.Unmarshal(tree, &r.Units); err != nil {
		return done, err
	}
	changed := r.subject(entry)
	if changed == nil {
		return done, errNotFound
	}
	before, _ := json.Marshal(changed)
	changed.Grade = value
	after, _ := json.Marshal(changed)
	if tree, err = json.Marshal(r.Units); err != nil {
		return done, err
	}
	if done.standing, err = json.Marshal(judge(id, r.Units)); err != nil {
		return done, err
	}
	digest := sha256.Sum256(append(append([]byte{}, before...), after...))
	link := sha256.Sum256(append(append([]byte{}, chain...), digest[:]...))
	done.version, done.entry = r.Version+1, *changed
	_, err = tx.Stmt(s.note).Exec(
		id, done.version, time.Now().UnixMicro(), account, source, entry, string(before), string(after), digest[:],
		link[:])
	if err != nil {
		return done, err
	}
	if _, err = tx.Stmt(s.keep).Exec(done.version, link[:], string(tree), string(done.standing), id); err != nil {
		return done, err
	}
	return done, tx.Commit()
}

func (r record) subject(id string) *subject {
	for i := range r.Units {
		for j := range r.Units[i].Children {
			if r.Units[i].Children[j].ID == id {
				return &r.Units[i].Children[j]
			}
		}
	}
	return nil
}

// document is the newest standing, for one who may read it.
func (s *store) document(id, account string) (version int64, standing []byte, err error) {
	err = s.db.QueryRow("SELECT version, standing FROM records WHERE id = ? AND student = ?", id, account).
		Scan(&version, &standing)
	return version, standing, err
}
