package stories

import (
	"log/slog"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/person"
	"darkroom/store/queue"
	"darkroom/store/storetest"
)

// Outages heal when the story says so: what takes minutes elsewhere takes as long here as
// the app needs to notice.

// inTrouble is a world over a Redis that can fail, with #weddings as the operations channel.
func inTrouble(t *testing.T) (*world, *storetest.Server) {
	t.Helper()
	seated(t)
	redis := storetest.Start(t)
	w := openOver(t, redis.URL())
	w.Workspace.Invite("#weddings", "darkroom")
	w.restart("OPS_CHANNEL=" + w.Workspace.Channel("#weddings").ID)
	return w, redis
}

// ops waits until the operations channel has read these words, and requires that it read
// them once.
func (w *world) ops(words string) {
	w.t.Helper()
	count := func() (n int) {
		for _, m := range w.Workspace.Messages("#weddings") {
			if strings.Contains(m.Text, words) {
				n++
			}
		}
		return n
	}
	require.Eventually(w.t, func() bool { return count() > 0 }, patience, tick, "the operations channel reads %q", words)
	require.Equal(w.t, 1, count(), words)
}

// dead is `darkroom dead` with these arguments.
func (w *world) dead(args ...string) string {
	w.t.Helper()
	cmd := exec.CommandContext(w.t.Context(), binary, append([]string{"dead"}, args...)...)
	cmd.Env = []string{"REDIS_URL=" + w.redis}
	out, err := cmd.CombinedOutput()
	require.NoError(w.t, err, "%s", out)
	return string(out)
}

// writes fills in the form for a message and submits it.
func writes(who *person.T, text string) {
	who.Type("/order message")
	who.SeesModal("Message the editor")
	who.Fill("Message", text)
	who.Submit()
}

// read is what editors were sent, oldest first.
func (w *world) read() (texts []string) {
	for _, o := range w.Photos.Orders() {
		for _, m := range o.Messages {
			if m.From == "client" {
				texts = append(texts, m.Content)
			}
		}
	}
	return texts
}

// once requires that the editor read each of these, in this order, once.
func (w *world) once(texts ...string) {
	w.t.Helper()
	require.Eventually(w.t, func() bool { return len(w.read()) >= len(texts) }, patience, tick, "the editor reads %q", texts)
	require.Equal(w.t, texts, w.read())
}

func TestTheServiceIsAwayForAWhile(t *testing.T) {
	t.Parallel()
	w, _ := inTrouble(t)
	maria, ben := w.person("maria"), w.person("ben")
	order := w.place(maria, "Away")
	w.deliver(maria, order.ID)
	w.Photos.Down()
	w.ops("cannot be reached")

	maria.Type("/order message " + order.ID + " First.")
	maria.SeesDM("does not answer just now")
	writes(ben, "Second.")
	ben.Sees("does not answer just now") // though the first one stands in front of it
	ben.CloseModal()
	maria.PressOn("Ready for review", "Approve with feedback")
	maria.SeesModal("Approve order")
	maria.Submit()
	maria.Sees("Nothing was sent yet")
	w.fillOrder(ben, "Placed later")
	ben.Submit()
	ben.Sees("Your order waits")

	require.NoError(t, w.Photos.Up())
	maria.Sees("The order is closed")
	ben.Sees("Order placed")
	closeAll(maria)
	closeAll(ben)
	maria.SeesInThread("Away", "Approved by Maria")
	maria.SeesInThread("Placed later", "Placed")
	w.once("First.", "Second.")
	require.Equal(t, 1, w.called("Away").Approvals)
	require.Len(t, w.Photos.Orders(), 2)
	w.ops("service is back")
	w.ops("cannot be reached")
	require.Contains(t, w.dead(), "There are no dead letters")
}

func TestSlackIsAwayForAWhile(t *testing.T) {
	t.Parallel()
	w, _ := inTrouble(t)
	maria := w.person("maria")
	order := w.place(maria, "Mute")
	w.Workspace.Down()
	maria.Type("/order message " + order.ID + " Into silence.") // nobody tells whether she may: it waits
	require.NoError(t, w.Photos.Deliver(order.ID))
	const late = "Slack did not let me answer in time"
	for again := 0; again < 5 && w.countTold(late) == 0; again++ { // only the acknowledgement can say it, which waits a second
		maria.Type("/order list")
		w.quiet()
	}
	maria.SeesEphemeral(late) // a look does not wait
	require.Equal(t, 0, w.countInThread("Mute", "Ready for review"))
	require.Empty(t, w.read())

	w.Workspace.Up()
	maria.SeesEphemeral("Sent to the editor")
	maria.SeesInThread("Mute", "Ready for review")
	maria.SeesInThread("Mute", "Message sent")
	var events []string
	for _, m := range w.thread("Mute")[1:] {
		events = append(events, strings.Fields(strings.Trim(m.Text, "* "))[0])
	}
	require.Equal(t, []string{"Placed", "Ready", "Message"}, events, "in order, each once")
	require.Equal(t, []string{"Into silence."}, w.read())
	require.Contains(t, w.dead(), "There are no dead letters")
}

func TestRedisIsAwayForAWhile(t *testing.T) {
	t.Parallel()
	w, redis := inTrouble(t)
	maria, ben := w.person("maria"), w.person("ben")
	order := w.place(maria, "Forgetful")
	ben.Type("/order message " + order.ID)
	ben.SeesModal("Message the editor")
	ben.Fill("Message", "By form.")
	redis.Kill()
	maria.Type("/order message " + order.ID + " By line.")
	maria.SeesEphemeral("I could not confirm this. Submitting again is safe.")
	ben.Submit()
	ben.Sees("I could not confirm this. Submitting again is safe.")
	require.NoError(t, w.Photos.Deliver(order.ID))
	maria.Type("/order list")
	maria.SeesEphemeral("could not look that up just now") // a look waits for nothing
	w.ops("Redis does not answer")

	redis.Restart()
	w.ops("Redis answers again")
	maria.SeesInThread("Forgetful", "Ready for review")
	maria.Type("/order message " + order.ID + " By line.")
	w.once("By line.")
	ben.Submit()
	ben.Sees("Sent to the editor")
	w.once("By line.", "By form.")
	require.Equal(t, 1, w.countInThread("Forgetful", "Ready for review"))
	require.Equal(t, 1, w.countInThread("Forgetful", "Placed"))
	w.ops("Redis does not answer")
}

// A Redis that stands still has taken what was sent to it, and does it when it goes on:
// what nobody could confirm may have happened after all.
func TestRedisStandsStill(t *testing.T) {
	t.Parallel()
	w, redis := inTrouble(t)
	const confirm = "I could not confirm this. Submitting again is safe."
	maria, ben, olga := w.person("maria"), w.person("ben"), w.person("olga")
	order := w.place(maria, "Still")
	w.deliver(maria, order.ID)
	ben.Type("/order message " + order.ID)
	ben.SeesModal("Message the editor")
	ben.Fill("Message", "By form.")
	w.fillOrder(olga, "Placed once")

	redis.Freeze()
	maria.Type("/order message " + order.ID + " By line.") // answered within Slack's three seconds, or Slack would say so
	maria.SeesEphemeral(confirm)
	ben.Submit()
	ben.Sees(confirm)
	olga.Submit()
	olga.Sees(confirm)
	before := w.countTold(confirm)
	maria.PressOn("Ready for review", "Approve with feedback")
	maria.SeesModal("Approve order")
	maria.Sees("could not look that up just now") // nothing waits for it
	maria.CloseModal()
	require.Equal(t, before, w.countTold(confirm), "there was nothing to confirm")
	redis.Thaw()

	maria.Type("/order message " + order.ID + " By line.")
	require.Eventually(t, func() bool { return slices.Contains(w.read(), "By line.") }, patience, tick)
	ben.Submit()
	ben.Sees("Sent to the editor")
	if olga.Person().Sees("Order placed") != nil { // Redis may have taken her form, too: then she need not send it again
		olga.Submit()
		olga.Sees("Order placed")
	}
	closeAll(olga)
	olga.SeesInThread("Placed once", "Placed")
	closeAll(maria)
	approveOn(maria, "Ready for review", "Still")
	w.quiet()
	require.ElementsMatch(t, []string{"By line.", "By form."}, w.read(), "each once")
	require.Len(t, w.Photos.Orders(), 2)
	require.Equal(t, 1, w.countCards("Placed once"))
	require.Equal(t, 1, w.called("Still").Approvals)
}

// countTold is how often maria was told something alone.
func (w *world) countTold(words string) (n int) {
	for _, m := range w.Workspace.Ephemerals("maria") {
		if strings.Contains(m.Text, words) {
			n++
		}
	}
	return n
}

func TestAJobThatCannotSucceedIsKeptAndTold(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.Workspace.Invite("#weddings", "darkroom")
	w.restart("OPS_CHANNEL=" + w.Workspace.Channel("#weddings").ID)
	maria := w.person("maria")
	rdb := asOperator(t, w.redis)
	q := queue.New(rdb, queue.Options{Logger: slog.New(slog.DiscardHandler)})
	put := func(id string) {
		t.Helper()
		body := `{"order":["nowhere"],"user":"` + w.Workspace.User("maria").ID + `"}` // of no release of ours
		_, err := q.Put(t.Context(), queue.Job{ID: id, Lane: "order:nowhere", Kind: "approve", Body: []byte(body)})
		require.NoError(t, err)
	}
	put("of another release")
	maria.Goto("@darkroom")
	maria.SeesDM("and have stopped trying. Nothing was sent to the photo service.")
	w.ops("`darkroom dead show ")
	list := w.dead()
	mark := regexp.MustCompile(`(?m)^[0-9A-F]{6}\b`).FindString(list)
	require.NotEmpty(t, mark, list)
	maria.SeesDM("(approving an order)")
	maria.SeesDM(mark)
	require.Contains(t, list, "cannot unmarshal", "the reason")

	require.Contains(t, w.dead("retry", mark), "is tried again")
	require.Eventually(t, func() bool { return strings.Contains(w.dead(), mark) }, patience, tick, "it fails again")
	require.Contains(t, w.dead("discard", mark), "is forgotten")
	require.Contains(t, w.dead(), "There are no dead letters")
	put("of another release") // what was discarded stays known
	w.quiet()
	require.Contains(t, w.dead(), "There are no dead letters")
}
