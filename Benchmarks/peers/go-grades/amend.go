package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"time"
)

var errNotFound = errors.New("not found")

// What a change of a grade answers.
type amended struct {
	version  int64
	standing []byte
	entry    subject
}

// What a change of a grade writes.
type change struct {
	record, account, source, entry string
	version, at                    int64
	before, after, digest, link    []byte
	tree, standing                 []byte
}

// amend changes one grade of a record that was read, and judges the record again.
func (r *record) amend(entry, account, source string, chain, tree []byte, value *grade) (c change, done amended, err error) {
	if r.Student != account {
		return c, done, errNotFound
	}
	if err = json.Unmarshal(tree, &r.Units); err != nil {
		return c, done, err
	}
	changed := r.subject(entry)
	if changed == nil {
		return c, done, errNotFound
	}
	c = change{
		record: r.ID, account: account, source: source, entry: entry, version: r.Version + 1, at: time.Now().UnixMicro(),
	}
	c.before, _ = json.Marshal(changed)
	changed.Grade = value
	c.after, _ = json.Marshal(changed)
	if c.tree, err = json.Marshal(r.Units); err != nil {
		return c, done, err
	}
	if c.standing, err = json.Marshal(judge(r.ID, r.Units)); err != nil {
		return c, done, err
	}
	digest := sha256.Sum256(append(append([]byte{}, c.before...), c.after...))
	link := sha256.Sum256(append(append([]byte{}, chain...), digest[:]...))
	c.digest, c.link = digest[:], link[:]
	return c, amended{version: c.version, standing: c.standing, entry: *changed}, nil
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
