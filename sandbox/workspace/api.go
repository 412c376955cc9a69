package workspace

import (
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// call is one request to the Web API.
type call struct {
	method string
	args   object
	at     time.Time
	token  string
	header http.Header
}

// method is one method of the Web API. check runs before run and without the
// lock: it may fetch images. run holds the lock.
type method struct {
	scopes   []string // one of them is needed; none: no scope
	appLevel bool     // for the app-level token, in the header
	check    func(*Workspace, *call) error
	run      func(*Workspace, *call) (object, error)
}

// apiError is an answer with ok:false.
type apiError struct {
	code       string
	messages   []string
	needed     string
	provided   string
	retryAfter time.Duration
	novel      bool // only for a block type that this Slack was told not to know
}

func (e *apiError) Error() string { return strings.Join(append([]string{e.code}, e.messages...), "; ") }

// faulty tells whether the app's payload was wrong: neither its pace nor a
// picture that is out of reach is, nor a block that this Slack does not know yet.
func faulty(err error) bool {
	var refused *apiError
	return errors.As(err, &refused) && refused.code != "ratelimited" && !refused.novel &&
		!strings.Contains(refused.Error(), unreachable) && !strings.Contains(refused.Error(), unprocessed)
}

// errExposed is a token that every log of request bodies and addresses on the way keeps.
var errExposed = errors.New("the token travels outside the Authorization header")

func fails(code string) error { return &apiError{code: code} }

func methods() map[string]method {
	all := map[string]method{}
	for _, group := range []map[string]method{chatMethods(), conversationMethods(), peopleMethods(), groupMethods(), viewMethods(), fileMethods(), socketMethods()} {
		maps.Copy(all, group)
	}
	return all
}

// serveAPI answers one call, unless the method is to misbehave.
func (w *Workspace) serveAPI(rw http.ResponseWriter, r *http.Request, name string) {
	args, with, err := arguments(rw, r)
	request := w.noteRequest(name, args)
	if with.exposed { // Slack takes it
		w.noteRejected(name, errExposed)
	}
	if err != nil {
		w.answer(rw, request, nil, fails("invalid_form_data"))
		return
	}
	fault := w.nextFault(name)
	w.held(name)
	if fault.before(w, rw, request) {
		return
	}
	if w.methods[name].appLevel && r.Header.Get("Authorization") == "" {
		with.token = "" // such a token counts in the header only
	}
	out, err := w.perform(&call{method: name, args: args, at: w.now(), token: with.token, header: r.Header})
	if fault.after(w, rw, request) {
		return
	}
	w.answer(rw, request, out, err)
}

// perform carries the call out, whatever becomes of the answer.
func (w *Workspace) perform(c *call) (object, error) {
	if own := w.hosted(c.method); own != nil {
		return affirmed(own(Call{Token: c.token, Header: c.header, Args: c.args}))
	}
	m, known := w.methods[c.method]
	if !known {
		w.noteUnknown(c.method)
		return nil, fails("unknown_method")
	}
	if err := w.admit(c, m); err != nil {
		return nil, err
	}
	if m.check != nil {
		if err := m.check(w, c); err != nil {
			if faulty(err) {
				w.noteRejected(c.method, err)
			}
			return nil, err
		}
	}
	defer w.change()()
	return affirmed(m.run(w, c))
}

// affirmed is an answer with ok:true, if there is no error.
func affirmed(out object, err error) (object, error) {
	if err != nil {
		return nil, err
	}
	if out == nil {
		out = object{}
	}
	out["ok"] = true
	return out, nil
}

// admit checks token, scopes and pace.
func (w *Workspace) admit(c *call, m method) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.authorised(m, c.token); err != nil {
		return err
	}
	if len(m.scopes) > 0 {
		if err := w.scoped(m.scopes...); err != nil {
			return err
		}
	}
	if wait := w.rates.read(c.method, c.at); wait > 0 {
		return &apiError{code: "ratelimited", retryAfter: wait}
	}
	return nil
}

// authorised wants the kind of token the method is for.
func (w *Workspace) authorised(m method, token string) error {
	if w.in.Judge != nil && !m.appLevel {
		return w.judged(token)
	}
	right, wrong := w.o.BotToken, w.o.AppToken
	if m.appLevel {
		right, wrong = wrong, right
		if slices.Contains(w.appTokens, token) {
			right = token
		}
	}
	switch {
	case token == "":
		return fails("not_authed")
	case token == wrong:
		return fails("not_allowed_token_type")
	case token != right:
		return fails("invalid_auth")
	case w.revoked && !m.appLevel:
		return fails("token_revoked")
	}
	return nil
}

// judged asks the Slack of several about a token.
func (w *Workspace) judged(token string) error {
	if token == "" {
		return fails("not_authed")
	}
	if code := w.in.Judge(token); code != "" {
		return fails(code)
	}
	return nil
}

// granted is what Slack tells of the token's scopes with each answer.
// Slack: docs.slack.dev/authentication/installing-with-oauth.
func (w *Workspace) granted() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Join(w.o.Scopes, ",")
}

// scoped wants one of the scopes; the caller holds the lock.
func (w *Workspace) scoped(oneOf ...string) error {
	for _, scope := range oneOf {
		if slices.Contains(w.o.Scopes, scope) {
			return nil
		}
	}
	return &apiError{code: "missing_scope", needed: strings.Join(oneOf, ","), provided: strings.Join(w.o.Scopes, ",")}
}

func (w *Workspace) answer(rw http.ResponseWriter, request *Request, out object, err error) {
	status := http.StatusOK
	if err != nil {
		out, status = refusal(rw, err)
	} else {
		rw.Header().Set("X-OAuth-Scopes", w.granted())
	}
	w.noteAnswer(request, status, str(out, "error"))
	rw.Header().Set("Content-Type", "application/json; charset=utf-8")
	rw.WriteHeader(status)
	_, _ = rw.Write(encode(out))
}

func refusal(rw http.ResponseWriter, err error) (object, int) {
	var refused *apiError
	if !errors.As(err, &refused) {
		refused = &apiError{code: "internal_error"}
	}
	out := object{"ok": false, "error": refused.code}
	setIf(out, "errors", stripped(refused.messages), len(refused.messages) > 0)
	setIf(out, "response_metadata", object{"messages": refused.messages}, len(refused.messages) > 0)
	setIf(out, "needed", refused.needed, refused.needed != "")
	setIf(out, "provided", refused.provided, refused.needed != "")
	if refused.retryAfter <= 0 {
		return out, http.StatusOK
	}
	rw.Header().Set("Retry-After", strconv.Itoa(int((refused.retryAfter+time.Second-1)/time.Second)))
	return out, http.StatusTooManyRequests
}

func stripped(messages []string) []string {
	out := make([]string, len(messages))
	for i, m := range messages {
		out[i] = strings.TrimPrefix(m, "[ERROR] ")
	}
	return out
}
