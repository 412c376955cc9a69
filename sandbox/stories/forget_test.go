package stories

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Maria has ordered, written, asked for changes, approved, and left words in three forms. Then she leaves, and the
// operator has her forgotten, while Darkroom runs and Ben goes on with her orders.
func TestAPersonWhoLeftIsForgottenAndTheirOrdersGoOn(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.shortWaits()
	maria, ben := w.person("maria"), w.person("ben")
	id := w.Workspace.User("maria").ID

	done := w.place(maria, "Old campaign")
	w.deliver(maria, done.ID)
	maria.PressOn("Ready for review", "Approve with feedback")
	maria.Fill("Feedback", "So very lovely.")
	maria.Submit()
	maria.Sees("The order is closed")
	maria.CloseModal()

	maria.Type("/order new " + w.Samples()[0])
	maria.SeesModal("New photo order")
	maria.Fill("Instructions", "Warm up the skin.")
	maria.Fill("Project name", "Spring wedding")
	maria.Submit()
	maria.Sees("Order placed")
	maria.CloseModal()
	var open string
	for _, o := range w.Photos.Orders() {
		if o.ID != done.ID {
			open = o.ID
		}
	}
	maria.Type("/order message " + open + " Is the ring really gold?")
	maria.SeesInThread("Spring wedding", "Message sent by Maria")
	maria.OpenThread("Spring wedding")
	maria.Type("@darkroom and the horizon is straight?")
	maria.SeesReaction("the horizon is straight?", "white_check_mark")
	maria.CloseThread()
	require.NoError(t, w.Photos.Deliver(open))
	maria.SeesInThread("Spring wedding", "Ready for review")
	maria.PressOn("Spring wedding", "Request Changes")
	maria.SeesModal("Request changes")
	maria.Fill("1 · beach.jpg", "Less yellow over there.")
	maria.Submit()
	maria.SeesInThread("Spring wedding", "Changes requested by Maria")
	maria.CloseModal()
	maria.OpenHome()
	maria.SeesHome("Spring wedding")
	maria.Press("Order Photos")
	maria.SeesModal("New photo order")
	maria.Choose("Post to", "#shoots")
	maria.Fill("Instructions", "Polish all the silver.")
	maria.CloseModal()
	maria.Goto("#shoots")
	maria.PressOn("Changes being made", "Message the Editor")
	maria.Fill("Message", "Never sent to anybody.")
	maria.CloseModal()

	typed := []string{
		"So very lovely.", "Warm up the skin.", "Is the ring really gold?", "the horizon is straight?", "Less yellow over there.",
		"Polish all the silver.", "Never sent to anybody.",
	}
	w.quiet() // jobs that are done are not kept
	before := w.holds(append(typed, id))
	for _, words := range append(typed, id) {
		require.NotEmpty(t, before[words], "Redis has it before: %s", words)
	}

	shown := w.forget(id)
	require.Contains(t, shown, "Nothing was changed.")
	require.Equal(t, before, w.holds(append(typed, id)))
	t.Log(shown)
	gone := w.forget(id, "--yes")
	require.Contains(t, gone, "Made 2 orders anonymous, of which they asked for 2, and ")
	t.Log(gone)

	for words, families := range w.holds(append(typed, id, "Maria")) {
		t.Logf("%q is in %v", words, families)
		switch words {
		case id: // for 25 hours, to know a request of theirs when Slack sends it again
			assert.Subset(t, []string{"q:seen"}, families)
		case "Is the ring really gold?", "the horizon is straight?":
			assert.Equal(t, []string{"order"}, families, "%s: in the order's conversation, as the service tells it", words)
		default:
			assert.Empty(t, families, words)
		}
	}
	require.Contains(t, w.forget(id), "Nothing is kept of "+id)

	require.NoError(t, w.Photos.Deliver(open))
	ben.SeesBroadcast("round 2")
	ben.Sees("for somebody who left")
	approveOn(ben, "round 2", "Spring wedding")
	ben.Type("/order list")
	ben.SeesEphemeral("for somebody who left")
	ben.Type("/order show " + open)
	ben.Sees("Placed")
	ben.Sees("by somebody who left")
}

// forget runs `darkroom forget` beside the app that runs, with nothing but the address of Redis.
func (w *world) forget(args ...string) string {
	w.t.Helper()
	c := exec.CommandContext(w.t.Context(), binary, append([]string{"forget"}, args...)...)
	c.Env = []string{"REDIS_URL=" + w.redis}
	out, err := c.CombinedOutput()
	require.NoError(w.t, err, string(out))
	return string(out)
}

// holds says in which families of keys Redis has a text, in a key or in its value.
func (w *world) holds(texts []string) map[string][]string {
	w.t.Helper()
	rdb := asOperator(w.t, w.redis)
	found := map[string][]string{}
	for _, text := range texts {
		found[text] = nil
	}
	rows, err := os.ReadFile("../../docs/security.md")
	require.NoError(w.t, err)
	for keys := rdb.Scan(w.t.Context(), 0, "*", 1000).Iterator(); keys.Next(w.t.Context()); {
		key := keys.Val()
		require.Contains(w.t, string(rows), "`"+familyOf(key)+"`", "docs/security.md says what is kept under %s", key)
		all := key + "\n" + w.dump(rdb, key)
		for _, text := range texts {
			if strings.Contains(all, text) && !strings.Contains(fmt.Sprint(found[text]), familyOf(key)) {
				found[text] = append(found[text], familyOf(key))
			}
		}
	}
	return found
}

// familyOf is what a key's name begins with.
func familyOf(key string) string {
	parts := strings.Split(strings.TrimPrefix(key, "{darkroom}:"), ":")
	if parts[0] == "poll" { // the queue of polls has the keys of the queue
		parts[0] = "q"
	}
	if parts[0] == "q" || parts[0] == "note" {
		return parts[0] + ":" + parts[1]
	}
	return parts[0]
}

// dump is the whole value of a key.
func (w *world) dump(rdb redis.UniversalClient, key string) string {
	w.t.Helper()
	ctx := w.t.Context()
	switch kind := rdb.Type(ctx, key).Val(); kind {
	case "hash":
		return fmt.Sprint(rdb.HGetAll(ctx, key).Val())
	case "list":
		return fmt.Sprint(rdb.LRange(ctx, key, 0, -1).Val())
	case "set":
		return fmt.Sprint(rdb.SMembers(ctx, key).Val())
	case "zset":
		return fmt.Sprint(rdb.ZRange(ctx, key, 0, -1).Val())
	case "stream":
		return fmt.Sprint(rdb.XRange(ctx, key, "-", "+").Val())
	default:
		return rdb.Get(ctx, key).Val()
	}
}
