// The main job written plainly in Go: net/http, gorilla/websocket, database/sql over SQLite, or
// pgx over PostgreSQL. It speaks the part of
// the API that the load client uses.
package main

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"log"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

const program = "iut-program"

type server struct {
	store    *store
	hub      *hub
	mutex    sync.RWMutex
	sessions map[string]string // token → account
}

func main() {
	port := flag.Int("port", 8080, "the port to listen on")
	path := flag.String("data", "grades.db", "the database: a file, or a URL of PostgreSQL")
	flag.Parse()
	store, err := openStore(*path)
	if err != nil {
		log.Fatal(err)
	}
	s := &server{store: store, hub: newHub(), sessions: map[string]string{}}
	mux := http.NewServeMux()
	mux.HandleFunc("/v1/institutions/demo/programs", s.programs)
	mux.HandleFunc("/v1/accounts", s.signUp)
	mux.HandleFunc("/v1/records", s.create)
	mux.HandleFunc("/v1/records/", s.patch)
	mux.HandleFunc("/v1/live", s.live)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+strconv.Itoa(*port), mux))
}

func newID() string {
	bytes := make([]byte, 16)
	rand.Read(bytes)
	return hex.EncodeToString(bytes)
}

func answer(w http.ResponseWriter, status int, value any) {
	body, err := json.Marshal(value)
	if err != nil {
		http.Error(w, "internal", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	w.Write(body)
}

func (s *server) account(token string) string {
	s.mutex.RLock()
	defer s.mutex.RUnlock()
	return s.sessions[token]
}

func (s *server) caller(r *http.Request) string {
	return s.account(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
}

func (s *server) programs(w http.ResponseWriter, r *http.Request) {
	answer(w, http.StatusOK, map[string]any{"items": []map[string]string{{"id": program, "scheme": "iut"}}})
}

func (s *server) signUp(w http.ResponseWriter, r *http.Request) {
	token, account := newID(), newID()
	s.mutex.Lock()
	s.sessions[token] = account
	s.mutex.Unlock()
	answer(w, http.StatusCreated, map[string]any{"session": map[string]string{"token": token}})
}

func (s *server) create(w http.ResponseWriter, r *http.Request) {
	account := s.caller(r)
	if account == "" {
		http.Error(w, "unauthenticated", http.StatusUnauthorized)
		return
	}
	record := record{ID: newID(), Student: account, Version: 1, Units: sampleYear()}
	standing := judge(record.ID, record.Units)
	if err := s.store.insert(record, standing); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	answer(w, http.StatusCreated, map[string]any{
		"record":  map[string]any{"id": record.ID, "program": program, "entries": record.Units},
		"version": 1, "standing": standing,
	})
}

type wish struct {
	Fields map[string]json.RawMessage `json:"fields"`
}

type state struct {
	Type    string          `json:"t"`
	Topic   string          `json:"topic"`
	Epoch   string          `json:"e"`
	Version int64           `json:"v"`
	Doc     json.RawMessage `json:"doc"`
}

// PATCH /v1/records/{record}/entries/{entry}
func (s *server) patch(w http.ResponseWriter, r *http.Request) {
	account := s.caller(r)
	if account == "" {
		http.Error(w, "unauthenticated", http.StatusUnauthorized)
		return
	}
	path := strings.Split(strings.TrimPrefix(r.URL.Path, "/v1/records/"), "/")
	if r.Method != http.MethodPatch || len(path) != 3 || path[1] != "entries" {
		http.NotFound(w, r)
		return
	}
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20))
	decoder.DisallowUnknownFields()
	var body wish
	if err := decoder.Decode(&body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	grade, err := readGrade(body.Fields)
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	done, err := s.store.amend(path[0], path[2], account, r.RemoteAddr, grade)
	if errors.Is(err, errNotFound) {
		http.NotFound(w, r)
		return
	} else if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	frame, _ := json.Marshal(state{"state", "standing/" + path[0], "e", done.version, done.standing})
	s.hub.publish("standing/"+path[0], done.version, frame)
	answer(w, http.StatusOK, map[string]any{
		"entry": done.entry, "version": done.version, "standing": json.RawMessage(done.standing),
	})
}
