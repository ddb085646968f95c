package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"

	"github.com/gorilla/websocket"
)

// The newest frame of one topic; a subscriber who is behind skips to it.
type latest struct {
	version int64
	frame   *websocket.PreparedMessage
}

type subscriber struct {
	socket *websocket.Conn
	wakes  chan latest
}

type hub struct {
	mutex  sync.Mutex
	topics map[string]map[*subscriber]struct{}
}

func newHub() *hub { return &hub{topics: map[string]map[*subscriber]struct{}{}} }

func (h *hub) publish(topic string, version int64, text []byte) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	subscribers := h.topics[topic]
	if len(subscribers) == 0 {
		return
	}
	frame, err := websocket.NewPreparedMessage(websocket.TextMessage, text)
	if err != nil {
		return
	}
	for s := range subscribers {
		newest := latest{version, frame}
		select {
		case waiting := <-s.wakes: // not sent yet: the older of the two is out of date
			if waiting.version > version {
				newest = waiting
			}
		default:
		}
		s.wakes <- newest
	}
}

func (h *hub) add(topic string, s *subscriber) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.topics[topic] == nil {
		h.topics[topic] = map[*subscriber]struct{}{}
	}
	h.topics[topic][s] = struct{}{}
}

func (h *hub) remove(topic string, s *subscriber) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	delete(h.topics[topic], s)
}

var upgrader = websocket.Upgrader{
	ReadBufferSize: 512, WriteBufferSize: 512, WriteBufferPool: &sync.Pool{},
	Subprotocols: []string{"gradecast.live.v1"},
}

type message struct {
	Type  string `json:"t"`
	Token string `json:"token"`
	Topic string `json:"topic"`
}

func (s *server) live(w http.ResponseWriter, r *http.Request) {
	socket, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer socket.Close()
	var hello, wish message
	if socket.ReadJSON(&hello) != nil || socket.ReadJSON(&wish) != nil {
		return
	}
	me := &subscriber{socket: socket, wakes: make(chan latest, 1)}
	id := strings.TrimPrefix(wish.Topic, "standing/")
	s.hub.add(wish.Topic, me)
	defer s.hub.remove(wish.Topic, me)
	version, document, err := s.store.document(id, s.account(hello.Token))
	if err != nil {
		socket.WriteJSON(map[string]any{"t": "error", "topic": wish.Topic, "code": "forbidden"})
		return
	}
	first, _ := json.Marshal(state{"state", wish.Topic, "e", version, document})
	if socket.WriteMessage(websocket.TextMessage, first) != nil {
		return
	}
	go func() { // notices when the subscriber leaves
		for {
			if _, _, err := socket.ReadMessage(); err != nil {
				s.hub.remove(wish.Topic, me)
				close(me.wakes)
				return
			}
		}
	}()
	for next := range me.wakes {
		if next.version <= version {
			continue
		}
		version = next.version
		if socket.WritePreparedMessage(next.frame) != nil {
			return
		}
	}
}
