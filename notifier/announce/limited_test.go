package announce_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
	"darkroom/notifier/announce"
	"darkroom/order"
	"darkroom/sandbox/workspace"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/storetest"
)

// limitedTests are the tests with limited reading, each with its Redis: see [slacks].
var limitedTests sync.Map

// slacks runs a test with unlimited reading, and with one reading call a minute and 15 messages a page.
// The second runs in a bubble, where minutes cost nothing.
func slacks(t *testing.T, name string, f func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		f(t)
	})
	t.Run(name+", reading is limited", func(t *testing.T) {
		t.Parallel()
		limited(t, func(t *testing.T) {
			t.Helper()
			r := newRig(t, workspace.Options{})
			for _, method := range []string{"conversations.history", "conversations.replies"} {
				_, err := r.readTurns().Limit(t.Context(), method, 5*time.Minute) // there is no turn yet
				require.NoError(t, err)
			}
			f(t)
		})
	})
}

func limited(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	storetest.Bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		limitedTests.Store(t, rdb)
		defer limitedTests.Delete(t)
		f(t)
	})
}

// direct calls the workspace without a network, which would stop a bubble's clock.
type direct struct{ w *workspace.Workspace }

func (d direct) RoundTrip(r *http.Request) (resp *http.Response, err error) {
	defer func() {
		if thrown := recover(); thrown != nil { // so a handler breaks its connection
			resp, err = nil, errors.New("connection reset")
		}
	}()
	answer := httptest.NewRecorder()
	d.w.ServeHTTP(answer, r)
	return answer.Result(), nil
}

// finishesInTime delivers a job and its successors when they are due, each time on another replica.
func (r *rig) finishesInTime(t *testing.T, d *queue.Delivery) {
	t.Helper()
	for range 200 {
		err := handler(announce.New(r.config), d.Kind)(t.Context(), d)
		r.freshClient(t)
		if err != nil {
			<-time.After(waits(t, err))
			continue
		}
		at := slices.IndexFunc(r.put.jobs, func(j queue.Job) bool { return j.ID == d.ID+":read" })
		if at < 0 {
			return
		}
		require.NotEqual(t, d.Lane, r.put.jobs[at].Lane, "the channel's lane goes on")
		<-time.After(r.put.delays[at])
		d.Job, d.State = r.put.jobs[at], nil
		r.put.jobs = slices.Delete(r.put.jobs, at, at+1)
		r.put.delays = slices.Delete(r.put.delays, at, at+1)
	}
	require.Fail(t, "it never ends")
}

// settles lets the announcer do all jobs of the queue.
func (r *rig) settles(t *testing.T) {
	t.Helper()
	a := announce.New(r.config)
	r.serve(t, func(ctx context.Context, d *queue.Delivery) error {
		return handler(a, d.Kind)(ctx, d)
	}, func() {
		for range 600 {
			stats, err := r.queue.Inspector().Stats(t.Context())
			require.NoError(t, err)
			if stats.Lanes == 0 && stats.Delayed == 0 {
				require.Zero(t, stats.Dead)
				return
			}
			<-time.After(10 * time.Second)
		}
		require.Fail(t, "there is always something left")
	})
}

// readAtMost requires that each reading method was called at most once a minute, except for the given
// number of refused calls.
func (r *rig) readAtMost(t *testing.T, refused int) (reads int) {
	t.Helper()
	taken := map[string]time.Time{}
	for _, c := range r.w.Requests() {
		if c.Method != "conversations.history" && c.Method != "conversations.replies" {
			continue
		}
		if c.Status == http.StatusTooManyRequests {
			refused--
			continue
		}
		reads++
		if before, any := taken[c.Method]; any {
			require.GreaterOrEqual(t, c.At.Sub(before), time.Minute)
		}
		taken[c.Method] = c.At
	}
	require.GreaterOrEqual(t, refused, 0, "calls that slack refused")
	return reads
}

func TestWhereReadingIsLimitedEachMessageIsOutOnceAndInOrder(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"500 before", "500 after", "reset before", "reset after", "ratelimited"} {
		fault := faults[name]
		for position := range 3 { // the card, the first reply, the second
			t.Run(fmt.Sprintf("%s at %d", name, position), func(t *testing.T) {
				t.Parallel()
				limited(t, func(t *testing.T) {
					t.Helper()
					r := newRig(t, workspace.Options{})
					r.place(t, shoots)
					r.happens(t, order.StatusReviewing, 0)
					r.w.Misbehave("chat.postMessage", workspace.Fault{}, position)
					r.w.Misbehave("chat.postMessage", fault, 2)
					r.settles(t)
					require.Equal(t, []string{"card", "placed", "ready:r0"}, r.thread(t, shoots))
					require.Equal(t, []string{"card", "ready:r0"}, r.channelOnly(shoots))
					r.readAtMost(t, 2)
				})
			})
		}
	}
}

// tenChannels is a workspace with ten channels and an order in each.
func tenChannels(t *testing.T, o workspace.Options) (r *rig, channels []string) {
	t.Helper()
	for i := range 10 {
		channels = append(channels, fmt.Sprintf("C0MANY%02d", i))
		o.Channels = append(o.Channels, workspace.Channel{ID: channels[i], Name: fmt.Sprintf("many%02d", i), Members: []string{"maria", "darkroom"}})
	}
	r = newRig(t, o)
	for i, channel := range channels {
		r.placeOrder(t, fmt.Sprintf("o%02d", i), channel)
	}
	return r, channels
}

// told returns the events that a channel shows in all its threads.
func (r *rig) toldIn(channel string) (events []string) {
	for _, m := range r.w.Messages(channel) {
		for _, reply := range r.w.Thread(channel, m.TS) {
			events = append(events, eventOf(reply))
		}
	}
	return events
}

func TestTenLostAnswersAtOnceAreLookedForOneEachMinute(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault   workspace.Fault
		refused int // calls: nobody knows of the limit before the first of them
	}{
		"all are out, and the limit is met on the way": {workspace.Error500After, 10},
		"none is, and the limit is known":              {workspace.Error500, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limited(t, func(t *testing.T) {
				t.Helper()
				r, channels := tenChannels(t, workspace.Options{})
				if test.refused == 0 {
					_, err := r.readTurns().Limit(t.Context(), "conversations.history", 0)
					require.NoError(t, err)
				}
				r.w.Misbehave("chat.postMessage", test.fault, len(channels))
				began := time.Now()
				r.settles(t)
				for _, channel := range channels {
					require.Equal(t, []string{"card", "placed"}, r.toldIn(channel))
				}
				require.Equal(t, 20, r.readAtMost(t, test.refused), "each is looked for once, and later for a double of it")
				require.Less(t, time.Since(began), 23*time.Minute)
			})
		})
	}
}

// A message is found behind hundreds of others, or known not to exist.
func TestInABusyChannelALostAnswerIsFoundAMinuteAPage(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]workspace.Fault{"it is out": workspace.Error500After, "it is not": workspace.Error500} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limited(t, func(t *testing.T) {
				t.Helper()
				r := newRig(t, workspace.Options{})
				r.place(t, shoots)
				var once sync.Once
				slack := r.slack
				r.config.Slack = &hearing{Slack: slack, sent: func(channel string) {
					once.Do(func() {
						for range 70 {
							_, err := slack.Post(t.Context(), client.Post{Channel: channel, Text: "somebody talks"})
							require.NoError(t, err)
						}
					})
				}}
				r.w.Misbehave("chat.postMessage", fault, 1)
				r.settles(t)
				require.Equal(t, []string{"card", "placed"}, r.thread(t, shoots))
				cards := slices.DeleteFunc(r.channelOnly(shoots), func(event string) bool { return event != "card" })
				require.Len(t, cards, 1)
				require.Greater(t, r.readAtMost(t, 1), 8, "of what stands there nothing is left out")
			})
		})
	}
}

// A job that waits for its slot to read delays neither other orders of the channel nor other channels.
func TestWhileALookWaitsForItsTurnTheChannelIsToldOfOtherOrders(t *testing.T) {
	t.Parallel()
	limited(t, func(t *testing.T) {
		t.Helper()
		r := newRig(t, workspace.Options{})
		_, err := r.readTurns().Limit(t.Context(), "conversations.history", 30*time.Minute)
		require.NoError(t, err)
		r.w.Misbehave("chat.postMessage", workspace.Error500After, 1)
		r.placeOrder(t, "first", shoots)
		began := time.Now()
		a := announce.New(r.config)
		r.serve(t, func(ctx context.Context, d *queue.Delivery) error { return handler(a, d.Kind)(ctx, d) }, func() {
			<-time.After(time.Minute)
			r.placeOrder(t, "second", shoots)
			<-time.After(time.Minute)
			require.Equal(t, []string{"card", "card", "placed"}, r.toldIn(shoots), "the second whole, the first as far as is known")
			_, _, err := r.Changes.Record(t.Context(), "first", 1, order.Order{ID: "first", Status: order.StatusReviewing, Revision: new(int)})
			require.NoError(t, err)
			<-time.After(time.Until(began.Add(35 * time.Minute)))
			require.ElementsMatch(t, []string{"card", "placed", "ready:r0", "card", "placed"}, r.toldIn(shoots)[:5])
		})
	})
}

// If an event confirms a message, nothing is read.
func TestWhatAnEventToldOfIsNotLookedFor(t *testing.T) {
	t.Parallel()
	for position, name := range []string{"the card", "a reply", "a review"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limited(t, func(t *testing.T) {
				t.Helper()
				r := newRig(t, workspace.Options{})
				for _, method := range []string{"conversations.history", "conversations.replies"} {
					_, err := r.readTurns().Limit(t.Context(), method, time.Hour)
					require.NoError(t, err)
				}
				r.place(t, shoots)
				r.happens(t, order.StatusReviewing, 0, order.EditedImage{ID: "i1", Name: "beach.jpg"})
				r.w.Misbehave("chat.postMessage", workspace.Fault{}, position)
				r.w.Misbehave("chat.postMessage", workspace.Error500After, 1)
				r.hearsOfEachPost(t)
				r.settles(t)
				require.Equal(t, []string{"card", "placed", "ready:r0"}, r.thread(t, shoots))
				require.Equal(t, []string{"card", "ready:r0"}, r.channelOnly(shoots))
				require.Equal(t, 2, buttons(r.reply(t, shoots, "ready:r0")), "it can be approved")
				require.Zero(t, r.readAtMost(t, 0))
				r.happens(t, order.StatusClosed, 0)
				r.settles(t)
				require.Zero(t, buttons(r.reply(t, shoots, "ready:r0")))
			})
		})
	}
}

// hearsOfEachPost records each message as soon as it is posted, as Slack's events would.
func (r *rig) hearsOfEachPost(t *testing.T) {
	t.Helper()
	r.config.Slack = &hearing{Slack: r.config.Slack, sent: func(channel string) {
		for _, m := range r.w.Messages(channel) {
			for _, reply := range r.w.Thread(channel, m.TS) {
				metadata, err := json.Marshal(reply.Metadata)
				require.NoError(t, err)
				require.NoError(t, r.OwnPosts.NoteOwnPost(t.Context(), channel, store.OwnPost{TS: reply.TS, Metadata: metadata}))
			}
		}
	}}
}

// hearing is a Slack whose events arrive at once.
type hearing struct {
	announce.Slack
	sent func(channel string)
}

func (h *hearing) Post(ctx context.Context, p client.Post) (string, error) {
	ts, err := h.Slack.Post(ctx, p)
	h.sent(p.Channel)
	return ts, err
}
