package order

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// What became of a request. Each *Error Is one of these.
var (
	// ErrRefused: the service answered, in its own form, that it did not do it.
	ErrRefused = errors.New("refused")
	// ErrUnknown: the request may or may not have been carried out. Only a
	// write ends so.
	ErrUnknown = errors.New("outcome unknown")
	// ErrUnavailable: a read failed, or a write was certainly not carried out
	// because it never left. Trying later is safe.
	ErrUnavailable = errors.New("service unavailable")
	// ErrRateLimited: turned away for coming too often, and not carried out;
	// Error.RetryAfter says how long to wait. Also Is ErrUnavailable.
	ErrRateLimited = errors.New("rate limited")
	// ErrNoSuchPath: this service does not offer the operation.
	ErrNoSuchPath = errors.New("no such operation at this service")
)

// Error is what went wrong with one operation at the service. One answer may
// carry several reasons: errors.Is finds each of them.
type Error struct {
	Op string // "approve", never a URL: it would hold the signature
	// Messages are the service's own words, in its order and all of them. Of
	// an answer that is no refusal they are kept too, but mean nothing sure.
	Messages []string
	Status   int // HTTP status; 0 when no answer came, and 200 is common for a refusal
	// Outcome is ErrRefused (also nil), ErrUnknown, ErrUnavailable,
	// ErrRateLimited or ErrNoSuchPath.
	Outcome    error
	RetryAfter time.Duration // how long the service wants us to wait; 0 = it did not say
	// ClockSkew is how far this machine's clock is ahead of the service's
	// (negative: behind), 0 when they agree within a minute or it is not known.
	ClockSkew time.Duration

	Problem string // what was wrong with the answer, when it was not a refusal
	Cause   error  // scrubbed
	Settled bool   // trying again at once would not help
}

// Error reads "op: outcome: reasons", and never has a secret, a signature, a
// key or a URL's query in it.
func (e *Error) Error() string {
	parts := []string{e.Op}
	if !e.Refused() {
		parts = append(parts, e.Outcome.Error())
	}
	if e.Problem != "" {
		parts = append(parts, e.Problem)
	}
	if e.Cause != nil {
		parts = append(parts, e.Cause.Error())
	}
	if len(e.Messages) > 0 {
		parts = append(parts, strings.Join(e.Messages, "; "))
	}
	if e.Status != 0 && e.Status != http.StatusOK {
		parts = append(parts, fmt.Sprintf("HTTP status %d", e.Status))
	}
	return strings.Join(parts, ": ") + e.clock()
}

// clock is a sentence of its own, since a wrong clock explains most refused
// signatures and is cured by no retry.
func (e *Error) clock() string {
	side := "ahead of"
	if e.ClockSkew < 0 {
		side = "behind"
	}
	if e.ClockSkew == 0 {
		return ""
	}
	return fmt.Sprintf(" (this machine's clock is %s %s the service's)", e.ClockSkew.Abs().Round(time.Second), side)
}

// Is matches the outcome and, of a refusal, every reason named.
func (e *Error) Is(target error) bool {
	if e.Refused() {
		return target == ErrRefused || e.names(target)
	}
	return errors.Is(e.Outcome, target) || target == ErrUnavailable && errors.Is(e.Outcome, ErrRateLimited)
}

// Unwrap leads to what stopped the request, such as context.Canceled.
func (e *Error) Unwrap() error { return e.Cause }

// Refused says that the service did not do it, and said so in its own form.
func (e *Error) Refused() bool { return e.Outcome == nil || errors.Is(e.Outcome, ErrRefused) }

func (e *Error) names(kind error) bool {
	return slices.ContainsFunc(e.Messages, func(message string) bool { return errors.Is(ReasonOf(e.Op, message), kind) })
}

// InputError says that an input cannot be sent. Nothing left this machine.
type InputError struct {
	Problem string // a sentence for the person who typed it
}

func (e *InputError) Error() string { return e.Problem }
