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

// The classes of failed calls, for errors.Is. [Error] has Slack's own code and messages.
var (
	// ErrUnknownOutcome: the post may have been delivered; verify before posting again. Only calls that
	// must not be repeated have this class: posts, uploads, and opening a view.
	ErrUnknownOutcome = errors.New("outcome unknown")
	// ErrTryLater: not done, or harmless to repeat. [RetryAfter] may return when.
	ErrTryLater = errors.New("try later")
	// ErrNotInChannel: the app is not a member of the channel.
	ErrNotInChannel = errors.New("the app is not in the channel")
	// ErrNoChannel: no such channel, or a private one the app cannot see.
	ErrNoChannel = errors.New("no such channel")
	// ErrArchived: the channel is archived.
	ErrArchived = errors.New("the channel is archived")
	// ErrToken: the token is no longer valid.
	ErrToken = errors.New("token refused")
	// ErrMissingScope: the app lacks a scope; [Error] names it in Needed.
	ErrMissingScope = errors.New("missing scope")
	// ErrNotAllowed: a setting of the workspace or channel forbids it.
	ErrNotAllowed = errors.New("not allowed here")
	// ErrPayload: Slack will never accept this message or view.
	ErrPayload = errors.New("payload refused")
	// ErrImage: Slack refused a message or view because it could not fetch a picture. It is an ErrPayload
	// too.
	ErrImage = errors.New("a picture could not be fetched")
	// ErrGone: the message, thread, view, file or response URL is no longer there.
	ErrGone = errors.New("gone")
	// ErrNotEditable: the message exists but cannot be edited: it is too old for the workspace's settings,
	// or somebody else's.
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
	// ErrNoReadSlot: Slack limits calls that read messages, and another reader comes first. It is an
	// ErrTryLater too; [RetryAfter] returns the wait, which may be many minutes.
	ErrNoReadSlot = errors.New("no turn to read messages yet")
	// ErrApp: Slack does not know the app with this configuration. An operator must fix it.
	ErrApp = errors.New("the app's id, secret or address is not the one that Slack knows")
	// ErrTooMany: there are more pages than one call reads. The result is incomplete.
	ErrTooMany = errors.New("too many to read")
)

// Error is a failed call to Slack. Its text contains no token and no URL.
type Error struct {
	Method     string        // "chat.postMessage", "response_url", never a URL
	Code       string        // Slack's error code; "": the answer was not in Slack's form
	Messages   []string      // Slack's details, with JSON pointers for refused blocks
	Needed     string        // scopes, for ErrMissingScope
	Status     int           // HTTP status; 0: no answer
	RetryAfter time.Duration // 0: unknown

	Class    []error  // classes of this package, narrower ones last
	Cause    error    // nil: Slack refused
	pointers []string // ErrImage: positions of the pictures in the blocks, see [PicturesNamed]
	known    bool     // part of an outage that was logged, see [LogLevel]
}

// Error returns the method, Slack's answer and the classes.
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

// Reason returns Slack's code, or else the HTTP status and the cause.
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

// Unwrap returns the classes and the cause.
func (e *Error) Unwrap() []error {
	if e.Cause == nil {
		return e.Class
	}
	return append(slices.Clone(e.Class), e.Cause)
}

// RetryAfter returns how long to wait before the failed call may be repeated, if known.
func RetryAfter(err error) (time.Duration, bool) {
	if e, ok := errors.AsType[*Error](err); ok && e.RetryAfter > 0 {
		return e.RetryAfter, true
	}
	return 0, false
}

// Outage reports whether Slack did not answer. This passes without an operator.
func Outage(err error) bool {
	return errors.Is(err, ErrTryLater) || errors.Is(err, ErrUnknownOutcome) || errors.Is(err, context.DeadlineExceeded)
}

// NeedsOperator reports whether Slack refuses the app something until an operator acts.
func NeedsOperator(err error) bool {
	return errors.Is(err, ErrMissingScope) || errors.Is(err, ErrToken)
}

var anyURL = regexp.MustCompile(`(?i)\b(https?|wss?)://[^\s"'\])}>]+`)

// withoutURLs hides URLs. A response URL is a secret, and a picture's may be one.
func withoutURLs(text string) string { return anyURL.ReplaceAllString(text, "(URL)") }
