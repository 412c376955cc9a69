package client

import (
	"errors"
	"time"
)

// Call is one call to Slack, for whoever counts them.
type Call struct {
	Method  string        // of the Web API, or "response_url", "upload_url", "file_url": never foreign text
	Outcome string        // one of [CallOutcomes]
	Took    time.Duration // until its answer was read, of a file until it began; 0: nothing was sent
}

// The outcomes of a [Call] that have no class of [Error].
const (
	CallOK       = "ok"
	CallLimited  = "rate_limited" // Slack answered 429
	CallHeldBack = "held_back"    // not sent: Slack had asked us to wait
	CallOther    = "other"
)

// callClasses are the classes by the names that a [Call] has for them, the narrower ones first.
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

// CallOutcomes are all outcomes that a [Call] may have.
func CallOutcomes() []string {
	all := []string{CallOK, CallLimited, CallHeldBack, CallOther}
	for _, c := range callClasses {
		all = append(all, c.name)
	}
	return all
}

// OutcomeOf tells how a call that was sent ended.
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

// Methods are all that a [Call] may be of.
func Methods() []string {
	return []string{
		"api.test", "apps.connections.open", "auth.test", "chat.delete", "chat.postEphemeral", postMethod, "chat.update", "conversations.history", "conversations.info",
		"conversations.join", "conversations.members", "conversations.open", "conversations.replies", "files.completeUploadExternal",
		"files.getUploadURLExternal", "files.info", "oauth.v2.access", "reactions.add", "usergroups.list", "usergroups.users.list", "users.conversations", "users.info", "views.open", "views.publish", "views.push",
		"views.update", fileURL, responseURL, uploadURL,
	}
}

// counted tells of a call that began then; the zero time is one that was not sent.
func (t *transport) counted(method string, began time.Time, err error) {
	switch {
	case t.observe == nil:
	case began.IsZero():
		t.observe(Call{Method: method, Outcome: CallHeldBack})
	default:
		t.observe(Call{Method: method, Outcome: OutcomeOf(err), Took: time.Since(began)})
	}
}
