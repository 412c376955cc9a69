// Package wire sees what goes over the connections of the sandbox: each
// request and its answer as one [Exchange].
//
// A [Tap] is told of every exchange; [Tap.Handler] and [Tap.Transport] put one
// on a server and on a client. A [Log] keeps the latest exchanges and shows
// them as [Entry] values that a person reads.
//
// Invariant: no entry holds a secret. Tokens, keys, signatures, trigger ids
// and the unguessable parts of addresses are *** before anybody sees them. An
// exchange that nobody looks at costs a copy of its bytes and nothing else.
//
// It knows what Slack and the photo service are called, and none of their
// types.
package wire

import (
	"net/http"
	"time"
)

// Party is one end of a connection.
type Party string

// The parties. An empty one is found out by the address it has.
const (
	Slack    Party = "slack"
	Darkroom Party = "darkroom"
	Service  Party = "service"
	Web      Party = "web" // anywhere else
)

// MaxBody is the longest body of which a copy is made, in bytes.
const MaxBody = 256 << 10

// Exchange is one request and what came of it, secrets and all.
type Exchange struct {
	From, To Party
	At       time.Time
	Took     time.Duration
	Method   string // "SOCKET" is an envelope in Socket Mode
	URL      string // path and query at least
	Status   int    // 0: no answer
	Err      error  // why there was none
	Request  Message
	Response Message
}

// Message is one half of an exchange.
type Message struct {
	Header http.Header
	Body   []byte // nil when it is longer than MaxBody, or no text
	Size   int64  // in bytes, of the body that passed
}

// Tap is told of each exchange when it is over, from whatever goroutine ended
// it, and must not wait for anything. A nil Tap hears nothing and costs nothing.
type Tap func(Exchange)
