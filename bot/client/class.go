package client

import (
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// classOf returns the class of a Slack error code, or nil. Sources: the error tables of the methods under
// https://docs.slack.dev/reference/methods
func classOf(code string) error {
	is := func(known string) bool {
		prefix, open := strings.CutSuffix(known, "*")
		return code == known || open && strings.HasPrefix(code, prefix)
	}
	for _, c := range classes {
		if slices.ContainsFunc(c.codes, is) {
			return c.class
		}
	}
	return nil
}

// classes lists the codes of each class. A code that ends in "*" is a prefix.
var classes = []struct {
	class error
	codes []string
}{
	{ErrTryLater, []string{
		"ratelimited", "rate_limited", "service_unavailable", "request_timeout",
		"team_added_to_org", "org_login_required",
	}},
	{ErrUnknownOutcome, []string{"internal_error", "fatal_error"}},
	{ErrToken, []string{
		"invalid_auth", "account_inactive", "token_revoked", "token_expired", "not_authed",
		"team_access_not_granted", "not_allowed_token_type",
	}},
	{ErrMissingScope, []string{"missing_scope"}},
	{ErrNotInChannel, []string{"not_in_channel"}},
	{ErrNoChannel, []string{"channel_not_found", "invalid_channel"}},
	{ErrArchived, []string{"is_archived", "is_inactive", "channel_is_archived"}},
	{ErrNotAllowed, []string{
		"restricted_action*", "no_permission", "ekm_access_denied", "messages_tab_disabled", "accesslimited", "access_denied",
		"not_enabled", "cannot_dm_bot", "method_not_supported_for_channel_type", "action_prohibited",
		"posting_to_general_channel_denied", "posting_to_channel_denied", "message_limit_exceeded",
		"file_uploads_disabled", "storage_limit_reached",
	}},
	{ErrPayload, []string{
		"invalid_metadata*", "metadata_*", "invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "msg_too_long", "no_text",
		"too_many_attachments", "invalid_attachments", "invalid_arguments", "invalid_payload", "view_too_large",
		"cannot_reply_to_message", "push_limit_reached", "file_upload_size_restricted", "markdown_text_conflict",
		"only_one_table_allowed", "block_mismatch",
	}},
	{ErrGone, []string{
		"message_not_found", "not_found", "thread_not_found",
		"view_not_found", "used_url", "expired_url", "file_not_found", "file_deleted",
	}},
	{ErrNotEditable, []string{"cant_update_message", "edit_window_closed"}},
	{ErrTrigger, []string{
		"expired_trigger_id", "exchanged_trigger_id", "invalid_trigger_id", "invalid_trigger",
		"trigger_expired", "trigger_exchanged",
	}},
	{ErrHashConflict, []string{"hash_conflict"}},
	{ErrDuplicateView, []string{"duplicate_external_id"}},
	{ErrNotMember, []string{"user_not_in_channel"}},
	{ErrNoUser, []string{"user_not_found", "users_not_found", "user_not_visible", "user_disabled"}},
}

const imageFailed = "downloading image failed"

// refused returns the error for an answer with "ok": false.
func refused(method string, status int, a answer) *Error {
	e := &Error{Method: method, Code: KnownCode(a.Error), Messages: details(a), Needed: KnownCode(a.Needed), Status: status}
	switch class := classOf(a.Error); {
	case class == nil && status >= http.StatusInternalServerError, errors.Is(class, ErrUnknownOutcome):
		e.Class = uncertain(method)
	case class == nil:
	case errors.Is(class, ErrPayload) && mentions(e.Messages, imageFailed):
		e.Class, e.pointers = []error{ErrImage, ErrPayload}, failedPictures(a.Metadata.Messages)
	default:
		e.Class = []error{class}
	}
	return e
}

// uncertain returns the class of a call that may have been executed. A repeated post would appear twice;
// other calls can be repeated.
func uncertain(method string) []error {
	switch method {
	case postMethod, "chat.postEphemeral", "views.open", "views.push", "files.completeUploadExternal", responseURL:
		return []error{ErrUnknownOutcome}
	}
	return []error{ErrTryLater}
}

func mentions(messages []string, what string) bool {
	return slices.ContainsFunc(messages, func(m string) bool { return strings.Contains(strings.ToLower(m), what) })
}

func details(a answer) []string {
	var all []string
	for _, m := range a.Metadata.Messages[:min(len(a.Metadata.Messages), 5)] {
		m = withoutURLs(m)
		all = append(all, m[:min(len(m), 300)])
	}
	return all
}

var plainCode = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_:, .-]{1,200}$`) })

// KnownCode returns a code that looks like one of Slack's, and "unreadable" for anything else.
func KnownCode(code string) string {
	if code == "" || plainCode().MatchString(code) {
		return code
	}
	return "unreadable"
}

const (
	defaultRetryAfter = 30 * time.Second // without a Retry-After header; Slack's windows are a minute
	maxRetryAfter     = 3600             // seconds
)

func retryAfter(h http.Header) time.Duration {
	seconds, err := strconv.Atoi(h.Get("Retry-After"))
	if err != nil {
		return defaultRetryAfter
	}
	return time.Duration(min(max(seconds, 1), maxRetryAfter)) * time.Second
}
