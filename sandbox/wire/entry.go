package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"
)

// maxShown is the longest body of an entry, in bytes.
const maxShown = 16 << 10

// Entry is an exchange as a person reads it; no secret is in it.
type Entry struct {
	ID       int64     `json:"id"`
	At       time.Time `json:"at"`
	MS       float64   `json:"ms"`
	From     Party     `json:"from,omitempty"`
	To       Party     `json:"to,omitempty"`
	Method   string    `json:"method,omitempty"`
	Path     string    `json:"path,omitempty"`
	Status   int       `json:"status"`
	Failed   bool      `json:"failed"` // no answer, an HTTP error, or an error in the answer
	Quiet    bool      `json:"quiet"`  // it told nothing new, as mostly the poller's
	Note     bool      `json:"note"`   // no exchange, a sentence
	Says     string    `json:"says"`
	Request  Half      `json:"request"`
	Response Half      `json:"response"`
}

// Half is one direction of an entry.
type Half struct {
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"` // JSON is indented
	Remark  string            `json:"remark,omitempty"`
}

// describe makes the entry of an exchange.
func (l *Log) describe(r *record) Entry {
	if r.note != "" {
		return Entry{ID: r.id, At: r.At, Note: true, Says: r.note}
	}
	path, query, _ := strings.Cut(r.URL, "?")
	e := Entry{
		ID: r.id, At: r.At, MS: milliseconds(r.Took), From: r.From, To: r.To, Method: r.Method, Status: r.Status, Quiet: r.idle,
	}
	if e.To == "" {
		e.To = l.who(r.URL)
	}
	e.Path = l.mask(pathOf(path))
	asked, answered := l.content(r.Request, query), l.content(r.Response, "")
	e.Request = l.half(r.Request, asked)
	e.Response = l.half(r.Response, answered)
	what, problem := l.title(e, asked, answered)
	e.Failed = problem != "" || r.Err != nil || r.Status >= http.StatusBadRequest
	e.Says = strings.Join([]string{name(e.From) + " → " + name(e.To), what, outcome(r.Exchange, problem)}, " · ")
	return e
}

// pathOf is an address without scheme and host when they are ours.
func pathOf(address string) string {
	at, err := url.Parse(address)
	if err != nil || at.Host == "" {
		return address
	}
	return at.EscapedPath()
}

func milliseconds(d time.Duration) float64 {
	return float64(d.Round(100*time.Microsecond)) / float64(time.Millisecond)
}

func name(p Party) string {
	return map[Party]string{Slack: "Slack", Darkroom: "Darkroom", Service: "Service", Web: "Web"}[p]
}

// outcome says how it ended: "200 in 4 ms".
func outcome(e Exchange, problem string) string {
	took := fmt.Sprintf("%.0f ms", max(1, float64(e.Took)/float64(time.Millisecond)))
	if e.Took >= time.Second {
		took = fmt.Sprintf("%.1f s", e.Took.Seconds())
	}
	switch {
	case e.Err != nil && e.Status == 0:
		return e.Err.Error() + " after " + took
	case problem != "":
		return fmt.Sprintf("%d %s in %s", e.Status, problem, took)
	}
	return fmt.Sprintf("%d in %s", e.Status, took)
}

// content is what a message says, secrets hidden: JSON or a form as a value,
// other text as text, nil when there is nothing to show.
func (l *Log) content(m Message, query string) any {
	all := map[string]any{}
	if values, err := url.ParseQuery(query); err == nil {
		maps.Copy(all, fields(values))
	}
	kind, _, _ := mime.ParseMediaType(m.Header.Get("Content-Type"))
	text := strings.ToValidUTF8(string(m.Body), "\ufffd")
	if values, err := url.ParseQuery(text); err == nil && kind == "application/x-www-form-urlencoded" {
		maps.Copy(all, fields(values))
		text = ""
	}
	if v, ok := parsed(strings.TrimSpace(text)); ok {
		object, isObject := v.(map[string]any)
		if !isObject || len(all) == 0 {
			return l.value(v)
		}
		maps.Copy(all, object)
		text = ""
	}
	if len(all) > 0 {
		return l.value(all)
	}
	if text == "" {
		return nil
	}
	return l.mask(text[:min(len(text), 4*maxShown)]) // what is cut off here is never shown
}

// half shows one direction.
func (l *Log) half(m Message, content any) Half {
	h := Half{Headers: l.headers(m.Header)}
	switch v := content.(type) {
	case nil:
	case string:
		h.Body = v
	default:
		h.Body = indented(v)
	}
	kind, _, _ := mime.ParseMediaType(m.Header.Get("Content-Type"))
	switch {
	case len(h.Body) > maxShown:
		h.Remark = fmt.Sprintf("The first 16 kB of %s.", bytesOf(int64(len(h.Body))))
		h.Body = h.Body[:maxShown]
		for !utf8.ValidString(h.Body) {
			h.Body = h.Body[:len(h.Body)-1]
		}
	case m.Body == nil && m.Size > 0:
		h.Remark = strings.TrimSpace(kind+" ") + ", " + bytesOf(m.Size) + ", not kept."
	}
	return h
}

func indented(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSpace(b.String())
}

func bytesOf(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("%.0f kB", float64(n)/1000)
}
