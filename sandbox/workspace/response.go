package workspace

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"time"
)

const (
	responsePath  = "/response/"
	responseUses  = 5
	responseLife  = 30 * time.Minute
	typeInChannel = "in_channel"
)

// responseURL lets the app answer what one person did, five times within
// thirty minutes, wherever it was.
type responseURL struct {
	channel, user, thread string
	original              *Message // what was clicked
	uses                  int
	until                 time.Time
}

// newResponse keeps a response URL and is its token; the caller holds the lock.
func (w *Workspace) newResponse(r *responseURL) string {
	token := w.unique("R")
	r.until = w.now().Add(responseLife)
	w.responses[token] = r
	return token
}

func (w *Workspace) responseAddress(token string) string { return w.base + responsePath + token }

// serveResponse takes a message over a response URL.
func (w *Workspace) serveResponse(rw http.ResponseWriter, r *http.Request, token string) {
	body, _ := io.ReadAll(http.MaxBytesReader(rw, r.Body, maxBody))
	var message object
	malformed := json.Unmarshal(body, &message) != nil
	request := w.noteRequest("response_url", message)
	fault := w.nextFault("response_url")
	w.held("response_url")
	if fault.before(w, rw, request) {
		return
	}
	status, text := http.StatusBadRequest, "invalid_payload"
	if !malformed {
		status, text = w.answerResponse(token, message)
	}
	if fault.after(w, rw, request) {
		return
	}
	w.noteAnswer(request, status, map[bool]string{true: "", false: text}[text == "ok"])
	rw.Header().Set("Content-Type", "text/plain; charset=utf-8")
	write(rw, status, text)
}

func (w *Workspace) answerResponse(token string, message object) (int, string) {
	if code := w.useResponse(token); code != "" {
		return http.StatusNotFound, code
	}
	status, err := w.respond(token, message)
	if err == nil {
		return http.StatusOK, "ok"
	}
	if faulty(err) {
		w.noteRejected("response_url", err)
	}
	if refused, ok := errors.AsType[*apiError](err); ok {
		return status, refused.code
	}
	return status, err.Error()
}

// useResponse counts one use, or says why no use is left.
func (w *Workspace) useResponse(token string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.responses[token]
	switch {
	case r == nil:
		return "no_service"
	case w.now().After(r.until):
		return "expired_url"
	case r.uses >= responseUses:
		return "used_url"
	}
	r.uses++
	return ""
}

// respond shows a message that came over a response URL or in an
// acknowledgement.
func (w *Workspace) respond(token string, message object) (int, error) {
	blocks := objects(message["blocks"])
	if flag(message, "delete_original") {
		defer w.change()()
		w.deleteOriginal(token)
		return http.StatusOK, nil
	}
	if str(message, "text") == "" && len(blocks) == 0 {
		return http.StatusBadRequest, fails("no_text")
	}
	if err := w.checkBlocks(blocks); err != nil {
		return http.StatusBadRequest, err
	}
	defer w.change()()
	w.showResponse(token, message, blocks)
	return http.StatusOK, nil
}

func (w *Workspace) showResponse(token string, message object, blocks []object) {
	r := w.responses[token]
	original := w.original(token)
	if original != nil && flag(message, "replace_original") {
		before := original.clone()
		w.edit(original, edit{text: str(message, "text"), hasText: true, blocks: blocks, hasBlocks: true})
		if !original.Ephemeral {
			w.emitChanged(original, "message_changed", &before)
		}
		return
	}
	m := &Message{Channel: r.channel, Text: str(message, "text"), Blocks: blocks, ThreadTS: r.thread, origin: token}
	if thread := str(message, "thread_ts"); thread != "" {
		m.ThreadTS = thread
	}
	if str(message, "response_type") == typeInChannel {
		m.User, m.BotID = w.o.BotUserID, w.o.BotID
		w.add(m)
		return
	}
	m.To = r.user
	w.whisper(m)
}

// original is the message a response URL replaces: the one clicked, or the
// last one that the command's own answers made.
func (w *Workspace) original(token string) *Message {
	r := w.responses[token]
	if r.original != nil && r.original.Ephemeral {
		return r.original
	}
	if r.original != nil {
		return w.message(r.channel, r.original.TS)
	}
	for _, m := range slices.Backward(w.ephemerals) {
		if m.origin == token {
			return m
		}
	}
	return nil
}

func (w *Workspace) deleteOriginal(token string) {
	m := w.original(token)
	switch {
	case m == nil:
	case m.Ephemeral:
		w.dismiss(m)
	default:
		w.remove(m)
	}
}

// dismiss takes an ephemeral message off the screen.
func (w *Workspace) dismiss(m *Message) {
	w.ephemerals = slices.DeleteFunc(w.ephemerals, func(other *Message) bool { return other == m })
}
