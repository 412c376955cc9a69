package commandstest

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
)

// Comes opens the app's Home tab and returns its content.
func (r *Rig) Comes(user string) string {
	r.T.Helper()
	r.Visits(user, "home")
	return r.Home(user)
}

// Visits opens a tab of the app.
func (r *Rig) Visits(user, tab string) {
	r.T.Helper()
	r.Clicks++
	reply, err := r.Handle(r.T.Context(), bot.Request{
		Kind: bot.KindEvent, Name: "app_home_opened", ID: fmt.Sprintf("Ev%d", r.Clicks), Team: "T1", User: user,
		Event: json.RawMessage(`{"type":"app_home_opened","tab":"` + tab + `"}`),
	})
	require.NoError(r.T, err)
	require.Nil(r.T, reply.Body)
	r.Settle(time.Second)
}

// Home returns the content of a person's Home tab, "" before it was published.
func (r *Rig) Home(user string) string {
	r.Screen.Lock()
	defer r.Screen.Unlock()
	return r.Screen.Homes[user]
}

// Turns makes a choice in the Home tab and returns its content.
func (r *Rig) Turns(user, action, value string) string {
	r.T.Helper()
	r.Does(bot.Request{Name: action, Value: value, View: AtHome(), User: user})
	return r.Home(user)
}
