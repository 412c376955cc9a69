package stories

import (
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/photos"
)

// restartsWith gives the app more to its environment.
func (w *world) restartsWith(environ []string) {
	w.t.Helper()
	w.environ = append(w.environ, environ...)
	w.app.stop()
	w.startApp()
}

// One trace leads from a form that somebody submits to the message in the channel. It is printed: make trace.
func TestAnOrderIsOneTraceFromItsFormToItsChannel(t *testing.T) {
	t.Parallel()
	w := open(t)
	c, environ := collect(t)
	w.restartsWith(environ)
	maria := w.person("maria")
	order := w.place(maria, "Traced from end to end")
	var announced *span
	require.Eventually(t, func() bool {
		for _, s := range c.find("slack chat.postMessage") {
			if strings.Contains(strings.Join(c.path(s), " "), "process announce") {
				announced = s
			}
		}
		return announced != nil
	}, patience, tick)
	form := c.waits(t, "submit new")
	create := c.waits(t, "service create")
	placed := c.waits(t, "process place", "darkroom.order", order.ID)
	c.waits(t, "process follow", "darkroom.outcome", "done")
	c.waits(t, "process announce", "darkroom.outcome", "done")

	require.Equal(t, []string{"submit new", "create place", "process place", "service create"}, c.path(create))
	require.Equal(t, []string{"submit new", "create place", "process place", "create announce", "process announce", "slack chat.postMessage"}, c.path(announced))
	for _, s := range []*span{create, placed, announced} {
		require.Equal(t, form.trace(), s.trace())
	}
	require.Equal(t, "ok", create.attribute("darkroom.outcome"))
	require.Equal(t, "200", create.attribute("http.response.status_code"))
	require.NotEqual(t, form.trace(), c.waits(t, "command /order").trace(), "what opened the form is a click of its own")
	t.Log("\n" + c.tree(form.trace()))

	require.Equal(t, "Bearer s3cret", c.headers.Get("Authorization"))
	require.NotContains(t, w.app.said(), "s3cret")
	c.keepsSecrets(t, slices.Collect(maps.Values(w.secrets()))...)
	c.keepsSecrets(t, "Polish the gold", "Traced from end", w.Samples()[2], "s3cret", "signature=", "api_key", "trigger")
}

// A change that nobody here asked for has a trace of its own, from the poll to the channel.
func TestAChangeAtTheServiceIsOneTraceToItsChannel(t *testing.T) {
	t.Parallel()
	w := open(t)
	c, environ := collect(t)
	w.restartsWith(environ)
	maria := w.person("maria")
	order := w.place(maria, "Delivered and traced")
	c.waits(t, "process announce", "darkroom.order", order.ID, "darkroom.outcome", "done") // else that job tells of the delivery, too
	require.NoError(t, w.Photos.Deliver(order.ID))
	maria.SeesBroadcast("Ready for review")
	found := c.waits(t, "poll change", "darkroom.order", order.ID)
	var path []string
	require.Eventually(t, func() bool { // a job's span comes after those of its calls
		for _, s := range c.find("slack chat.postMessage") {
			if s.trace() == found.trace() {
				path = c.path(s)
			}
		}
		return len(path) > 3
	}, patience, tick)
	require.Equal(t, []string{"poll change", "create announce", "process announce", "slack chat.postMessage"}, path)
	require.Contains(t, found.attribute("darkroom.events"), "ready")
	t.Log("\n" + c.tree(found.trace()))
	require.Empty(t, c.find("service list"), "a quiet poll leaves no traces")
}

// A job that another replica takes over stays in its trace.
func TestWhatAnotherReplicaTakesUpIsInTheSameTrace(t *testing.T) {
	t.Parallel()
	w := open(t)
	c, environ := collect(t)
	w.restartsWith(environ)
	maria := w.person("maria")
	w.place(maria, "Taken up and traced")
	w.Photos.Misbehave(photos.Message, photos.HangAfterCommit(), 1)
	maria.Type("/order message")
	maria.SeesModal("Message the editor")
	maria.Fill("Message", "Said in between.")
	maria.Submit()
	w.until("it is in hand", func() bool { return w.asked(photos.Message) == 1 })
	form := c.waits(t, "submit message")
	first := w.app
	heir := w.launch()
	w.app = heir
	w.Workspace.SetAppURL(heir.url)
	first.kill()
	w.until("the other one takes it up", func() bool { return w.asked(photos.Message) == 2 })
	w.Photos.Release()
	maria.Sees("Sent to the editor")
	second := c.waits(t, "process message", "darkroom.outcome", "done")
	require.Equal(t, form.trace(), second.trace())
	require.NotEqual(t, form.replica, second.replica)
	require.Equal(t, "2", second.attribute("darkroom.job.delivery"))
	require.Equal(t, c.parent(second).trace(), form.trace())
	maria.CloseModal()
	maria.SeesInThread("Taken up and traced", "Message sent by Maria")
	require.Contains(t, identifiers(first.said(), "request answered"), form.trace())
	require.Contains(t, identifiers(heir.said(), "job done"), form.trace())
	c.keepsSecrets(t, "Said in between")
	t.Log("\n" + c.tree(form.trace()))
}

var traceID = regexp.MustCompile(` trace_id=([0-9a-f]{32})`)

// identifiers are the ids in the lines of a log that hold some words.
func identifiers(log, words string) (ids []string) {
	for line := range strings.Lines(log) {
		if id := traceID.FindStringSubmatch(line); id != nil && strings.Contains(line, words) {
			ids = append(ids, id[1])
		}
	}
	return ids
}

// Without a collector too, one id in the log leads from the click to the message.
func TestOneIDInTheLogLeadsFromTheFormToTheMessage(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.place(w.person("maria"), "Found by its id")
	var lines string
	w.until("the channel's message is in the log", func() bool {
		log := w.app.said()
		forms := identifiers(log, "route=new outcome=ok")
		if len(forms) == 0 {
			return false
		}
		lines = grep(log, forms[0])
		return strings.Contains(lines, `msg="job done" job=announce:`)
	})
	for _, words := range []string{
		`msg="request answered" kind=submit`, `msg="job done" job=place:`, `msg="slack call" method=chat.postMessage`, `msg="job done" job=announce:`,
		"level=INFO",
	} {
		require.Contains(t, lines, words)
	}
	require.NotContains(t, w.app.said(), "traces are sent")
}

// grep are the lines that hold some words.
func grep(log, words string) string {
	var found strings.Builder
	for line := range strings.Lines(log) {
		if strings.Contains(line, words) {
			found.WriteString(line)
		}
	}
	return found.String()
}

// Whoever works, and whoever stops the app, does not wait for a collector that does not answer.
func TestACollectorThatDoesNotAnswerCostsNobodyAnything(t *testing.T) {
	t.Parallel()
	w := open(t)
	c, environ := collect(t)
	c.deaf = make(chan struct{}) // nobody has called yet
	t.Cleanup(func() { close(c.deaf) })
	w.restartsWith(environ)
	w.place(w.person("maria"), "Nobody listens")
	began := time.Now()
	w.app.stop()
	require.Less(t, time.Since(began), 10*time.Second)
	require.LessOrEqual(t, strings.Count(w.app.said(), "traces not delivered"), 1)
	require.NotContains(t, w.app.said(), "s3cret")
	w.startApp()
}

// A collector that takes nothing is one line of the log, however often it is tried.
func TestACollectorThatTakesNothingIsOneLineOfTheLog(t *testing.T) {
	t.Parallel()
	w := open(t)
	c, environ := collect(t)
	c.refuses = true // nobody has called yet
	w.restartsWith(environ)
	for n, name := range []string{"maria", "ben"} {
		w.person(name).Type("/order balance")
		w.until("it is tried", func() bool { return c.hasRefused() > n })
	}
	w.until("it says so", func() bool { return strings.Contains(w.app.said(), "traces not delivered") })
	w.app.stop()
	require.Equal(t, 1, strings.Count(w.app.said(), "traces not delivered"))
	w.startApp()
}

// secrets are all that were made up or used so far, by what they are.
func (w *world) secrets() map[string]string {
	w.t.Helper()
	all := map[string]string{"file key": fileKey, "signing secret": "8f742231b10e8888abcd99yyyzzz85a5"}
	for _, pair := range w.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		if strings.Contains(name, "TOKEN") || strings.Contains(name, "SECRET") || strings.HasSuffix(name, "KEY") {
			all[name] = value
		}
	}
	token := regexp.MustCompile(`/files/([^/]+)/`)
	for _, image := range w.order().Images {
		if found := token.FindStringSubmatch(image.URL); found != nil { // else it is somebody's own web address
			all["address of "+image.URL] = found[1]
		}
	}
	for _, e := range w.order().Edited {
		all["address of "+e.Origin] = strings.Split(e.Origin, "/")[3]
		all["address of "+e.Thumb] = strings.Split(e.Thumb, "/")[3]
	}
	passing := regexp.MustCompile(`(?:"trigger_id":"|trigger_id=|/response/)([\w.]+)`)
	for _, d := range w.Workspace.Deliveries() {
		body, err := url.QueryUnescape(string(d.Body))
		if err != nil {
			body = string(d.Body)
		}
		for _, found := range passing.FindAllStringSubmatch(body, -1) {
			all[d.Kind+" "+found[0]] = found[1]
		}
		if signature := d.Header.Get("X-Slack-Signature"); signature != "" {
			all[d.Kind+" "+signature] = signature
		}
	}
	require.Greater(w.t, len(all), 8, "there are secrets to look for")
	return all
}
