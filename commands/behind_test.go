package commands

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
)

// forms that ask for something of an order, as they are submitted while another waits.
var behindForms = map[string]struct {
	fill func(r *rig) bot.Request
	says string // while it waits
	done string
}{
	"message": {
		func(r *rig) bot.Request {
			return r.submission("message order1", map[string]string{"Message": "Second"})
		},
		"I send your message", "Sent to the editor",
	},
	"reference": {
		func(r *rig) bot.Request {
			return r.submission("reference order1", map[string]string{"Image URLs": "https://e.com/a.jpg"})
		},
		"I add your reference images", "1 reference image",
	},
	"approve": {
		func(r *rig) bot.Request { return r.submission("approve order1", nil) },
		"I approve", ":white_check_mark: Approved",
	},
	"revise": {
		func(r *rig) bot.Request {
			return r.submission("revise order1", map[string]string{"1 · 1.jpg": "Brighter"})
		},
		"I request your changes", ":white_check_mark: Changes requested",
	},
}

// Only the job in front talks to the service; whoever stands behind it in the order's lane
// must not look at "Sending…" for as long as the service is away.
func TestWhoStandsBehindAJobThatWaitsIsToldSo(t *testing.T) {
	t.Parallel()
	for name, form := range behindForms {
		for when, pause := range map[string]time.Duration{"was there before": 0, "comes while it waits": 10 * time.Second} {
			t.Run(name+" "+when, func(t *testing.T) {
				bubble(t, func(r *rig) {
					id := r.delivers(1)
					q := form.fill(r)
					r.service.set(func(f *forgetful) { f.down = true })
					_, err := r.handle(r.t.Context(), r.typedAs("message", id+" First"))
					require.NoError(r.t, err)
					<-time.After(100*time.Millisecond + pause)
					reply, err := r.handle(r.t.Context(), q)
					require.NoError(r.t, err)
					if pause > 0 {
						require.Contains(r.t, text(reply.Body), form.says, "at once")
					}
					r.screen.acks(q.View.ExternalID, reply)
					r.settle(20 * time.Second)
					require.Contains(r.t, r.shows(q.View.ExternalID), form.says)
					require.Equal(r.t, 1, told(r, "does not answer just now", "First"), "the first is told once")

					r.service.set(func(f *forgetful) { f.down = false })
					r.settle(3 * time.Minute)
					require.Contains(r.t, r.shows(q.View.ExternalID), form.done)
					require.Equal(r.t, "First", r.conversation()[0], "in order")
					require.Empty(r.t, r.screen.dms, "nobody was told that it died")
				})
			})
		}
	}
}

func TestALineAndAMentionBehindAJobThatWaitsAreToldOnce(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inThread()
		r.service.set(func(f *forgetful) { f.down = true })
		r.types("message order1 First")
		r.types("message order1 Second")
		r.hears(r.event("app_mention", map[string]any{"text": "<@UDARKROOM> Third"}))
		r.settle(10 * time.Minute)
		for _, words := range []string{"First", "Second", "Third"} {
			require.Equal(r.t, 1, told(r, "does not answer just now", words), words)
		}
		r.service.set(func(f *forgetful) { f.down = false })
		r.settle(3 * time.Minute)
		require.Equal(r.t, []string{"First", "Second", "Third"}, r.conversation())
		for _, words := range []string{"First", "Second", "Third"} {
			require.Equal(r.t, 1, told(r, "does not answer just now", words), words)
		}
	})
}

// told is how many messages hold all these words.
func told(r *rig, words ...string) int {
	r.screen.Lock()
	defer r.screen.Unlock()
	n := 0
	for _, m := range r.screen.told {
		if containsAll(m, words...) {
			n++
		}
	}
	return n
}

// acks paints what a submission was acknowledged with.
func (s *screen) acks(window string, reply bot.Reply) {
	s.Lock()
	defer s.Unlock()
	s.shown[window] = text(reply.Body)
}

func TestAnOrderThatIsMovedBehindAJobThatWaitsFollowsIt(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.owns("order1", "C1", "maria", nil)
		opened := r.does(bot.Request{Name: cards.ActionMove, Value: cards.Value("order1", 0)})
		require.Contains(r.t, opened, "Move to")
		window := r.screen.last()
		r.service.set(func(f *forgetful) { f.down = true })
		r.types("message order1 First")
		r.settle(5 * time.Second)
		require.Contains(r.t, r.moves("maria", "CPUBLIC", false), "The order moves right after it")
		require.Equal(r.t, "C1", r.stored("order1").Owner.Channel)
		r.service.set(func(f *forgetful) { f.down = false })
		r.settle(2 * time.Minute)
		require.Equal(r.t, "CPUBLIC", r.stored("order1").Owner.Channel)
		require.Contains(r.t, readable(r.shows(window)), "is in <#CPUBLIC> now")
	})
}
