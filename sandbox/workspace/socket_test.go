package workspace_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox/workspace"
)

const appToken = "xapp-sandbox-token"

// line is one connection of a tiny app in Socket Mode.
type line struct {
	t     *testing.T
	conn  *websocket.Conn
	ended chan struct{}

	mu     sync.Mutex
	answer func(object) object // the payload of the acknowledgement; nil: none
	frames []object
	silent bool
	err    error
}

func ticket(t *testing.T, ws *workspace.Workspace) string {
	t.Helper()
	_, _, body := post(t, ws.APIURL()+"apps.connections.open", appToken, "application/x-www-form-urlencoded", "")
	var out object
	require.NoError(t, decode(body, &out))
	require.Equal(t, true, out["ok"], "%s", body)
	return out["url"].(string)
}

func dial(t *testing.T, ws *workspace.Workspace, answer func(object) object) *line {
	t.Helper()
	origin := http.Header{"Origin": {"https://api.slack.com"}} // as some libraries send
	conn, response, err := websocket.Dial(t.Context(), ticket(t, ws), &websocket.DialOptions{HTTPHeader: origin})
	require.NoError(t, err)
	if response.Body != nil {
		_ = response.Body.Close()
	}
	l := &line{t: t, conn: conn, answer: answer, ended: make(chan struct{})}
	go l.listen()
	t.Cleanup(func() { _ = conn.CloseNow(); <-l.ended })
	eventually(t, func() bool { return len(l.all()) > 0 }, "hello")
	return l
}

func (l *line) listen() {
	defer close(l.ended)
	for {
		_, body, err := l.conn.Read(context.Background())
		if err != nil {
			l.mu.Lock()
			l.err = err
			l.mu.Unlock()
			return
		}
		var frame object
		_ = json.Unmarshal(body, &frame)
		l.mu.Lock()
		l.frames = append(l.frames, frame)
		silent, answer := l.silent, l.answer
		l.mu.Unlock()
		if id, isEnvelope := frame["envelope_id"]; isEnvelope && !silent {
			said := object{"envelope_id": id}
			if answer != nil {
				said["payload"] = answer(frame)
			}
			l.send(said)
		}
	}
}

func (l *line) send(frame object) {
	body, _ := json.Marshal(frame)
	_ = l.conn.Write(context.Background(), websocket.MessageText, body)
}

func (l *line) all() []object {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]object{}, l.frames...)
}

func (l *line) envelopes() []object {
	var found []object
	for _, f := range l.all() {
		if f["envelope_id"] != nil {
			found = append(found, f)
		}
	}
	return found
}

func (l *line) hush(silent bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.silent = silent
}

// answering changes what the next acknowledgements carry.
func (l *line) answering(answer func(object) object) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.answer = answer
}

func (l *line) closedWith() websocket.StatusCode {
	l.mu.Lock()
	defer l.mu.Unlock()
	if closed, ok := errors.AsType[websocket.CloseError](l.err); ok {
		return closed.Code
	}
	return -1
}

func (l *line) reasons() string {
	var found []string
	for _, f := range l.all() {
		if f["type"] == "disconnect" {
			found = append(found, f["reason"].(string))
		}
	}
	return strings.Join(found, " ")
}

func onSockets(t *testing.T, o workspace.Options) *workspace.Workspace {
	t.Helper()
	o.SocketMode = true
	return start(t, o)
}

func command(t *testing.T, ws *workspace.Workspace) {
	t.Helper()
	require.NoError(t, ws.Window("maria").Command("#shoots", "/order list"))
}

func TestConnectionsOpenWithTheAppsTokenAlone(t *testing.T) {
	ws := onSockets(t, workspace.Options{})
	for bearer, want := range map[string]string{"": "not_authed", token: "not_allowed_token_type", "xapp-other": "invalid_auth"} {
		_, _, body := post(t, ws.APIURL()+"apps.connections.open", bearer, "application/x-www-form-urlencoded", "token="+appToken)
		require.Contains(t, string(body), `"`+want+`"`)
	}
	_, _, body := post(t, ws.APIURL()+"auth.test", appToken, "application/json", "{}")
	require.Contains(t, string(body), "not_allowed_token_type")
}

func TestAConnectionSaysHelloAndItsTicketServesOnce(t *testing.T) {
	ws := onSockets(t, workspace.Options{})
	dial(t, ws, nil)
	second := dial(t, ws, nil)
	hello := second.all()[0]
	require.Equal(t, "hello", hello["type"])
	require.EqualValues(t, 2, hello["num_connections"])
	require.Equal(t, "A0DARKROOM", hello["connection_info"].(object)["app_id"])
	require.NotZero(t, hello["debug_info"].(object)["approximate_connection_time"])
	eventually(t, func() bool { return ws.Sockets() == 2 }, "two connections")

	address := ticket(t, ws)
	conn, _, err := websocket.Dial(t.Context(), address, nil) //nolint:bodyclose // a websocket's response has none
	require.NoError(t, err)
	defer func() { _ = conn.CloseNow() }()
	_, response, err := websocket.Dial(t.Context(), address, nil) //nolint:bodyclose // as above
	require.Error(t, err)
	require.Equal(t, http.StatusForbidden, response.StatusCode)
}

func TestAnEleventhConnectionIsTurnedAway(t *testing.T) {
	ws := onSockets(t, workspace.Options{})
	for range 10 {
		dial(t, ws, nil)
	}
	eventually(t, func() bool { return ws.Sockets() == 10 }, "ten connections")
	eleventh := dial(t, ws, nil)
	<-eleventh.ended
	require.Equal(t, "too_many_websockets", eleventh.reasons())
	require.Equal(t, 10, ws.Sockets())
}

func TestEachPayloadGoesToOneConnectionAndNothingOverHTTP(t *testing.T) {
	ws := onSockets(t, workspace.Options{})
	a := listen(t, ws, nil)
	lines := []*line{dial(t, ws, nil), dial(t, ws, nil)}
	eventually(t, func() bool { return ws.Sockets() == 2 }, "two connections")
	for range 6 {
		command(t, ws)
	}
	require.NoError(t, ws.Window("maria").Say("#shoots", "", "hello"))
	eventually(t, func() bool { return len(lines[0].envelopes())+len(lines[1].envelopes()) == 7 }, "each once")
	require.GreaterOrEqual(t, len(lines[0].envelopes()), 3)
	require.GreaterOrEqual(t, len(lines[1].envelopes()), 3)
	require.Empty(t, a.all())

	ws.SetSocketMode(false)
	<-lines[0].ended
	require.Equal(t, "link_disabled", lines[0].reasons())
	command(t, ws)
	require.Len(t, a.all(), 1)
	off := dial(t, ws, nil)
	<-off.ended
	require.Equal(t, "link_disabled", off.reasons())
}

func TestEnvelopesSayWhetherAPayloadMayAnswerThem(t *testing.T) {
	ws := onSockets(t, workspace.Options{})
	l := dial(t, ws, nil)
	maria := ws.Window("maria")
	command(t, ws)
	frame := last(l.envelopes())
	require.Equal(t, "slash_commands", frame["type"])
	require.Equal(t, true, frame["accepts_response_payload"])
	payload := frame["payload"].(object)
	require.Equal(t, "list", payload["text"])
	require.NotEmpty(t, payload["trigger_id"])

	maria.Shortcut("new", workspace.Once)
	frame = last(l.envelopes())
	require.Equal(t, "interactive", frame["type"])
	require.Equal(t, false, frame["accepts_response_payload"])
	require.Equal(t, "shortcut", frame["payload"].(object)["type"])

	require.NoError(t, maria.Say("#shoots", "", "hello"))
	eventually(t, func() bool { return last(l.envelopes())["type"] == "events_api" }, "the event")
	require.EqualValues(t, 0, last(l.envelopes())["retry_attempt"])
	require.Empty(t, ws.Violations())
	l.answering(func(object) object { return object{"text": "no"} })
	maria.Shortcut("new", workspace.Once)
	require.Len(t, ws.Violations(), 1)
	l.send(object{"envelope_id": "env-unknown"})
	eventually(t, func() bool { return len(ws.Violations()) == 2 }, "an unknown envelope")
}

func TestAnswersOverASocketCountAsOverHTTP(t *testing.T) {
	ws := onSockets(t, workspace.Options{})
	l := dial(t, ws, func(object) object { return object{"text": "only you"} })
	command(t, ws)
	require.Equal(t, "only you", last(ws.Ephemerals("maria")).Text)

	maria := ws.Window("maria")
	require.NoError(t, maria.Command("#shoots", "/order"))
	trigger := last(l.envelopes())["payload"].(object)["trigger_id"]
	require.Equal(t, true, api(t, ws, "views.open", object{"trigger_id": trigger, "view": modal(input("i", "Name"))})["ok"])
	fillIn(t, maria, "i", "typed")
	l.answering(func(object) object { return object{"response_action": "errors", "errors": object{"i": "Taken."}} })
	require.NoError(t, maria.Submit(workspace.Once))
	v, _ := maria.Modal()
	require.Equal(t, "Taken.", v.Errors["i"])
	l.answering(nil)
	require.NoError(t, maria.Submit(workspace.Replayed))
	_, open := maria.Modal()
	require.False(t, open)
	all := l.envelopes()
	require.Equal(t, all[len(all)-2], all[len(all)-1], "a replay is the same envelope")
}

func TestAFrameTooBigClosesTheConnection(t *testing.T) {
	ws := onSockets(t, workspace.Options{})
	size := maxFrame - 1
	l := dial(t, ws, func(frame object) object { return padded(frame, size) })
	command(t, ws)
	require.Empty(t, ws.Violations(), "one byte less is taken")
	size = maxFrame
	command(t, ws)
	<-l.ended
	require.Equal(t, websocket.StatusMessageTooBig, l.closedWith())
	require.Len(t, ws.Violations(), 1)
	require.Contains(t, last(ws.Ephemerals("maria")).Text, "failed")
}

const maxFrame = 20_480

// padded makes the whole acknowledgement of the frame n bytes long.
func padded(frame object, n int) object {
	body, _ := json.Marshal(object{"envelope_id": frame["envelope_id"], "payload": object{"text": ""}})
	return object{"text": long(n - len(body))}
}

func TestACommandCutOffBeforeItsAcknowledgementComesAgain(t *testing.T) {
	ws := onSockets(t, workspace.Options{})
	lines := []*line{dial(t, ws, nil), dial(t, ws, nil)}
	eventually(t, func() bool { return ws.Sockets() == 2 }, "two connections")
	ws.Tamper(workspace.CutSocket, 1)
	command(t, ws)
	require.Equal(t, 1, ws.Sockets())
	first, second := lines[0].envelopes(), lines[1].envelopes()
	require.Len(t, first, 1)
	require.Equal(t, first, second)
	require.Empty(t, ws.Ephemerals("maria"), "the second acknowledgement counted")
}

func TestACommandWithNoOtherConnectionFails(t *testing.T) {
	ws := onSockets(t, workspace.Options{AckLimit: 100 * time.Millisecond})
	command(t, ws)
	require.Contains(t, last(ws.Ephemerals("maria")).Text, "dispatch_failed", "nobody is connected")
	dial(t, ws, nil)
	ws.Tamper(workspace.CutSocket, 1)
	command(t, ws)
	require.Len(t, ws.Ephemerals("maria"), 2)
}

func TestAnEventCutOffIsRetriedOnAnotherConnection(t *testing.T) {
	ws := onSockets(t, workspace.Options{EventRetries: []time.Duration{0}})
	require.NoError(t, ws.Window("maria").Say("#shoots", "", "before anyone listens"))
	first := dial(t, ws, nil)
	eventually(t, func() bool { return len(first.envelopes()) == 1 }, "events wait for the first connection")
	ws.Tamper(workspace.CutSocket, 1)
	require.NoError(t, ws.Window("maria").Say("#shoots", "", "hello"))
	<-first.ended
	second := dial(t, ws, nil)
	eventually(t, func() bool { return len(second.envelopes()) == 1 }, "the retry")
	again := second.envelopes()[0]
	require.EqualValues(t, 1, again["retry_attempt"])
	require.Equal(t, "connection_failed", again["retry_reason"])
	require.Equal(t, first.envelopes()[1]["payload"], again["payload"])
}

func TestALostAcknowledgementOverASocketTimesOut(t *testing.T) {
	ws := onSockets(t, workspace.Options{EventRetries: []time.Duration{0}})
	l := dial(t, ws, nil)
	ws.Tamper(workspace.LoseAck, 2)
	command(t, ws)
	require.Contains(t, last(ws.Ephemerals("maria")).Text, "operation_timeout")
	require.NoError(t, ws.Window("maria").Say("#shoots", "", "hello"))
	eventually(t, func() bool { return len(l.envelopes()) == 3 }, "the retry")
	require.Equal(t, "timeout", last(l.envelopes())["retry_reason"])
}

func TestARefreshLosesNothing(t *testing.T) {
	ws := onSockets(t, workspace.Options{RefreshGrace: 50 * time.Millisecond})
	old := dial(t, ws, nil)
	ws.RefreshSockets()
	command(t, ws)
	require.Len(t, old.envelopes(), 1, "the only one is used while it lives")
	fresh := dial(t, ws, nil)
	eventually(t, func() bool { return ws.Sockets() == 2 }, "the new one")
	command(t, ws)
	require.Len(t, fresh.envelopes(), 1)
	<-old.ended
	require.Equal(t, "warning refresh_requested", old.reasons())
	eventually(t, func() bool { return ws.Sockets() == 1 }, "the old one is gone")
	require.Empty(t, ws.Ephemerals("maria"))
}

func TestDroppedConnectionsGoWithoutAWord(t *testing.T) {
	ws := onSockets(t, workspace.Options{})
	lines := []*line{dial(t, ws, nil), dial(t, ws, nil)}
	eventually(t, func() bool { return ws.Sockets() == 2 }, "two connections")
	lines[1].hush(true)
	ws.DropSockets(1)
	require.Equal(t, 1, ws.Sockets())
	<-lines[0].ended
	require.Equal(t, websocket.StatusCode(-1), lines[0].closedWith())
	require.Empty(t, lines[0].reasons())
	ws.DropSockets(-1)
	require.Zero(t, ws.Sockets())
}
