package stories

import (
	"encoding/json"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
	"darkroom/sandbox/wire"
)

func TestTheWireShowsAWholeOrderAndNoSecret(t *testing.T) {
	t.Parallel()
	w := open(t, func(o *sandbox.Options) { o.Wire = &wire.Log{} })
	w.Wire.Place(w.app.url, wire.Darkroom)
	maria := w.person("maria")
	maria.Type("/order new")
	maria.SeesModal("New photo order")
	maria.Upload("Photos", w.picture(0), w.picture(1))
	maria.Fill("Instructions", "Brighten the sky.")
	maria.Fill("Project name", "Seen through")
	maria.Submit()
	maria.Sees("Order placed")
	maria.CloseModal()
	maria.SeesInThread("Seen through", "Placed")
	order := w.order()
	maria.Type("/order message " + order.ID + " Mind the shadow.")
	maria.SeesInThread("Seen through", "Mind the shadow.")
	w.deliver(maria, order.ID)
	maria.PressOn("Ready for review", "Approve")
	maria.SeesModal("Approve order")
	maria.Submit()
	maria.Sees("The order is closed")
	maria.CloseModal()
	maria.SeesInThread("Seen through", "Approved")

	entries := w.Wire.Entries(0)
	shown, err := json.Marshal(entries)
	require.NoError(t, err)
	var says strings.Builder
	for _, e := range entries {
		says.WriteString(e.Says + "\n")
	}
	for _, line := range []string{
		"Slack → Darkroom · /order new", "Darkroom → Slack · views.open “New photo order”", "Slack → Darkroom · submit “New photo order”",
		"Darkroom → Service · POST /orders/create 2 pictures", "→ Darkroom · fetches house.jpg", "Darkroom → Slack · fetches beach.jpg",
		"Darkroom → Slack · chat.postMessage “Ready for review", "Darkroom → Service · POST /orders/" + order.ID + "/approve · 200 in",
		"Slack → Service · fetches beach.jpg",
	} {
		require.Contains(t, says.String(), line)
	}
	for what, secret := range w.secrets() {
		require.NotContains(t, string(shown), secret, what)
	}
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
