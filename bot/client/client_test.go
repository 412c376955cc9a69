package client_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"darkroom/bot/client"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// classes are all error classes.
var classes = map[error]bool{
	client.ErrUnknownOutcome: true, client.ErrTryLater: true, client.ErrNotInChannel: true, client.ErrNoChannel: true, client.ErrArchived: true,
	client.ErrToken: true, client.ErrMissingScope: true, client.ErrNotAllowed: true, client.ErrPayload: true, client.ErrImage: true, client.ErrGone: true, client.ErrNotEditable: true,
	client.ErrTrigger: true, client.ErrHashConflict: true, client.ErrDuplicateView: true, client.ErrNotMember: true, client.ErrNoUser: true, client.ErrTooMany: true,
	client.ErrNoReadSlot: true,
}

func assertClass(t *testing.T, err error, want ...error) {
	t.Helper()
	require.Error(t, err)
	var e *client.Error
	require.ErrorAs(t, err, &e)
	for class := range classes {
		wanted := false
		for _, w := range want {
			wanted = wanted || errors.Is(class, w)
		}
		assert.Equal(t, wanted, errors.Is(err, class), "%v: %v", class, err)
	}
	assertNoSecret(t, err)
}

func assertNoSecret(t *testing.T, err error) {
	t.Helper()
	for text := range map[string]bool{err.Error(): true, fmt.Sprintf("%+v", err): true} {
		for _, s := range []string{token, "SECRET", "http://", "https://"} {
			assert.NotContains(t, text, s)
		}
	}
}

func post(ctx context.Context, c *client.Client) error {
	_, err := c.Messages.Post(ctx, client.Post{Channel: "C1", Text: "x"})
	return err
}

func edit(ctx context.Context, c *client.Client) error {
	return c.Messages.Edit(ctx, "1.2", client.Post{Channel: "C1", Text: "x"})
}

func read(ctx context.Context, c *client.Client) error {
	_, err := c.Conversations.History(ctx, "C1", time.Time{})
	return err
}

func look(ctx context.Context, c *client.Client) error {
	_, err := c.People.User(ctx, "U1")
	return err
}

func openView(ctx context.Context, c *client.Client) error {
	return c.Views.OpenView(ctx, "1.2", slack.ModalViewRequest{Type: slack.VTModal})
}

func push(ctx context.Context, c *client.Client) error {
	return c.Views.PushView(ctx, "1.2", slack.ModalViewRequest{Type: slack.VTModal})
}

func update(ctx context.Context, c *client.Client) error {
	return c.Views.UpdateView(ctx, "x", "", "", slack.ModalViewRequest{Type: slack.VTModal})
}

func TestEveryAnswerHasAClass(t *testing.T) {
	no := func(code string) string { return fmt.Sprintf(`{"ok":false,"error":%q}`, code) }
	const image = `{"ok":false,"error":"invalid_blocks","response_metadata":{"messages":["[ERROR] downloading image failed [json-pointer:/blocks/1/image_url] https://app/files/SECRET/a.jpg ` + token + `"]}}`
	tests := map[string]struct {
		call   func(context.Context, *client.Client) error
		method string
		status int
		body   string
		want   []error
	}{
		"a post: server error":         {post, "chat.postMessage", 500, "", []error{client.ErrUnknownOutcome}},
		"a post: bad gateway":          {post, "chat.postMessage", 502, "<html>" + token + "</html>", []error{client.ErrUnknownOutcome}},
		"a post: html":                 {post, "chat.postMessage", 200, "<html>SECRET</html>", []error{client.ErrUnknownOutcome}},
		"a post: nothing":              {post, "chat.postMessage", 200, "", []error{client.ErrUnknownOutcome}},
		"a post: truncated":            {post, "chat.postMessage", 200, `{"ok":true,"ts":"1.`, []error{client.ErrUnknownOutcome}},
		"a post: no timestamp":         {post, "chat.postMessage", 200, `{"ok":true}`, []error{client.ErrUnknownOutcome}},
		"a post: no reason":            {post, "chat.postMessage", 200, `{"ok":false}`, []error{client.ErrUnknownOutcome}},
		"a post: not an object":        {post, "chat.postMessage", 200, `[]`, []error{client.ErrUnknownOutcome}},
		"a post: ok, with a 500":       {post, "chat.postMessage", 500, `{"ok":true,"ts":"1.2"}`, []error{client.ErrUnknownOutcome}},
		"a post: redirected":           {post, "chat.postMessage", 302, "", []error{client.ErrUnknownOutcome}},
		"a post: internal error":       {post, "chat.postMessage", 200, no("internal_error"), []error{client.ErrUnknownOutcome}},
		"a post: fatal error":          {post, "chat.postMessage", 200, no("fatal_error"), []error{client.ErrUnknownOutcome}},
		"a post: 500, new reason":      {post, "chat.postMessage", 500, no("new_reason"), []error{client.ErrUnknownOutcome}},
		"a post: service unavailable":  {post, "chat.postMessage", 503, no("service_unavailable"), []error{client.ErrTryLater}},
		"a post: limited in the body":  {post, "chat.postMessage", 200, no("ratelimited"), []error{client.ErrTryLater}},
		"a post: limited":              {post, "chat.postMessage", 429, "", []error{client.ErrTryLater}},
		"a post: request timeout":      {post, "chat.postMessage", 200, no("request_timeout"), []error{client.ErrTryLater}},
		"a post: not in channel":       {post, "chat.postMessage", 200, no("not_in_channel"), []error{client.ErrNotInChannel}},
		"a post: no channel":           {post, "chat.postMessage", 200, no("channel_not_found"), []error{client.ErrNoChannel}},
		"a post: archived":             {post, "chat.postMessage", 200, no("is_archived"), []error{client.ErrArchived}},
		"a post: token revoked":        {post, "chat.postMessage", 200, no("token_revoked"), []error{client.ErrToken}},
		"a post: account inactive":     {post, "chat.postMessage", 200, no("account_inactive"), []error{client.ErrToken}},
		"a post: invalid auth, 401":    {post, "chat.postMessage", 401, no("invalid_auth"), []error{client.ErrToken}},
		"a post: missing scope":        {post, "chat.postMessage", 200, `{"ok":false,"error":"missing_scope","needed":"chat:write","provided":"commands"}`, []error{client.ErrMissingScope}},
		"a post: restricted":           {post, "chat.postMessage", 200, no("restricted_action_thread_locked"), []error{client.ErrNotAllowed}},
		"a post: no messages tab":      {post, "chat.postMessage", 200, no("messages_tab_disabled"), []error{client.ErrNotAllowed}},
		"a post: invalid blocks":       {post, "chat.postMessage", 200, no("invalid_blocks"), []error{client.ErrPayload}},
		"a post: too long":             {post, "chat.postMessage", 200, no("msg_too_long"), []error{client.ErrPayload}},
		"a post: metadata":             {post, "chat.postMessage", 200, no("metadata_too_large"), []error{client.ErrPayload}},
		"a post: metadata's format":    {post, "chat.postMessage", 200, no("invalid_metadata_format"), []error{client.ErrPayload}},
		"a post: a picture":            {post, "chat.postMessage", 200, image, []error{client.ErrImage, client.ErrPayload}},
		"a post: a new reason":         {post, "chat.postMessage", 200, no("new_reason"), nil},
		"a post: a secret as reason":   {post, "chat.postMessage", 200, no(token + "https://SECRET"), nil},
		"an edit: server error":        {edit, "chat.update", 500, "", []error{client.ErrTryLater}},
		"an edit: internal error":      {edit, "chat.update", 200, no("internal_error"), []error{client.ErrTryLater}},
		"an edit: gone":                {edit, "chat.update", 200, no("message_not_found"), []error{client.ErrGone}},
		"an edit: of another":          {edit, "chat.update", 200, no("cant_update_message"), []error{client.ErrNotEditable}},
		"an edit: too late":            {edit, "chat.update", 200, no("edit_window_closed"), []error{client.ErrNotEditable}},
		"an edit: too long":            {edit, "chat.update", 200, no("msg_too_long"), []error{client.ErrPayload}},
		"a read: server error":         {read, "conversations.history", 500, "", []error{client.ErrTryLater}},
		"a read: html":                 {read, "conversations.history", 200, "<html>", []error{client.ErrTryLater}},
		"a read: truncated":            {read, "conversations.history", 200, `{"ok":true,"messages":[`, []error{client.ErrTryLater}},
		"a read: fatal error":          {read, "conversations.history", 200, no("fatal_error"), []error{client.ErrTryLater}},
		"a read: limited":              {read, "conversations.history", 429, "", []error{client.ErrTryLater, client.ErrNoReadSlot}},
		"a read: not in channel":       {read, "conversations.history", 200, no("not_in_channel"), []error{client.ErrNotInChannel}},
		"a person: not found":          {look, "users.info", 200, no("user_not_found"), []error{client.ErrNoUser}},
		"a person: not understood":     {look, "users.info", 200, `{"ok":true,"user":"U1"}`, nil},
		"a view: expired":              {openView, "views.open", 200, no("expired_trigger_id"), []error{client.ErrTrigger}},
		"a view: exchanged":            {openView, "views.open", 200, no("exchanged_trigger_id"), []error{client.ErrTrigger}},
		"a view: expired, in the docs": {openView, "views.open", 200, no("trigger_expired"), []error{client.ErrTrigger}},
		"a view: used, in the docs":    {openView, "views.open", 200, no("trigger_exchanged"), []error{client.ErrTrigger}},
		"a view: server error":         {openView, "views.open", 500, "", []error{client.ErrUnknownOutcome}},
		"a view: open already":         {openView, "views.open", 200, no("duplicate_external_id"), []error{client.ErrDuplicateView}},
		"a view: a picture":            {openView, "views.open", 200, image, []error{client.ErrImage, client.ErrPayload}},
		"a push: expired":              {push, "views.push", 200, no("expired_trigger_id"), []error{client.ErrTrigger}},
		"a push: too many":             {push, "views.push", 200, no("push_limit_reached"), []error{client.ErrPayload}},
		"a push: server error":         {push, "views.push", 500, "", []error{client.ErrUnknownOutcome}},
		"an update: closed":            {update, "views.update", 200, no("not_found"), []error{client.ErrGone}},
		"an update: changed":           {update, "views.update", 200, no("hash_conflict"), []error{client.ErrHashConflict}},
		"an update: too large":         {update, "views.update", 200, no("view_too_large"), []error{client.ErrPayload}},
		"an update: server error":      {update, "views.update", 500, "", []error{client.ErrTryLater}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := newSlack(t, answers{tt.method: says(tt.status, tt.body)})
			err := tt.call(t.Context(), f.client(t))
			assertClass(t, err, tt.want...)
			assert.Contains(t, err.Error(), tt.method)
			assert.Len(t, f.calls(tt.method), 1, "never retried")
		})
	}
}

func TestAnErrorHasSlacksOwnWords(t *testing.T) {
	f := newSlack(t, answers{
		"chat.postMessage": says(200, `{"ok":false,"error":"missing_scope","needed":"chat:write"}`),
		"chat.update":      says(200, `{"ok":false,"error":"invalid_blocks","response_metadata":{"messages":["must be more than 0 characters [json-pointer:/blocks/0/text]"]}}`),
	})
	var e *client.Error
	require.ErrorAs(t, post(t.Context(), f.client(t)), &e)
	assert.Equal(t, "chat:write", e.Needed)
	assert.Equal(t, "slack chat.postMessage: missing_scope: needed chat:write: missing scope", e.Error())
	require.ErrorAs(t, edit(t.Context(), f.client(t)), &e)
	assert.Equal(t, []string{"must be more than 0 characters [json-pointer:/blocks/0/text]"}, e.Messages)
}

// hangUp accepts, reads a little and closes.
func hangUp(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			_ = conn.Close()
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// closedPort is a URL without a listener.
func closedPort(t *testing.T) string {
	t.Helper()
	var config net.ListenConfig
	l, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, l.Close()) }()
	return "http://" + l.Addr().String()
}

func TestABrokenConnectionLeavesAPostUnknown(t *testing.T) {
	c := client.New(client.Config{Token: token, APIURL: hangUp(t)})
	defer c.Close()
	assertClass(t, post(t.Context(), c), client.ErrUnknownOutcome)
	assertClass(t, read(t.Context(), c), client.ErrTryLater)
	assertClass(t, edit(t.Context(), c), client.ErrTryLater)
}

func TestAPostThatNeverLeftIsTriedLater(t *testing.T) {
	c := client.New(client.Config{Token: token, APIURL: closedPort(t)})
	defer c.Close()
	assertClass(t, post(t.Context(), c), client.ErrTryLater)
	assertClass(t, read(t.Context(), c), client.ErrTryLater)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := openView(ctx, c)
	assertClass(t, err, client.ErrTryLater)
	require.ErrorIs(t, err, context.Canceled)
}

func TestAnAnswerThatDoesNotComeLeavesAPostUnknown(t *testing.T) {
	release := make(chan struct{})
	wait := func(call) (int, string) { <-release; return 200, `{"ok":true}` }
	f := newSlack(t, answers{"chat.postMessage": wait, "conversations.history": wait})
	t.Cleanup(func() { close(release) }) // before the server's own cleanup
	c := client.New(client.Config{Token: token, APIURL: f.URL + "/proxy/api/", Timeout: 20 * time.Millisecond})
	defer c.Close()
	err := post(t.Context(), c)
	assertClass(t, err, client.ErrUnknownOutcome)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	assertClass(t, read(t.Context(), c), client.ErrTryLater)
}

func TestAnAnswerWithoutEndIsGivenUp(t *testing.T) {
	endless := strings.Repeat(" ", 17<<20)
	f := newSlack(t, answers{"chat.postMessage": says(200, endless), "conversations.history": says(200, endless)})
	assertClass(t, post(t.Context(), f.client(t)), client.ErrUnknownOutcome)
	assertClass(t, read(t.Context(), f.client(t)), client.ErrTryLater)
}

func TestARedirectIsNotFollowed(t *testing.T) {
	other := newSlack(t, answers{})
	f := newSlack(t, answers{"chat.postMessage": says(307, "")})
	f.header.Set("Location", other.URL+"/proxy/api/chat.postMessage")
	assertClass(t, post(t.Context(), f.client(t)), client.ErrUnknownOutcome)
	assert.Empty(t, other.calls("chat.postMessage"))
}

func TestAPostThatIsOutIsNotLostToAnOddAnswer(t *testing.T) {
	f := newSlack(t, answers{
		"chat.postMessage": says(200, `{"ok":true,"channel":"C1","ts":"1.2","message":{"blocks":{"odd":true},"files":7}}`),
		"views.open":       says(200, `{"ok":true,"view":{"id":"V1","external_id":"x","hash":"h","blocks":"odd","state":7}}`),
	})
	c := f.client(t)
	ts, err := c.Messages.Post(t.Context(), client.Post{Channel: "C1", Text: "x"})
	require.NoError(t, err)
	assert.Equal(t, "1.2", ts)
	require.NoError(t, openView(t.Context(), c))
}

func TestTheLogHasNoSecret(t *testing.T) {
	var log bytes.Buffer
	slackAt := hangUp(t)
	c := client.New(client.Config{Token: token, APIURL: slackAt, Log: slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	defer c.Close()
	require.Error(t, c.Messages.Respond(t.Context(), slackAt+"/SECRET", "x"))
	require.Error(t, post(t.Context(), c))
	assert.Contains(t, log.String(), `"method":"response_url"`)
	assert.NotContains(t, log.String(), "SECRET")
}

func TestADefaultClientPointsAtSlack(t *testing.T) {
	c := client.New(client.Config{Token: token})
	defer c.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assertClass(t, read(ctx, c), client.ErrTryLater) // not sent: nothing reaches the internet
}
