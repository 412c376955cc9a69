package commands_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/commands"
	"darkroom/commands/commandstest"
)

// FuzzLine types random lines: each is answered, no job dies, and no line mentions a person or group.
func FuzzLine(f *testing.F) {
	for _, seed := range []string{
		"", "new", "https://e.com/a.jpg", "approve order1", "approve order1 <!channel>", "message order1 <@U1> &amp; <!here>", "message `REF`",
		"reference order1 <https://e.com/a.jpg|x> ftp://", "move order1 <#C1|shoots>", "move order1 #", "list all mine 9999999999999999999", "list account page -1",
		"track ../../account/balance", "show order1?x=1", "cancel order1 " + strings.Repeat("&", 3000), "settings x", "help help", "aprove \x00\u202e",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		payload, err := json.Marshal(map[string]string{
			"command": commands.Slash, "text": strings.ToValidUTF8(text, "?"), "user_id": "maria", "team_id": "T1", "channel_id": "C1", "trigger_id": "fuzz",
		})
		require.NoError(t, err)
		commandstest.Bubble(t, func(r *commandstest.Rig) {
			r.InReview()
			q, err := bot.DecodeCommand(payload, time.Now())
			require.NoError(r.T, err)
			before := r.Seen()
			_, err = r.Handle(r.T.Context(), q)
			require.NoError(r.T, err)
			r.Settle(5 * time.Second)
			says := r.Since(before)
			require.NotEmpty(r.T, says, "unanswered")
			require.NotContains(r.T, says, "stopped trying")
			require.Zero(r.T, r.Stats().Dead)
		})
	})
}
