package jobs_test

import (
	"context"
	"encoding/json"
	"flag"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"darkroom/cards"
	"darkroom/cards/change"
	"darkroom/commands/commandstest"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store/queue"
)

// These tests check what approve, revise and cancel share, with revise. It is not safe to repeat: a second request would
// be a second revision.

func intent(r *commandstest.Rig) *order.Intent {
	r.T.Helper()
	t, err := r.Store.Orders.Order(r.T.Context(), "order1")
	require.NoError(r.T, err)
	return t.Intent
}

func TestChangesOfUnknownOutcome(t *testing.T) {
	for name, answers := range map[string]func(r *commandstest.Rig) []commandstest.ServiceAnswer{
		"that were requested are not requested again": func(*commandstest.Rig) []commandstest.ServiceAnswer {
			return []commandstest.ServiceAnswer{commandstest.Lost}
		},
		"that were not are requested again": func(*commandstest.Rig) []commandstest.ServiceAnswer {
			return []commandstest.ServiceAnswer{commandstest.Never}
		},
		"that arrive while they are requested again": func(*commandstest.Rig) []commandstest.ServiceAnswer {
			return []commandstest.ServiceAnswer{commandstest.Never, overtaken}
		},
		"however often": func(*commandstest.Rig) []commandstest.ServiceAnswer {
			return []commandstest.ServiceAnswer{commandstest.Never, commandstest.Unsent, commandstest.Lost}
		},
		"that a fast editor has answered in between": func(r *commandstest.Rig) []commandstest.ServiceAnswer { return []commandstest.ServiceAnswer{r.Fast} },
		"that arrive late and are answered in between": func(r *commandstest.Rig) []commandstest.ServiceAnswer {
			return []commandstest.ServiceAnswer{commandstest.Never, r.Fast}
		},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				id := r.Delivers(1)
				r.Service.NextRevise = answers(r)
				window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
				r.Sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
				r.Settle(3 * time.Minute)
				require.Len(r.T, r.Asked(), 1)
				require.Contains(r.T, r.Shows(window), "Changes requested")
				require.Len(r.T, r.Events(order.EventChanges), 1)
				require.Equal(r.T, "maria", r.Events(order.EventChanges)[0].Actor)
				require.Nil(r.T, intent(r))
			})
		})
	}
}

// A slow service may carry out a request after its deadline, and a fast editor may deliver before the next. Another
// request would be a second round of the same changes.
func TestChangesThatArriveAfterTheirDeadlineAreNotRequestedTwice(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		r.Service.NextRevise = []commandstest.ServiceAnswer{func(do func() order.Order) (order.Order, error) {
			go func() {
				<-time.After(r.Service.Timeout() + 2*time.Second)
				r.Service.Set(func(*commandstest.Service) { _, _ = r.Fast(do) })
			}()
			return order.Order{}, commandstest.ErrUnknown
		}}
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.Sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
		r.Settle(3 * time.Minute)
		require.Len(r.T, r.Asked(), 1)
		require.Contains(r.T, r.Shows(window), "Changes requested")
		require.Equal(r.T, "maria", r.Events(order.EventChanges)[0].Actor)
	})
}

func TestAChangeThatIsRefusedInTheEndKeepsItsWords(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		r.Service.NextRevise = []commandstest.ServiceAnswer{commandstest.Never, commandstest.Refused("invalid order status")}
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.Sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
		r.Settle(time.Minute)
		require.Contains(r.T, r.Shows(window), "invalid order status")
		require.Contains(r.T, r.Shows(window), "Brighter")
		require.Nil(r.T, intent(r))
		r.Sends("maria", window, nil)
		require.Equal(r.T, []map[string][]string{{"i1": {"Brighter"}}}, r.Asked())
	})
}

func TestAChangeIsGivenUpWithItsWords(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		for range jobs.MaxSends {
			r.Service.NextRevise = append(r.Service.NextRevise, commandstest.Never)
		}
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.Sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
		r.Settle(5 * time.Minute)
		require.Empty(r.T, r.Asked())
		require.Contains(r.T, r.Shows(window), "do not know yet")
		require.Contains(r.T, r.Shows(window), "Brighter")
	})
}

// revising makes a delivery of the job with maria's changes.
func revising(r *commandstest.Rig, id string) *queue.Delivery {
	body, err := json.Marshal(jobs.ChangeArgs{
		Asker: answers.Asker{Team: "T1", User: "maria", View: "revise:w", At: time.Now()}, Order: id,
		Changes: change.Changes{Each: []change.ImageText{{ID: "i1", Name: "1.jpg", Words: "Brighter"}}},
	})
	require.NoError(r.T, err)
	return &queue.Delivery{Job: queue.Job{ID: "job", Kind: job.Revise, Body: body}, First: true}
}

func TestAKilledAppFindsTheChangesItHadRequested(t *testing.T) {
	for name, editor := range map[string]bool{"while they are made": false, "when they are made already": true} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				id := r.Delivers(1)
				ctx, kill := context.WithCancel(r.T.Context())
				r.Service.NextRevise = []commandstest.ServiceAnswer{func(do func() order.Order) (order.Order, error) {
					defer kill()
					if editor {
						return r.Fast(do)
					}
					return commandstest.Lost(do)
				}}
				d := revising(r, id)
				require.ErrorIs(r.T, r.Doing(job.Revise)(ctx, d), context.Canceled)
				d.First = false
				require.NoError(r.T, r.Doing(job.Revise)(r.T.Context(), d))
				require.Len(r.T, r.Asked(), 1)
				require.Contains(r.T, r.Shows("revise:w"), "Changes requested")
				require.Len(r.T, r.Events(order.EventChanges), 1)
				require.Equal(r.T, "maria", r.Events(order.EventChanges)[0].Actor)
			})
		})
	}
}

func TestARefusalIsToldAgainAfterACrash(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		r.Service.NextRevise = []commandstest.ServiceAnswer{commandstest.Refused("the account is locked")}
		d := revising(r, id)
		require.NoError(r.T, r.Doing(job.Revise)(r.T.Context(), d))
		r.Screen.Modals = nil
		r.Service.Set(func(f *commandstest.Service) { f.Down = true })
		require.NoError(r.T, r.Doing(job.Revise)(r.T.Context(), d), "the answer needs no service")
		require.Contains(r.T, r.Shows("revise:w"), "the account is locked")
		require.Empty(r.T, r.Asked())
	})
}

func TestASubmissionIsAppliedAtMostOnceWhateverFails(t *testing.T) {
	checks := flag.Lookup("rapid.checks")
	before := checks.Value.String()
	require.NoError(t, checks.Value.Set("25"))
	defer func() { require.NoError(t, checks.Value.Set(before)) }()
	rapid.Check(t, func(rt *rapid.T) {
		faults := rapid.SliceOfN(rapid.SampledFrom([]string{"lost", "never", "unsent", "fast", "refused", "status", "overtaken", "killed"}), 0, 7).Draw(rt, "faults")
		var asked, mine int
		var says string
		commandstest.Bubble(t, func(r *commandstest.Rig) {
			id := r.Delivers(1)
			kill := func() {}
			out := false // a request is on its way and may still arrive
			kinds := map[string]commandstest.ServiceAnswer{
				"lost": commandstest.Lost, "unsent": commandstest.Unsent, "fast": r.Fast,
				"refused": commandstest.Refused("the account is locked"), "status": commandstest.Refused("invalid order status"),
				"never": func(do func() order.Order) (order.Order, error) {
					out = true
					return commandstest.Never(do)
				},
				"overtaken": func(do func() order.Order) (order.Order, error) {
					if out {
						do()
					}
					return commandstest.Refused("invalid order status")(do)
				},
				"killed": func(do func() order.Order) (order.Order, error) {
					kill()
					return r.Fast(do)
				},
			}
			for _, fault := range faults {
				r.Service.NextRevise = append(r.Service.NextRevise, kinds[fault])
			}
			d := revising(r, id)
			for range 30 {
				ctx, cancel := context.WithCancel(r.T.Context())
				kill = cancel
				err := r.Doing(job.Revise)(ctx, d)
				cancel()
				if err == nil {
					break
				}
				r.Settle(time.Minute) // the queue brings it again when the wait is over
			}
			asked, mine, says = len(r.Asked()), len(r.Events(order.EventChanges)), r.Shows("revise:w")
		})
		require.LessOrEqual(rt, asked, 1)
		require.Equal(rt, asked, mine)
		if asked == 1 {
			require.Contains(rt, says, "Changes requested")
		} else {
			require.Contains(rt, says, "Brighter", "her words")
		}
	})
}

func TestAnAnswerThatThePollerSawFirstIsAttributedOnce(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		r.Service.NextRevise = []commandstest.ServiceAnswer{func(do func() order.Order) (order.Order, error) {
			order := do()
			r.Service.Unlock()
			r.Record()
			r.Service.Lock()
			return order, nil
		}}
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.Sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
		require.Len(r.T, r.Events(order.EventChanges), 1)
		require.Equal(r.T, "maria", r.Events(order.EventChanges)[0].Actor)
		require.Equal(r.T, map[string][]string{"i1": {"Brighter"}}, r.Events(order.EventChanges)[0].PerImage)
		require.Contains(r.T, r.Shows(window), "Changes requested")
	})
}

func TestADoubleSubmissionIsOneRequest(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		view := r.FilledIn(window, map[string]string{"1 · 1.jpg": "Brighter"})
		r.SendsAs("V1:hash", "maria", view)
		r.Service.Edit(id, func(o *order.Order) { o.Status = order.StatusReviewing }) // nothing but the identity stops it now
		r.Record()
		r.SendsAs("V1:hash", "maria", view)
		require.Len(r.T, r.Asked(), 1)
	})
}

func TestADeadServiceUsesUpNobodysAttempts(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.Service.Set(func(f *commandstest.Service) { f.Down = true })
		r.Sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
		r.Settle(20 * time.Minute)
		require.Contains(r.T, r.Shows(window), "Nothing was sent yet")
		require.Nil(r.T, intent(r))
		r.Service.Set(func(f *commandstest.Service) { f.Down = false })
		r.Settle(2 * time.Minute)
		require.Len(r.T, r.Asked(), 1)
		require.Contains(r.T, r.Shows(window), "Changes requested")
		require.Empty(r.T, r.Screen.DMs, "nobody was told that it died")
	})
}

func TestWhoHasLeftTheChannelChangesNothing(t *testing.T) {
	for _, action := range []string{cards.ActionApprove, cards.ActionRevise} {
		t.Run(action, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				id := r.Delivers(1)
				window := r.Opens("maria", action, cards.Value(id, 0))
				r.Screen.Out = map[string]bool{"maria": true}
				words := map[string]string{"1 · 1.jpg": "Brighter"}
				if action == cards.ActionApprove {
					words = map[string]string{"Feedback": "Brighter"}
				}
				r.Sends("maria", window, words)
				require.Contains(r.T, r.Shows(window), "There is no order")
				require.Contains(r.T, r.Shows(window), "Brighter", "her words")
				require.NotContains(r.T, r.Shows(window), "Smith", "and nothing of the order")
				require.Empty(r.T, r.Asked())
				require.Empty(r.T, r.Events(order.EventApproved))
			})
		})
	}
}

func TestAnApprovalOfTheReleaseBeforeIsUnderstood(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		body := json.RawMessage(`{"order":"` + id + `","revision":0,"feedback":"Lovely","team":"T1","user":"maria","view":"approve:w","at":"2026-11-20T09:30:00Z"}`)
		_, err := r.Queue.Put(r.T.Context(), queue.Job{ID: "old", Lane: "order:" + id, Kind: job.Approve, Body: body})
		require.NoError(r.T, err)
		r.Settle(time.Second)
		require.Len(r.T, r.Events(order.EventApproved), 1)
		require.Equal(r.T, []string{"Lovely"}, r.Events(order.EventApproved)[0].Words)
	})
}
