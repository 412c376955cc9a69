package jobs_test

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
	"darkroom/bot/client"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/commands/commandstest"
	"darkroom/jobs"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// A service may refuse an order and place it all the same. The next attempt finds it.
func TestAnAttemptAfterARefusalLooksBeforeItSends(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Service.NextCreate = append(r.Service.NextCreate, func(do func() order.Order) (order.Order, error) {
			do()
			return order.Order{}, &order.Error{Op: "create", Messages: []string{"insufficient balance: 2 credits"}}
		})
		r.Types("new")
		r.Submits()
		require.Contains(r.T, r.Screen.Modal(), "insufficient balance")
		r.Submits()
		require.Contains(r.T, r.Screen.Modal(), "Order placed")
		require.Len(r.T, r.Service.Orders, 1)
	})
}

// The account has more new orders than one search reads. A refused order is still placed after a while: the newest
// orders were read.
func TestARefusedOrderIsPlacedThoughTheListIsLong(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Refused("insufficient balance: 2 credits"))
		r.Types("new")
		r.Submits()
		r.Service.Set(func(f *commandstest.Service) {
			f.Others(jobs.MaxPages*20+40, 0)
			for i := range f.Orders {
				f.Orders[i].OrderedAt = time.Now()
			}
		})
		r.Submits()
		require.Contains(r.T, commandstest.Readable(r.Screen.Modal()), "Before I send your order, I search")
		r.Settle(time.Minute)
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
	})
}

func TestAFirstAttemptIsSentWithoutALook(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("new")
		r.Submits()
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
		require.Zero(r.T, r.Service.Listed())
	})
}

// rollsBack makes Redis forget all writes since the form was opened, like a promoted replica that lacked them.
func rollsBack(r *commandstest.Rig, opened store.Draft) {
	r.T.Helper()
	ctx := r.T.Context()
	keys, err := r.Redis.Keys(ctx, "*place:*").Result()
	require.NoError(r.T, err)
	more, err := r.Redis.Keys(ctx, "*order*").Result()
	require.NoError(r.T, err)
	references, err := r.Redis.Keys(ctx, "*reference:*").Result()
	require.NoError(r.T, err)
	keys = append(append(append(keys, more...), references...), "{darkroom}:draft:"+opened.ID)
	require.NoError(r.T, r.Redis.Del(ctx, keys...).Err())
	require.NoError(r.T, r.Store.Drafts.SaveDraft(ctx, opened))
	require.NoError(r.T, r.Redis.HSet(ctx, "{darkroom}:run", "replid", "the server before").Err())
}

func TestAFormThatIsSubmittedAgainAfterRedisForgotItPlacesOneOrder(t *testing.T) {
	for name, arrives := range map[string]time.Duration{"it was there": 0, "it was still on its way": 40 * time.Second} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.Types("new")
				window, opened := r.Screen.Last(), r.Draft()
				r.Service.NextCreate = append(r.Service.NextCreate, func(do func() order.Order) (order.Order, error) {
					go func() {
						<-time.After(arrives)
						r.Service.Set(func(*commandstest.Service) { do() })
					}()
					return order.Order{}, &order.Error{Op: "create", Messages: []string{"the worker was gone by then"}}
				})
				form := r.SubmissionOfNew(window)
				_, err := r.Handle(r.T.Context(), form)
				require.NoError(r.T, err)
				r.Settle(time.Second)
				rollsBack(r, opened)
				_, err = r.Handle(r.T.Context(), form)
				require.NoError(r.T, err)
				r.Settle(4 * time.Minute)
				require.Equal(r.T, store.DraftPlaced, r.Draft().State)
				require.Len(r.T, r.Service.Orders, 1)
			})
		})
	}
}

// The order may be as old as the form, so the list is read back to then, however late the second submission is.
func TestAFormThatIsSubmittedAgainHoursAfterRedisForgotItPlacesOneOrder(t *testing.T) {
	for name, forgotten := range map[string]bool{"its draft is open again": false, "its draft is forgotten": true} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.Types("new")
				window, opened := r.Screen.Last(), r.Draft()
				r.Service.Set(func(f *commandstest.Service) {
					f.SearchRefused, f.NextCreate = true, []commandstest.ServiceAnswer{commandstest.Lost}
				})
				form := r.SubmissionOfNew(window)
				_, err := r.Handle(r.T.Context(), form)
				require.NoError(r.T, err)
				r.Settle(time.Second)
				rollsBack(r, opened)
				if forgotten {
					require.NoError(r.T, r.Redis.Del(r.T.Context(), "{darkroom}:draft:"+opened.ID).Err())
				}
				r.Settle(time.Minute)
				require.Equal(r.T, 1, r.Service.Called("create"))
				r.Service.Set(func(f *commandstest.Service) {
					for range 50 {
						f.Add("Another")
					}
				})
				r.Settle(3 * time.Hour)
				_, err = r.Handle(r.T.Context(), form)
				require.NoError(r.T, err)
				r.Settle(5 * time.Minute)
				require.Equal(r.T, 1, r.Service.Called("create"))
				require.Equal(r.T, store.DraftPlaced, r.Draft().State)
				require.Equal(r.T, "order1", r.Draft().OrderID)
			})
		})
	}
}

// An order that cannot have been sent before is searched from its submission on, however long its form was open. Many
// orders that others placed meanwhile delay nothing.
func TestAnOrderOfAFormThatWasOpenLongIsLookedForFromItsSubmissionOn(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("new")
		r.Settle(5 * time.Hour)
		r.Service.Set(func(f *commandstest.Service) {
			f.Others(jobs.MaxPages*20+40, 2*time.Hour)
			f.Between = func(page int) {
				if page > 1 {
					r.T.Errorf("page %d is read: all on it is older than the submission", page)
				}
			}
		})
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Never)
		r.Submits()
		r.Settle(4 * time.Minute)
		require.Equal(r.T, store.DraftUnknown, r.Draft().State)
		require.Contains(r.T, r.Screen.Modal(), "Try Again", "it is surely not there")
	})
}

func TestAFormWhoseDraftRedisForgotIsSentWhenItIsSurelyNotThere(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("new")
		window := r.Screen.Last()
		require.NoError(r.T, r.Redis.Del(r.T.Context(), "{darkroom}:draft:"+r.Draft().ID).Err())
		r.SubmitsForm(window)
		require.Contains(r.T, r.Screen.Modal(), "Before I send your order, I search")
		r.Settle(3 * time.Minute)
		require.Contains(r.T, r.Screen.Modal(), "Order placed")
		require.Len(r.T, r.Service.Orders, 1)
	})
}

// pressOf returns the value of the button in the last direct message.
func pressOf(r *commandstest.Rig, action string) string {
	r.T.Helper()
	r.Screen.Lock()
	defer r.Screen.Unlock()
	dm := r.Screen.DMs[len(r.Screen.DMs)-1]
	require.Contains(r.T, dm, action)
	return commandstest.CutOut(dm[strings.Index(dm, `"action_id":"`+action+`"`):], `"value":"`, `"`)
}

func TestOnePressOfTryAgainIsOneAttempt(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.GivenUp()
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Never, commandstest.Never, commandstest.Never)
		r.Screen.Lock()
		r.Screen.Mute = true // the press cannot be answered
		r.Screen.Unlock()
		value := pressOf(r, place.ActionRetry)
		r.Presses(place.ActionRetry, value)
		r.Settle(20 * time.Minute)
		require.Equal(r.T, store.DraftUnknown, r.Draft().State)
		require.Equal(r.T, 2, r.Draft().Attempt)
		creates, _ := r.Service.Sent()
		require.Equal(r.T, 2, creates)
		r.Screen.Lock()
		r.Screen.Mute = false
		r.Screen.Unlock()
		r.Presses(place.ActionRetry, value)
		require.Equal(r.T, 2, r.Draft().Attempt, "the button of an attempt that was followed by another")
		require.Contains(r.T, r.Screen.LastMessage(), "Try Again")
	})
}

func TestAFormFromALaterAttemptThanTheDraftIsPlaced(t *testing.T) {
	for _, state := range []store.DraftState{store.DraftOpen, store.DraftPlacing, store.DraftRefused} {
		t.Run(string(state), func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Refused("insufficient balance: 2 credits"))
				r.Types("new")
				r.Submits()
				require.Equal(r.T, 2, r.Draft().Attempt)
				draft := r.Draft() // Redis forgets the refusal
				draft.Attempt, draft.State, draft.Problems, draft.Instructions = 1, state, nil, []string{"As it was."}
				require.NoError(r.T, r.Redis.Del(r.T.Context(), "{darkroom}:draft:"+draft.ID).Err())
				require.NoError(r.T, r.Store.Drafts.SaveDraft(r.T.Context(), draft))
				r.Submits()
				r.Settle(5 * time.Minute)
				require.Contains(r.T, r.Screen.Modal(), "Order placed")
				require.Len(r.T, r.Service.Orders, 1)
				require.Equal(r.T, []string{"Brighten it."}, r.Service.Placed[len(r.Service.Placed)-1].Instructions, "what the form held")
			})
		})
	}
}

// A draft has two windows, and Redis has forgotten a refusal. Typing in the window that saw it raises the draft's attempt;
// the other window has an older one.
func TestAWindowFromBeforeAForgottenRefusalGetsTheFormAgain(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Refused("insufficient balance: 2 credits"))
		r.Types("new")
		opened, first := r.Draft(), r.Screen.Last()
		older := r.SubmissionOfNew(first)
		older.View.ExternalID = "the older window"
		r.SubmitsForm(first)
		require.Equal(r.T, 2, r.Draft().Attempt)
		rollsBack(r, opened)
		typed := r.SubmissionOfNew(first)
		typed.Kind, typed.Name = bot.KindAction, kit.ActionTyped
		_, err := r.Handle(r.T.Context(), typed)
		require.NoError(r.T, err)
		require.Equal(r.T, store.DraftOpen, r.Draft().State)
		require.Equal(r.T, 2, r.Draft().Attempt)

		reply, err := r.Handle(r.T.Context(), older)
		require.NoError(r.T, err)
		require.NotContains(r.T, commandstest.Text(reply.Body), "Placing your order")
		require.Contains(r.T, commandstest.Text(reply.Body), "Brighten it.", "what it held")
		again := reply.Body.(*slack.ViewSubmissionResponse).View
		err = r.Screen.UpdateView(r.T.Context(), "", "", "", *again)
		require.NoError(r.T, err)
		r.SubmitsForm(again.ExternalID)
		r.Settle(5 * time.Minute)
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
	})
}

func TestAnOrderIsFoundThoughItsNameWasCut(t *testing.T) {
	for _, limit := range []int{80, 50, 32} {
		for _, wordless := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d characters, keywords refused %v", limit, wordless), func(t *testing.T) {
				commandstest.Bubble(t, func(r *commandstest.Rig) {
					r.Service.Set(func(f *commandstest.Service) { f.Limit, f.SearchRefused = limit, wordless })
					r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Lost)
					r.Types("new https://example.com/a.jpg")
					form := r.Sheet()
					form.Types("Instructions", "Brighten it.")
					form.Types("Project name", strings.Repeat("wedding ", 9)+"the last")
					require.Empty(r.T, form.Submits())
					require.Contains(r.T, form.Shown(), "Order placed")
					require.Contains(r.T, form.Shown(), "*wedding wedding", "the words without the reference, which stands by itself")
					require.Len(r.T, r.Service.Orders, 1)
				})
			})
		}
	}
}

// Slack refuses to identify the person. The order ends before anything is sent, and the form says why.
func TestAPermissionThatIsMissingIsSaidInTheForm(t *testing.T) {
	for _, refusal := range []error{client.ErrMissingScope, client.ErrToken, errors.New("user_not_found")} {
		t.Run(refusal.Error(), func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.Types("new")
				r.Screen.Lock()
				r.Screen.NoUsers = refusal
				r.Screen.Unlock()
				r.Submits()
				r.Settle(20 * time.Minute)
				require.Contains(r.T, r.Screen.Modal(), "The order was not placed, and nothing was charged")
				require.Contains(r.T, r.Screen.Modal(), "Brighten it.")
				require.NotContains(r.T, sight(r), "twice")
				require.Zero(r.T, r.Service.Called("create"))
				r.Screen.Lock()
				r.Screen.NoUsers = nil
				r.Screen.Unlock()
				r.Submits()
				require.Contains(r.T, r.Screen.Modal(), "Order placed")
			})
		})
	}
}

func TestAJobThatDiedSaysWhetherAnythingWasSent(t *testing.T) {
	for name, story := range map[string]struct {
		meets func(d *store.Draft)
		says  string
	}{
		"nothing was":                      {func(*store.Draft) {}, "before it was sent"},
		"it was sent":                      {func(d *store.Draft) { d.SentAt = time.Now() }, "I do not know whether your order was placed"},
		"Redis may have forgotten that it": {func(d *store.Draft) { d.Run = "the one before" }, "I do not know whether your order was placed"},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				d := placingJob(r, jobs.PlaceState{})
				draft := r.Draft()
				story.meets(&draft)
				require.NoError(r.T, r.Store.Drafts.SaveDraft(r.T.Context(), draft))
				require.NoError(r.T, r.Jobs.Died(r.T.Context(), queue.DeadLetter{Job: d.Job, At: time.Now()}))
				r.Settle(time.Second)
				require.Contains(r.T, r.Screen.DMs[0], story.says)
				require.NotContains(r.T, r.Screen.DMs[0], "twice")
				r.Presses(place.ActionRetry, pressOf(r, place.ActionRetry))
				if story.says != "before it was sent" {
					require.Zero(r.T, r.Service.Called("create"), "it may be on its way still")
				}
				r.Settle(4 * time.Minute)
				require.Equal(r.T, store.DraftPlaced, r.Draft().State)
			})
		})
	}
}

// A window that was submitted twice follows the job twice. It shows the dead letter at last, whatever it showed before
// the draft had that state.
func TestAWindowThatWasSubmittedTwiceHearsThatItsJobDied(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.DeadDelay = 5 * time.Second
		r.Types("new")
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Never)
		r.Service.Set(func(f *commandstest.Service) {
			f.Instead = func(order.Page) (order.Page, error) { panic("killed") }
		})
		form := r.SubmissionOfNew(r.Screen.Last())
		for range 2 {
			_, err := r.Handle(r.T.Context(), form)
			require.NoError(r.T, err)
		}
		for r.Draft().State == store.DraftPlacing {
			r.Settle(time.Second)
		}
		r.Settle(time.Minute)
		require.Equal(r.T, store.DraftUnknown, r.Draft().State)
		require.Contains(r.T, r.Screen.Modal(), "I do not know whether your order was placed")
		require.Len(r.T, r.Screen.DMs, 1)
		require.Contains(r.T, r.Screen.DMs[0], place.ActionRetry)
	})
}

func TestADraftIsKeptAliveAsLongAsItsOrderWaits(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("new")
		r.Service.Set(func(f *commandstest.Service) { f.Down = true })
		r.Submits()
		r.Settle(30 * time.Minute)
		left := r.Redis.PTTL(r.T.Context(), "{darkroom}:draft:"+r.Draft().ID).Val()
		require.Greater(r.T, left, 7*24*time.Hour-2*time.Minute, "seven days from the last try")
	})
}

func TestAnOrderWaitsAsLongAsTheServiceSays(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Service.NextCreate = append(r.Service.NextCreate, func(func() order.Order) (order.Order, error) {
			return order.Order{}, &order.Error{Op: "create", Outcome: order.ErrRateLimited, RetryAfter: 4 * time.Minute}
		})
		r.Types("new")
		r.Submits()
		r.Settle(4*time.Minute - 10*time.Second)
		require.Equal(r.T, 1, r.Service.Called("create"))
		require.Zero(r.T, r.Service.Listed(), "it is not asked anything else either")
		r.Settle(20 * time.Second)
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
	})
}

// attempted makes a delivery of the draft's own job.
func attempted(r *commandstest.Rig, deliveries int) *queue.Delivery {
	r.T.Helper()
	draft := r.Draft()
	body, err := json.Marshal(jobs.PlaceArgs{Draft: draft.ID, Attempt: draft.Attempt, View: "none", At: time.Now(), User: "maria"})
	require.NoError(r.T, err)
	return &queue.Delivery{Job: queue.Job{ID: "place:x", Kind: job.Place, Body: body}, Deliveries: deliveries, First: deliveries == 1, SameRun: true}
}

func TestADraftWhoseReferenceSomebodyReservedBeforeIsLookedForFirst(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		placingJob(r, jobs.PlaceState{})
		draft := r.Draft()
		draft.Reference = "" // only the reservation is left
		require.NoError(r.T, r.Store.Drafts.SaveDraft(r.T.Context(), draft))
		require.NoError(r.T, r.Doing(job.Place)(context.WithoutCancel(r.T.Context()), attempted(r, 1)))
		require.Positive(r.T, r.Service.Listed())
		require.Equal(r.T, 1, r.Service.Called("create"))
	})
}

// Redis may lose a single key, for example by eviction. A redelivered or later attempt is searched even if its reference
// seems unreserved.
func TestOnlyTheFirstDeliveryOfAFirstAttemptIsSentWithoutALook(t *testing.T) {
	for name, story := range map[string]struct{ attempt, deliveries, lists int }{
		"the first delivery of the first attempt": {1, 1, 0},
		"a later delivery":                        {1, 2, 2},
		"a later attempt":                         {2, 1, 2},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				placingJob(r, jobs.PlaceState{})
				draft := r.Draft()
				require.NoError(r.T, r.Redis.Del(r.T.Context(), "{darkroom}:reference:"+draft.Reference).Err())
				draft.Reference, draft.Attempt = "", story.attempt
				require.NoError(r.T, r.Store.Drafts.SaveDraft(r.T.Context(), draft))
				require.NoError(r.T, r.Doing(job.Place)(context.WithoutCancel(r.T.Context()), attempted(r, story.deliveries)))
				require.Equal(r.T, story.lists, r.Service.Listed(), "the keyword search and the list")
				require.Equal(r.T, 1, r.Service.Called("create"))
			})
		})
	}
}
