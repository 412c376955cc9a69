package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// A service may say no and do it all the same: the next attempt finds the order.
func TestAnAttemptAfterARefusalLooksBeforeItSends(t *testing.T) {
	bubble(t, func(r *rig) {
		r.service.nextCreate = append(r.service.nextCreate, func(do func() order.Order) (order.Order, error) {
			do()
			return order.Order{}, &order.Error{Op: "create", Messages: []string{"insufficient balance: 2 credits"}}
		})
		r.types("new")
		r.submits()
		require.Contains(r.t, r.screen.modal(), "insufficient balance")
		r.submits()
		require.Contains(r.t, r.screen.modal(), "Order placed")
		require.Len(r.t, r.service.orders, 1)
	})
}

// On an account with more orders since then than a look reads, a refused order is placed
// all the same after a while: it was refused, and the latest orders are known.
func TestARefusedOrderIsPlacedThoughTheListIsLong(t *testing.T) {
	bubble(t, func(r *rig) {
		r.service.nextCreate = append(r.service.nextCreate, refused("insufficient balance: 2 credits"))
		r.types("new")
		r.submits()
		r.service.set(func(f *forgetful) {
			f.others(jobs.MostPages*20+40, 0)
			for i := range f.orders {
				f.orders[i].OrderedAt = time.Now()
			}
		})
		r.submits()
		require.Contains(r.t, readable(r.screen.modal()), "Before I send your order I make sure")
		r.settle(time.Minute)
		require.Equal(r.t, store.DraftPlaced, r.draft().State)
	})
}

func TestAFirstAttemptIsSentWithoutALook(t *testing.T) {
	bubble(t, func(r *rig) {
		r.types("new")
		r.submits()
		require.Equal(r.t, store.DraftPlaced, r.draft().State)
		require.Zero(r.t, r.service.listed())
	})
}

// rollsBack makes Redis forget what was written since the form was opened, as a server does
// that was promoted without it.
func (r *rig) rollsBack(opened store.Draft) {
	r.t.Helper()
	ctx := r.t.Context()
	keys, err := r.rdb.Keys(ctx, "*place:*").Result()
	require.NoError(r.t, err)
	more, err := r.rdb.Keys(ctx, "*order*").Result()
	require.NoError(r.t, err)
	references, err := r.rdb.Keys(ctx, "*reference:*").Result()
	require.NoError(r.t, err)
	keys = append(append(append(keys, more...), references...), "{darkroom}:draft:"+opened.ID)
	require.NoError(r.t, r.rdb.Del(ctx, keys...).Err())
	require.NoError(r.t, r.store.SaveDraft(ctx, opened))
	require.NoError(r.t, r.rdb.HSet(ctx, "{darkroom}:run", "id", "the server before").Err())
}

func TestAFormThatIsSubmittedAgainAfterRedisForgotItPlacesOneOrder(t *testing.T) {
	for name, arrives := range map[string]time.Duration{"it was there": 0, "it was still on its way": 40 * time.Second} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.types("new")
				window, opened := r.screen.last(), r.draft()
				r.service.nextCreate = append(r.service.nextCreate, func(do func() order.Order) (order.Order, error) {
					go func() {
						<-time.After(arrives)
						r.service.set(func(*forgetful) { do() })
					}()
					return order.Order{}, &order.Error{Op: "create", Messages: []string{"the worker was gone by then"}}
				})
				form := r.submissionOfNew(window)
				_, err := r.handle(r.t.Context(), form)
				require.NoError(r.t, err)
				r.settle(time.Second)
				r.rollsBack(opened)
				_, err = r.handle(r.t.Context(), form)
				require.NoError(r.t, err)
				r.settle(4 * time.Minute)
				require.Equal(r.t, store.DraftPlaced, r.draft().State)
				require.Len(r.t, r.service.orders, 1)
			})
		})
	}
}

// The order may be as old as the form, however late the form is submitted again: the list is
// read back to there.
func TestAFormThatIsSubmittedAgainHoursAfterRedisForgotItPlacesOneOrder(t *testing.T) {
	for name, forgotten := range map[string]bool{"its draft is open again": false, "its draft is forgotten": true} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.types("new")
				window, opened := r.screen.last(), r.draft()
				r.service.set(func(f *forgetful) { f.wordless, f.nextCreate = true, []serviceAnswer{lost} })
				form := r.submissionOfNew(window)
				_, err := r.handle(r.t.Context(), form)
				require.NoError(r.t, err)
				r.settle(time.Second)
				r.rollsBack(opened)
				if forgotten {
					require.NoError(r.t, r.rdb.Del(r.t.Context(), "{darkroom}:draft:"+opened.ID).Err())
				}
				r.settle(time.Minute)
				require.Equal(r.t, 1, r.service.called("create"))
				r.service.set(func(f *forgetful) {
					for range 50 {
						f.add("Another")
					}
				})
				r.settle(3 * time.Hour)
				_, err = r.handle(r.t.Context(), form)
				require.NoError(r.t, err)
				r.settle(5 * time.Minute)
				require.Equal(r.t, 1, r.service.called("create"))
				require.Equal(r.t, store.DraftPlaced, r.draft().State)
				require.Equal(r.t, "order1", r.draft().OrderID)
			})
		})
	}
}

// What nobody can have sent before is looked for from its submission on, however long its
// form was open.
func TestAnOrderOfAFormThatWasOpenLongIsLookedForFromItsSubmissionOn(t *testing.T) {
	bubble(t, func(r *rig) {
		r.types("new")
		r.settle(5 * time.Hour)
		r.service.set(func(f *forgetful) { f.others(600, 2*time.Hour) })
		r.service.nextCreate = append(r.service.nextCreate, never)
		r.submits()
		require.Equal(r.t, 2, r.service.listed(), "the keyword search and a page")
	})
}

func TestAFormWhoseDraftRedisForgotIsSentWhenItIsSurelyNotThere(t *testing.T) {
	bubble(t, func(r *rig) {
		r.types("new")
		window := r.screen.last()
		require.NoError(r.t, r.rdb.Del(r.t.Context(), "{darkroom}:draft:"+r.draft().ID).Err())
		r.submitsForm(window)
		require.Contains(r.t, r.screen.modal(), "Before I send your order I make sure")
		r.settle(3 * time.Minute)
		require.Contains(r.t, r.screen.modal(), "Order placed")
		require.Len(r.t, r.service.orders, 1)
	})
}

// pressOf is the value of the button in the last direct message.
func (r *rig) pressOf(action string) string {
	r.t.Helper()
	r.screen.Lock()
	defer r.screen.Unlock()
	dm := r.screen.dms[len(r.screen.dms)-1]
	require.Contains(r.t, dm, action)
	return cutOut(dm[strings.Index(dm, `"action_id":"`+action+`"`):], `"value":"`, `"`)
}

func TestOnePressOfTryAgainIsOneAttempt(t *testing.T) {
	bubble(t, func(r *rig) {
		r.givenUp()
		r.service.nextCreate = append(r.service.nextCreate, never, never, never)
		r.screen.Lock()
		r.screen.mute = true // the press cannot be answered
		r.screen.Unlock()
		value := r.pressOf(cards.ActionRetry)
		r.presses(cards.ActionRetry, value)
		r.settle(20 * time.Minute)
		require.Equal(r.t, store.DraftUnknown, r.draft().State)
		require.Equal(r.t, 2, r.draft().Attempt)
		creates, _ := r.service.sent()
		require.Equal(r.t, 2, creates)
		r.screen.Lock()
		r.screen.mute = false
		r.screen.Unlock()
		r.presses(cards.ActionRetry, value)
		require.Equal(r.t, 2, r.draft().Attempt, "the button of an attempt that was followed by another")
		require.Contains(r.t, r.screen.lastTold(), "Try again")
	})
}

func TestAFormFromALaterAttemptThanTheDraftIsPlaced(t *testing.T) {
	for _, state := range []store.DraftState{store.DraftOpen, store.DraftPlacing, store.DraftRefused} {
		t.Run(string(state), func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.service.nextCreate = append(r.service.nextCreate, refused("insufficient balance: 2 credits"))
				r.types("new")
				r.submits()
				require.Equal(r.t, 2, r.draft().Attempt)
				draft := r.draft() // Redis forgets the refusal
				draft.Attempt, draft.State, draft.Problems, draft.Instructions = 1, state, nil, []string{"As it was."}
				require.NoError(r.t, r.rdb.Del(r.t.Context(), "{darkroom}:draft:"+draft.ID).Err())
				require.NoError(r.t, r.store.SaveDraft(r.t.Context(), draft))
				r.submits()
				r.settle(5 * time.Minute)
				require.Contains(r.t, r.screen.modal(), "Order placed")
				require.Len(r.t, r.service.orders, 1)
				require.Equal(r.t, []string{"Brighten it."}, r.service.placed[len(r.service.placed)-1].Instructions, "what the form held")
			})
		})
	}
}

// Two windows of one draft, and a refusal that Redis has forgotten: typing in the one that saw
// it raises the draft to its attempt, and the other is from before that.
func TestAWindowFromBeforeAForgottenRefusalGetsTheFormAgain(t *testing.T) {
	bubble(t, func(r *rig) {
		r.service.nextCreate = append(r.service.nextCreate, refused("insufficient balance: 2 credits"))
		r.types("new")
		opened, first := r.draft(), r.screen.last()
		older := r.submissionOfNew(first)
		older.View.ExternalID = "the older window"
		r.submitsForm(first)
		require.Equal(r.t, 2, r.draft().Attempt)
		r.rollsBack(opened)
		typed := r.submissionOfNew(first)
		typed.Kind, typed.Name = bot.KindAction, cards.ActionTyped
		_, err := r.handle(r.t.Context(), typed)
		require.NoError(r.t, err)
		require.Equal(r.t, store.DraftOpen, r.draft().State)
		require.Equal(r.t, 2, r.draft().Attempt)

		reply, err := r.handle(r.t.Context(), older)
		require.NoError(r.t, err)
		require.NotContains(r.t, text(reply.Body), "Placing your order")
		require.Contains(r.t, text(reply.Body), "Brighten it.", "what it held")
		again := reply.Body.(*slack.ViewSubmissionResponse).View
		_, err = r.screen.UpdateView(r.t.Context(), "", "", "", *again)
		require.NoError(r.t, err)
		r.submitsForm(again.ExternalID)
		r.settle(5 * time.Minute)
		require.Equal(r.t, store.DraftPlaced, r.draft().State)
	})
}

func TestAnOrderIsFoundThoughItsNameWasCut(t *testing.T) {
	for _, limit := range []int{80, 50, 32} {
		for _, wordless := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d characters, keywords refused %v", limit, wordless), func(t *testing.T) {
				bubble(t, func(r *rig) {
					r.service.set(func(f *forgetful) { f.limit, f.wordless = limit, wordless })
					r.service.nextCreate = append(r.service.nextCreate, lost)
					r.types("new https://example.com/a.jpg")
					form := r.sheet()
					form.types("Instructions", "Brighten it.")
					form.types("Project name", strings.Repeat("wedding ", 9)+"the last")
					require.Empty(r.t, form.submits())
					require.Contains(r.t, form.shown(), "Order placed")
					require.Contains(r.t, form.shown(), "*wedding wedding", "the words without the reference, which stands by itself")
					require.Len(r.t, r.service.orders, 1)
				})
			})
		}
	}
}

// A look at the person that Slack refuses ends the order before anything was sent, and
// the form says why.
func TestAPermissionThatIsMissingIsSaidInTheForm(t *testing.T) {
	for _, refusal := range []error{bot.ErrMissingScope, bot.ErrToken, errors.New("user_not_found")} {
		t.Run(refusal.Error(), func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.types("new")
				r.screen.Lock()
				r.screen.unknown = refusal
				r.screen.Unlock()
				r.submits()
				r.settle(20 * time.Minute)
				require.Contains(r.t, r.screen.modal(), "The order was not placed, and nothing was charged")
				require.Contains(r.t, r.screen.modal(), "Brighten it.")
				require.NotContains(r.t, r.sight(), "twice")
				require.Zero(r.t, r.service.called("create"))
				r.screen.Lock()
				r.screen.unknown = nil
				r.screen.Unlock()
				r.submits()
				require.Contains(r.t, r.screen.modal(), "Order placed")
			})
		})
	}
}

func TestAJobThatDiedSaysWhetherAnythingWasSent(t *testing.T) {
	for name, story := range map[string]struct {
		meets func(d *store.Draft)
		says  string
	}{
		"nothing was":                      {func(*store.Draft) {}, "before I had sent anything"},
		"it was sent":                      {func(d *store.Draft) { d.SentAt = time.Now() }, "I do not know whether your order was placed"},
		"Redis may have forgotten that it": {func(d *store.Draft) { d.Run = "the one before" }, "I do not know whether your order was placed"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				d := r.placingJob(r.t, jobs.PlaceState{})
				draft := r.draft()
				story.meets(&draft)
				require.NoError(r.t, r.store.SaveDraft(r.t.Context(), draft))
				r.jobs.Died(r.t.Context(), queue.DeadLetter{Job: d.Job, At: time.Now()})
				r.settle(time.Second)
				require.Contains(r.t, r.screen.dms[0], story.says)
				require.NotContains(r.t, r.screen.dms[0], "twice")
				r.presses(cards.ActionRetry, r.pressOf(cards.ActionRetry))
				if story.says != "before I had sent anything" {
					require.Zero(r.t, r.service.called("create"), "it may be on its way still")
				}
				r.settle(4 * time.Minute)
				require.Equal(r.t, store.DraftPlaced, r.draft().State)
			})
		})
	}
}

// The same window submitted twice follows the job twice: what is shown after it died says so,
// whatever was shown between its death and the word of it.
func TestAWindowThatWasSubmittedTwiceHearsThatItsJobDied(t *testing.T) {
	bubble(t, func(r *rig) {
		r.deaf = 5 * time.Second
		r.types("new")
		r.service.nextCreate = append(r.service.nextCreate, never)
		r.service.set(func(f *forgetful) {
			f.instead = func(order.Page) (order.Page, error) { panic("killed") }
		})
		form := r.submissionOfNew(r.screen.last())
		for range 2 {
			_, err := r.handle(r.t.Context(), form)
			require.NoError(r.t, err)
		}
		for r.draft().State == store.DraftPlacing {
			r.settle(time.Second)
		}
		r.settle(time.Minute)
		require.Equal(r.t, store.DraftUnknown, r.draft().State)
		require.Contains(r.t, r.screen.modal(), "I do not know whether your order was placed")
		require.Len(r.t, r.screen.dms, 1)
		require.Contains(r.t, r.screen.dms[0], cards.ActionRetry)
	})
}

func TestADraftIsKeptAliveAsLongAsItsOrderWaits(t *testing.T) {
	bubble(t, func(r *rig) {
		r.types("new")
		r.service.set(func(f *forgetful) { f.down = true })
		r.submits()
		r.settle(30 * time.Minute)
		left := r.rdb.PTTL(r.t.Context(), "{darkroom}:draft:"+r.draft().ID).Val()
		require.Greater(r.t, left, 7*24*time.Hour-2*time.Minute, "seven days from the last try")
	})
}

func TestAnOrderWaitsAsLongAsTheServiceSays(t *testing.T) {
	bubble(t, func(r *rig) {
		r.service.nextCreate = append(r.service.nextCreate, func(func() order.Order) (order.Order, error) {
			return order.Order{}, &order.Error{Op: "create", Outcome: order.ErrRateLimited, RetryAfter: 4 * time.Minute}
		})
		r.types("new")
		r.submits()
		r.settle(4*time.Minute - 10*time.Second)
		require.Equal(r.t, 1, r.service.called("create"))
		require.Zero(r.t, r.service.listed(), "it is not asked anything else either")
		r.settle(20 * time.Second)
		require.Equal(r.t, store.DraftPlaced, r.draft().State)
	})
}

// attempted is a delivery of the draft's own job, made by hand.
func (r *rig) attempted(deliveries int) *queue.Delivery {
	r.t.Helper()
	draft := r.draft()
	body, err := json.Marshal(jobs.PlaceArgs{Draft: draft.ID, Attempt: draft.Attempt, View: "none", At: time.Now(), User: "maria"})
	require.NoError(r.t, err)
	return &queue.Delivery{Job: queue.Job{ID: "place:x", Kind: jobs.PlaceJob, Body: body}, Deliveries: deliveries, First: deliveries == 1, SameRun: true}
}

func TestADraftWhoseReferenceSomebodyReservedBeforeIsLookedForFirst(t *testing.T) {
	bubble(t, func(r *rig) {
		r.placingJob(r.t, jobs.PlaceState{})
		draft := r.draft()
		draft.Reference = "" // only the reservation is left
		require.NoError(r.t, r.store.SaveDraft(r.t.Context(), draft))
		require.NoError(r.t, r.doing(jobs.PlaceJob)(context.WithoutCancel(r.t.Context()), r.attempted(1)))
		require.Positive(r.t, r.service.listed())
		require.Equal(r.t, 1, r.service.called("create"))
	})
}

// Redis may lose a key alone, as one that was evicted: what was worked on before, or follows an
// attempt, is looked for although nobody seems to have reserved a reference.
func TestOnlyTheFirstDeliveryOfAFirstAttemptIsSentWithoutALook(t *testing.T) {
	for name, story := range map[string]struct{ attempt, deliveries, lists int }{
		"the first delivery of the first attempt": {1, 1, 0},
		"a later delivery":                        {1, 2, 2},
		"a later attempt":                         {2, 1, 2},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.placingJob(r.t, jobs.PlaceState{})
				draft := r.draft()
				require.NoError(r.t, r.rdb.Del(r.t.Context(), "{darkroom}:reference:"+draft.Reference).Err())
				draft.Reference, draft.Attempt = "", story.attempt
				require.NoError(r.t, r.store.SaveDraft(r.t.Context(), draft))
				require.NoError(r.t, r.doing(jobs.PlaceJob)(context.WithoutCancel(r.t.Context()), r.attempted(story.deliveries)))
				require.Equal(r.t, story.lists, r.service.listed(), "the keyword search and the list")
				require.Equal(r.t, 1, r.service.called("create"))
			})
		})
	}
}
