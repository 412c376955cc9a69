package jobs_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/commands/commandstest"
	"darkroom/jobs/job"
)

// forms are submitted for an order while another of its jobs waits.
var behindForms = map[string]struct {
	fill func(r *commandstest.Rig) bot.Request
	says string // while it waits
	done string
}{
	"message": {
		func(r *commandstest.Rig) bot.Request {
			return r.Submission("message order1", map[string]string{"Message": "Second"})
		},
		"I send your message", "Sent to the editor",
	},
	"reference": {
		func(r *commandstest.Rig) bot.Request {
			return r.Submission("reference order1", map[string]string{"Photo links": "https://e.com/a.jpg"})
		},
		"I add your reference photos", "1 reference photo",
	},
	"approve": {
		func(r *commandstest.Rig) bot.Request { return r.Submission("approve order1", nil) },
		"I approve", ":white_check_mark: Approved",
	},
	"revise": {
		func(r *commandstest.Rig) bot.Request {
			return r.Submission("revise order1", map[string]string{"1 · 1.jpg": "Brighter"})
		},
		"I request your changes", ":white_check_mark: Changes requested",
	},
}

// Only the first job of a lane calls the service. The persons of the jobs behind it must not look at "Sending…" for a
// whole outage.
func TestWhoStandsBehindAJobThatWaitsIsToldSo(t *testing.T) {
	t.Parallel()
	for name, form := range behindForms {
		for when, pause := range map[string]time.Duration{"was there before": 0, "comes while it waits": 10 * time.Second} {
			t.Run(name+" "+when, func(t *testing.T) {
				commandstest.Bubble(t, func(r *commandstest.Rig) {
					id := r.Delivers(1)
					q := form.fill(r)
					r.Service.Set(func(f *commandstest.Service) { f.Down = true })
					_, err := r.Handle(r.T.Context(), r.TypedAs("message", id+" First"))
					require.NoError(r.T, err)
					<-time.After(100*time.Millisecond + pause)
					reply, err := r.Handle(r.T.Context(), q)
					require.NoError(r.T, err)
					if pause > 0 {
						require.Contains(r.T, commandstest.Text(reply.Body), form.says, "at once")
					}
					r.Screen.Acks(q.View.ExternalID, reply)
					r.Settle(20 * time.Second)
					require.Contains(r.T, r.Shows(q.View.ExternalID), form.says)
					require.Equal(r.T, 1, told(r, "does not answer just now", "First"), "the first is told once")

					r.Service.Set(func(f *commandstest.Service) { f.Down = false })
					r.Settle(3 * time.Minute)
					require.Contains(r.T, r.Shows(q.View.ExternalID), form.done)
					require.Equal(r.T, "First", r.Conversation()[0], "in order")
					require.NotContains(r.T, strings.Join(r.Screen.DMs, ""), "stopped trying")
				})
			})
		}
	}
}

func TestALineAndAMentionBehindAJobThatWaitsAreToldOnce(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InThread()
		r.Service.Set(func(f *commandstest.Service) { f.Down = true })
		r.Types("message order1 First")
		r.Types("message order1 Second")
		r.Hears(r.Event("app_mention", map[string]any{"text": "<@UDARKROOM> Third"}))
		r.Settle(10 * time.Minute)
		for _, words := range []string{"First", "Second", "Third"} {
			require.Equal(r.T, 1, told(r, "does not answer just now", words), words)
		}
		r.Service.Set(func(f *commandstest.Service) { f.Down = false })
		r.Settle(3 * time.Minute)
		require.Equal(r.T, []string{"First", "Second", "Third"}, r.Conversation())
		for _, words := range []string{"First", "Second", "Third"} {
			require.Equal(r.T, 1, told(r, "does not answer just now", words), words)
		}
	})
}

// With a service that hangs, the order counts as waiting during the whole of each try.
func TestAnOrderCountsAsWaitingForAsLongAsATryMayTake(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Service.FetchDelay = 150 * time.Second // four reads of thirty seconds, with what is between them
		id := r.Delivers(1)
		approval := r.Submission("approve "+id, nil)
		r.Service.Set(func(f *commandstest.Service) { f.Down = true })
		_, err := r.Handle(r.T.Context(), approval)
		require.NoError(r.T, err)
		<-time.After(10 * time.Minute)
		for range 60 {
			<-time.After(15 * time.Second)
			require.NotEmpty(r.T, r.Stored(id).Waiting(time.Now()))
			require.NoError(r.T, r.Store.Documents.Get(r.T.Context(), job.WaitDoc(id), new(bool)))
		}
	})
}

// told counts the messages with all these words.
func told(r *commandstest.Rig, words ...string) int {
	r.Screen.Lock()
	defer r.Screen.Unlock()
	n := 0
	for _, m := range r.Screen.Messages {
		if commandstest.ContainsAll(m, words...) {
			n++
		}
	}
	return n
}

func TestAnOrderThatIsMovedBehindAJobThatWaitsFollowsIt(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order1", "C1", "maria", nil)
		opened := r.Does(bot.Request{Name: cards.ActionMove, Value: cards.Value("order1", 0)})
		require.Contains(r.T, opened, "Move to")
		window := r.Screen.Last()
		r.Service.Set(func(f *commandstest.Service) { f.Down = true })
		r.Types("message order1 First")
		r.Settle(5 * time.Second)
		require.Contains(r.T, r.Moves("maria", "CPUBLIC", false), "The order moves right after it")
		require.Equal(r.T, "C1", r.Stored("order1").Owner.Channel)
		r.Service.Set(func(f *commandstest.Service) { f.Down = false })
		r.Settle(2 * time.Minute)
		require.Equal(r.T, "CPUBLIC", r.Stored("order1").Owner.Channel)
		require.Contains(r.T, commandstest.Readable(r.Shows(window)), "is in <#CPUBLIC> now")
	})
}
