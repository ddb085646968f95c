// The engines' work written plainly in Go: a small document, and topics to which a POST sends one message each.
package main

import (
	"flag"
	"io"
	"log"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/gorilla/websocket"
)

type subscriber chan *websocket.PreparedMessage

var (
	mutex    sync.RWMutex
	topics   = map[string]map[subscriber]struct{}{}
	upgrader = websocket.Upgrader{ReadBufferSize: 512, WriteBufferSize: 512, WriteBufferPool: &sync.Pool{}}
	document = []byte(`{"message":"hello","n":123}`)
)

func main() {
	port := flag.Int("port", 8080, "the port to listen on")
	flag.Parse()
	mux := http.NewServeMux()
	mux.HandleFunc("/json", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Write(document)
	})
	mux.HandleFunc("/pub/", publish)
	mux.HandleFunc("/ws/", subscribe)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+strconv.Itoa(*port), mux))
}

func publish(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	message, err := websocket.NewPreparedMessage(websocket.TextMessage, body)
	if err != nil {
		http.Error(w, "internal", http.StatusInternalServerError)
		return
	}
	mutex.RLock()
	for s := range topics[strings.TrimPrefix(r.URL.Path, "/pub/")] {
		select {
		case s <- message:
		default: // a slow reader misses it
		}
	}
	mutex.RUnlock()
	w.WriteHeader(http.StatusAccepted)
}

func subscribe(w http.ResponseWriter, r *http.Request) {
	socket, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer socket.Close()
	topic, me := strings.TrimPrefix(r.URL.Path, "/ws/"), make(subscriber, 16)
	mutex.Lock()
	if topics[topic] == nil {
		topics[topic] = map[subscriber]struct{}{}
	}
	topics[topic][me] = struct{}{}
	mutex.Unlock()
	go func() {
		for message := range me {
			if socket.WritePreparedMessage(message) != nil {
				return
			}
		}
	}()
	for {
		if _, _, err := socket.ReadMessage(); err != nil {
			break
		}
	}
	mutex.Lock()
	delete(topics[topic], me)
	mutex.Unlock()
	close(me)
}
