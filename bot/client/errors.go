package client

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The classes of failed calls, for errors.Is. Slack's own code and words are in
// [Error].
var (
	// ErrUnknownOutcome: the post may be out or not; look before posting again. Only
	// calls that would be there twice when repeated fail so: posts, uploads, and opening
	// a view.
	ErrUnknownOutcome = errors.New("outcome unknown")
	// ErrTryLater: not done, or harmless to do again. [RetryAfter] may say when.
	ErrTryLater = errors.New("try later")
	// ErrNotInChannel: the app is not a member of the channel.
	ErrNotInChannel = errors.New("the app is not in the channel")
	// ErrNoChannel: no such channel, or a private one the app cannot see.
	ErrNoChannel = errors.New("no such channel")
	// ErrArchived: the channel is archived.
	ErrArchived = errors.New("the channel is archived")
	// ErrToken: the token is no longer good for anything.
	ErrToken = errors.New("token refused")
	// ErrMissingScope: the app lacks a scope; [Error] names it in Needed.
	ErrMissingScope = errors.New("missing scope")
	// ErrNotAllowed: a setting of the workspace or channel forbids it.
	ErrNotAllowed = errors.New("not allowed here")
	// ErrPayload: Slack will never take this message or view as it is.
	ErrPayload = errors.New("payload refused")
	// ErrImage: Slack could not fetch a picture and so refused the whole message or
	// view. It is an ErrPayload too.
	ErrImage = errors.New("a picture could not be fetched")
	// ErrGone: the message, thread, view, file or response URL is no longer there.
	ErrGone = errors.New("gone")
	// ErrNotEditable: the message is there and stays as it is: the workspace lets nobody
	// edit so late, or it is another's.
	ErrNotEditable = errors.New("the message cannot be edited")
	// ErrTrigger: the trigger has expired or was used.
	ErrTrigger = errors.New("trigger expired or used")
	// ErrHashConflict: the view changed since its hash was read.
	ErrHashConflict = errors.New("the view has changed")
	// ErrDuplicateView: a view with this external id is open already.
	ErrDuplicateView = errors.New("external id already in use")
	// ErrNotMember: the person is not in the channel.
	ErrNotMember = errors.New("the person is not in the channel")
	// ErrNoUser: no such person, or one the app cannot see.
	ErrNoUser = errors.New("no such person")
	// ErrReadTurn: Slack takes few calls that read messages, and it is another's turn. It
	// is an ErrTryLater too; [RetryAfter] says when, which may be many minutes.
	ErrReadTurn = errors.New("no turn to read messages yet")
	// ErrApp: Slack does not know the app as it is configured here: an operator must act.
	ErrApp = errors.New("the app's id, secret or address is not the one that Slack knows")
	// ErrTooMany: more pages than are read at once; what was read is not all.
	ErrTooMany = errors.New("too many to read")
)

// Error is a call to Slack that did not succeed. Its text has no token and no URL.
type Error struct {
	Method     string        // "chat.postMessage", "response_url", never a URL
	Code       string        // Slack's error, empty when the answer was none of Slack's
	Messages   []string      // Slack's details, with JSON pointers for refused blocks
	Needed     string        // scopes, for ErrMissingScope
	Status     int           // HTTP status; 0 = no answer
	RetryAfter time.Duration // 0 = not told

	Class    []error  // of this package, the narrower ones last
	Cause    error    // nil: Slack said no
	pointers []string // ErrImage: where in the blocks the pictures are, see [PicturesNamed]
	known    bool     // it is part of an outage that the log knows of, see [LogLevel]
}

// Error is the call, what Slack said, and the class.
func (e *Error) Error() string {
	parts := []string{"slack " + e.Method, e.Code}
	if e.Code == "" && e.Status != 0 {
		parts = append(parts, "status "+strconv.Itoa(e.Status))
	}
	parts = append(parts, e.Messages...)
	if e.Needed != "" {
		parts = append(parts, "needed "+e.Needed)
	}
	if e.Cause != nil {
		parts = append(parts, withoutURLs(e.Cause.Error()))
	}
	for _, class := range e.Class {
		parts = append(parts, class.Error())
	}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ": ")
}

// Reason is why, without the call and the class: Slack's error, or what came instead of it.
func (e *Error) Reason() string {
	if e.Code != "" {
		return e.Code
	}
	var parts []string
	if e.Status != 0 {
		parts = append(parts, "HTTP status "+strconv.Itoa(e.Status))
	}
	if e.Cause != nil {
		parts = append(parts, withoutURLs(e.Cause.Error()))
	}
	return strings.Join(parts, ", ")
}

// Unwrap gives the classes and the cause.
func (e *Error) Unwrap() []error {
	if e.Cause == nil {
		return e.Class
	}
	return append(slices.Clone(e.Class), e.Cause)
}

// RetryAfter tells how long to wait before the call that failed with err may be
// made again, when that is known.
func RetryAfter(err error) (time.Duration, bool) {
	if e, ok := errors.AsType[*Error](err); ok && e.RetryAfter > 0 {
		return e.RetryAfter, true
	}
	return 0, false
}

// Outage says that Slack did not answer, which passes by itself.
func Outage(err error) bool {
	return errors.Is(err, ErrTryLater) || errors.Is(err, ErrUnknownOutcome) || errors.Is(err, context.DeadlineExceeded)
}

// Mendable says that Slack refuses the app something until an operator acts.
func Mendable(err error) bool { return errors.Is(err, ErrMissingScope) || errors.Is(err, ErrToken) }

var anyURL = regexp.MustCompile(`(?i)\b(https?|wss?)://[^\s"'\])}>]+`)

// withoutURLs hides URLs: a response URL is a secret, a picture's may be one.
func withoutURLs(text string) string { return anyURL.ReplaceAllString(text, "(URL)") }
