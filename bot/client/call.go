package client

import (
	"errors"
	"time"
)

// Call is one call to Slack, for metrics.
type Call struct {
	Method  string        // of the Web API, or "response_url", "upload_url", "file_url"; never untrusted text
	Outcome string        // one of [CallOutcomes]
	Took    time.Duration // until the answer was read, or a file's download began; 0: not sent
}

// The outcomes of a [Call] without a class of [Error].
const (
	CallOK       = "ok"
	CallLimited  = "rate_limited" // Slack answered 429
	CallHeldBack = "held_back"    // not sent: Slack asked to wait
	CallOther    = "other"
)

// callClasses maps error classes to outcomes, narrower classes first.
var callClasses = []struct {
	name  string
	class error
}{
	{"token", ErrToken},
	{"missing_scope", ErrMissingScope},
	{"unknown", ErrUnknownOutcome},
	{"try_later", ErrTryLater},
	{"not_in_channel", ErrNotInChannel},
	{"no_channel", ErrNoChannel},
	{"archived", ErrArchived},
	{"not_allowed", ErrNotAllowed},
	{"image", ErrImage},
	{"payload", ErrPayload},
	{"gone", ErrGone},
	{"not_editable", ErrNotEditable},
	{"trigger", ErrTrigger},
	{"hash_conflict", ErrHashConflict},
	{"duplicate_view", ErrDuplicateView},
	{"no_user", ErrNoUser},
}

// CallOutcomes returns all outcomes of a [Call].
func CallOutcomes() []string {
	all := []string{CallOK, CallLimited, CallHeldBack, CallOther}
	for _, c := range callClasses {
		all = append(all, c.name)
	}
	return all
}

// OutcomeOf returns the outcome of a call that was sent.
func OutcomeOf(err error) string {
	if err == nil {
		return CallOK
	}
	if e, ok := errors.AsType[*Error](err); ok && e.Code == CodeLimited {
		return CallLimited
	}
	for _, c := range callClasses {
		if errors.Is(err, c.class) {
			return c.name
		}
	}
	return CallOther
}

// Methods returns all methods of a [Call].
func Methods() []string {
	return []string{
		"api.test", "apps.connections.open", "auth.test", "chat.delete", "chat.postEphemeral", postMethod, "chat.update", "conversations.history", "conversations.info",
		"conversations.join", "conversations.members", "conversations.open", "conversations.replies", "files.completeUploadExternal",
		"files.getUploadURLExternal", "files.info", "oauth.v2.access", "reactions.add", "usergroups.list", "usergroups.users.list", "users.conversations", "users.info", "views.open", "views.publish", "views.push",
		"views.update", fileURL, responseURL, uploadURL,
	}
}

// counted observes a call. A zero began means that the call was not sent.
func (t *transport) counted(method string, began time.Time, err error) {
	switch {
	case t.observe == nil:
	case began.IsZero():
		t.observe(Call{Method: method, Outcome: CallHeldBack})
	default:
		t.observe(Call{Method: method, Outcome: OutcomeOf(err), Took: time.Since(began)})
	}
}
