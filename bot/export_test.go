package bot

import (
	"context"
	"net/http"
	"time"
)

// Hold makes a Socket hold n connections.
func (s *Socket) Hold(n int) { s.connections = n }

// Over makes a Socket's calls and connections go by t.
func (s *Socket) Over(t http.RoundTripper) { s.api.transport.http.Transport = t }

// Hurry makes a Socket's waits short, except that for a sign of life.
func (s *Socket) Hurry(silent time.Duration) {
	s.times = times{
		hello: 2 * time.Second, quiet: silent / 3, silent: silent, steady: 20 * time.Millisecond, slow: 100 * time.Millisecond,
		linger: 50 * time.Millisecond, drain: 5 * time.Second, bye: 300 * time.Millisecond,
		first: 10 * time.Millisecond, most: 50 * time.Millisecond,
	}
}

// Verify checks a signature.
func (s *Server) Verify(ctx context.Context, h http.Header, body []byte) error {
	_, err := s.verify(ctx, h, body)
	return err
}

// What the narrow reading of a payload gives, to be held against another reading.
type (
	Interaction = interaction
	Person      = person
	Place       = channel
	Container   = container
	Envelope    = envelope
	Inner       = inner
	Line        = line
)

// ReadInteraction reads an interaction.
func ReadInteraction(payload []byte) (i Interaction, err error) {
	err = readObject(payload, maxDepth, i.field)
	return i, err
}

// ReadEnvelope reads an event.
func ReadEnvelope(payload []byte) (Envelope, error) { return readEnvelope(payload) }

// ReadLine reads a command.
func ReadLine(payload []byte) (Line, error) { return readLine(payload) }

// MaxDepth bounds the nesting of a payload.
const MaxDepth = maxDepth

// ReadStrings passes over a document, and gives the first string of each name of its.
func ReadStrings(doc []byte) (map[string]string, error) {
	all := map[string]string{}
	err := readObject(doc, maxDepth, func(r *reader, name []byte) { all[string(name)] = r.text() })
	return all, err
}

// EachField reads a form, in place.
func EachField(form []byte, field func(name, value []byte)) error { return eachField(form, field) }
