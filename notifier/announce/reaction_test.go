package announce_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/notifier/announce"
	"darkroom/sandbox/workspace"
	"darkroom/store"
)

func TestAPersonsMessageIsMarkedOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.w.Invite("shoots", "darkroom")
	maria := r.w.Window("maria")
	require.NoError(t, maria.Say(shoots, "", "softer shadows, please"))
	message := r.w.Messages(shoots)[0]
	mark := func(ts string) error {
		job := delivery(store.MarkKind, store.Mark{Team: "T0SANDBOX", Channel: shoots, TS: ts, Emoji: "white_check_mark"}, shoots)
		return handler(announce.New(r.config), store.MarkKind)(t.Context(), job)
	}
	require.NoError(t, mark(message.TS))
	require.NoError(t, mark(message.TS), "again is once")
	require.Equal(t, []string{"white_check_mark"}, reactions(r.w.Messages(shoots)[0]))

	require.NoError(t, mark("1.000001"), "a message that is gone needs no mark")
	r.w.Misbehave("reactions.add", workspace.TooMany(7*time.Second), 1)
	require.Equal(t, 7*time.Second, waits(t, mark(message.TS)))
	r.freshClient(t)
	r.w.Archive("shoots")
	require.NoError(t, mark(message.TS), "nor does one out of reach")
}

func reactions(m workspace.Message) []string {
	var names []string
	for _, r := range m.Reactions {
		names = append(names, r.Name)
	}
	return names
}
