package wire

import (
	"hash/fnv"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	maxEntries = 500      // that are kept
	maxQuiet   = 60       // of them, the poller's
	maxKept    = 24 << 20 // bytes of all their bodies
)

// Log keeps the latest exchanges. The zero value is an empty log.
type Log struct {
	mu      sync.Mutex
	secrets []string
	hosts   map[string]Party
	kept    []*record // oldest first
	size    int
	quiet   int
	told    map[string]uint64 // what the service last answered, by path
	last    int64
	watch   chan struct{} // closed at the next exchange
}

// record is an exchange and, once somebody looked, what they saw.
type record struct {
	Exchange
	id    int64
	note  string
	idle  bool // it told the same as before
	once  sync.Once
	entry Entry
}

// Hide makes secrets unreadable wherever they stand. Call it before the first
// exchange.
func (l *Log) Hide(secrets ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, secret := range secrets {
		if secret != "" {
			l.secrets = append(l.secrets, secret, url.QueryEscape(secret))
		}
	}
}

// Place says who is reached at an address, such as "http://127.0.0.1:8080/x".
func (l *Log) Place(address string, who Party) {
	at, err := url.Parse(address)
	if err != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.hosts == nil {
		l.hosts = map[string]Party{}
	}
	l.hosts[at.Host] = who
}

// Note is the log's [Tap].
func (l *Log) Note(e Exchange) { l.add(&record{Exchange: e}) }

// Say puts a sentence between the exchanges.
func (l *Log) Say(sentence string) {
	l.add(&record{Exchange: Exchange{At: time.Now()}, note: sentence})
}

func (l *Log) add(r *record) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	r.id, r.idle = l.last, l.heardBefore(r)
	l.kept = append(l.kept, r)
	l.size += r.weight()
	if r.idle {
		l.quiet++
	}
	l.forget()
	if l.watch != nil {
		close(l.watch)
		l.watch = nil
	}
}

// forget drops what is too much: of the quiet ones first, then the oldest.
func (l *Log) forget() {
	if l.quiet > maxQuiet {
		l.drop(slices.IndexFunc(l.kept, func(r *record) bool { return r.idle }))
	}
	for len(l.kept) > maxEntries || l.size > maxKept {
		l.drop(0)
	}
}

func (l *Log) drop(i int) {
	l.size -= l.kept[i].weight()
	if l.kept[i].idle {
		l.quiet--
	}
	l.kept = slices.Delete(l.kept, i, i+1)
}

func (r *record) weight() int { return len(r.Request.Body) + len(r.Response.Body) }

// heardBefore tells whether the app asked the service and nothing was new, as
// the poller does every second or so.
func (l *Log) heardBefore(r *record) bool {
	if r.From != Darkroom || r.To != Service || r.Method != http.MethodGet || r.Status != http.StatusOK || r.Response.Body == nil {
		return false
	}
	hash := fnv.New64a()
	_, _ = hash.Write(r.Response.Body) // a hash takes everything
	if len(l.told) > maxEntries || l.told == nil {
		l.told = map[string]uint64{}
	}
	path, _, _ := strings.Cut(r.URL, "?")
	before, known := l.told[path]
	l.told[path] = hash.Sum64()
	return known && before == hash.Sum64()
}

// Changed is closed at the next exchange. Take it before looking.
func (l *Log) Changed() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.watch == nil {
		l.watch = make(chan struct{})
	}
	return l.watch
}

// Entries are the exchanges after the one of that id, oldest first, for people.
func (l *Log) Entries(after int64) []Entry {
	l.mu.Lock()
	from, _ := slices.BinarySearchFunc(l.kept, after+1, func(r *record, id int64) int { return int(r.id - id) })
	found := slices.Clone(l.kept[from:])
	l.mu.Unlock()
	entries := make([]Entry, 0, len(found))
	for _, r := range found {
		r.once.Do(func() { r.entry = l.describe(r) })
		entries = append(entries, r.entry)
	}
	return entries
}

// who is reached at an address.
func (l *Log) who(address string) Party {
	at, err := url.Parse(address)
	if err != nil {
		return Web
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if p, known := l.hosts[at.Host]; known {
		return p
	}
	return Web
}
