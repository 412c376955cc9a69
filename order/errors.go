package order

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// The outcomes of a request. Each *Error Is one of these.
var (
	// ErrRefused: the service answered, in its own form, that it did not carry out the request.
	ErrRefused = errors.New("refused")
	// ErrUnknown: the service may or may not have carried out the request. Only writes have this outcome.
	ErrUnknown = errors.New("outcome unknown")
	// ErrUnavailable: a read failed, or a write certainly never arrived. A later attempt is safe.
	ErrUnavailable = errors.New("service unavailable")
	// ErrRateLimited: the service turned the request away as one too many and did not carry it out.
	// Error.RetryAfter says how long to wait. Also Is ErrUnavailable.
	ErrRateLimited = errors.New("rate limited")
	// ErrNoSuchPath: this service lacks the operation.
	ErrNoSuchPath = errors.New("no such operation at this service")
)

// Error says what went wrong with one operation at the service. One answer may carry several reasons;
// errors.Is finds each of them.
type Error struct {
	Op string // "approve"; never a URL, which would hold the signature
	// Messages are all the service's own words, in its order. Unless the outcome is a refusal, their meaning
	// is uncertain.
	Messages []string
	Status   int // HTTP status; 0: no answer came; a refusal often has 200
	// Outcome is ErrRefused (also nil), ErrUnknown, ErrUnavailable, ErrRateLimited or ErrNoSuchPath.
	Outcome    error
	RetryAfter time.Duration // wait that the service demands; 0: none
	// ClockSkew is how far this machine's clock is ahead of the service's; negative: behind. It is 0 within a
	// minute, or if unknown.
	ClockSkew time.Duration

	Problem string // the fault of an answer that is not a refusal
	Cause   error  // without secrets
	Settled bool   // an immediate retry would not help
}

// Error returns "op: outcome: reasons". It never contains a secret, a signature, a key or the query of a URL.
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

// clock returns the clock skew in brackets: a wrong clock explains most refused signatures, and no retry cures
// it.
func (e *Error) clock() string {
	if e.ClockSkew == 0 {
		return ""
	}
	side := "ahead of"
	if e.ClockSkew < 0 {
		side = "behind"
	}
	return fmt.Sprintf(" (this machine's clock is %s %s the service's)", e.ClockSkew.Abs().Round(time.Second), side)
}

// Is matches the outcome and, for a refusal, each recognized reason.
func (e *Error) Is(target error) bool {
	if e.Refused() {
		return target == ErrRefused || slices.ContainsFunc(e.Messages, func(message string) bool {
			return errors.Is(ReasonOf(e.Op, message), target)
		})
	}
	return errors.Is(e.Outcome, target) || target == ErrUnavailable && errors.Is(e.Outcome, ErrRateLimited)
}

// Unwrap returns the error that stopped the request, such as context.Canceled.
func (e *Error) Unwrap() error { return e.Cause }

// Refused reports whether the service said, in its own form, that it did not carry out the request.
func (e *Error) Refused() bool { return e.Outcome == nil || errors.Is(e.Outcome, ErrRefused) }

// InputError says that an input cannot be sent. No request left this machine.
type InputError struct {
	Problem string // a sentence for the person who typed it
}

func (e *InputError) Error() string { return e.Problem }
