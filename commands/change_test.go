package commands

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/order"
	"darkroom/store/queue"
)

// What approve, revise and cancel have in common is told here by revise, which is not
// safe to repeat: a second request would be a second revision.

// delivers makes the order ready for review with so many images.
func (r *rig) delivers(images int) string {
	r.t.Helper()
	id := r.inReview()
	r.service.edit(id, func(o *order.Order) {
		o.EditedImages = make([]order.EditedImage, images)
		for i := range o.EditedImages {
			o.EditedImages[i] = order.EditedImage{
				ID: fmt.Sprintf("i%d", i+1), Name: fmt.Sprintf("%d.jpg", i+1), Thumb: fmt.Sprintf("https://e.com/%d.jpg", i+1),
			}
		}
	})
	r.record()
	return id
}

// opens is somebody pressing a button of the order's; it returns the window.
func (r *rig) opens(user, action, value string) string {
	r.t.Helper()
	r.click(bot.Request{Kind: bot.KindAction, Name: action, Value: value, User: user})
	return r.screen.last()
}

// filledIn is the window as somebody filled it in: what the boxes hold, and words by label.
func (r *rig) filledIn(window string, words map[string]string) slack.View {
	r.t.Helper()
	view := r.screen.view(window)
	view.ID, view.Type = "V"+window, slack.VTModal
	view.State = &slack.ViewState{Values: map[string]map[string]slack.BlockAction{}}
	found := 0
	for _, block := range view.Blocks.BlockSet {
		input, ok := block.(*slack.InputBlock)
		if !ok {
			continue
		}
		box := input.Element.(*slack.PlainTextInputBlockElement)
		value := box.InitialValue
		if typed, ok := words[input.Label.Text]; ok {
			value = typed
			found++
		}
		view.State.Values[input.BlockID] = map[string]slack.BlockAction{box.ActionID: {Value: value}}
	}
	require.Len(r.t, words, found, "boxes for %v in %s", words, text(view))
	return view
}

// sends is somebody submitting the window with these words by label.
func (r *rig) sends(user, window string, words map[string]string) bot.Reply {
	r.t.Helper()
	view := r.filledIn(window, words)
	r.clicks++
	return r.sendsAs(fmt.Sprintf("submit%d", r.clicks), user, view)
}

// sendsAs is one submission of that identity; what is acknowledged is painted.
func (r *rig) sendsAs(id, user string, view slack.View) bot.Reply {
	r.t.Helper()
	reply, err := r.handle(r.t.Context(), bot.Request{
		Kind: bot.KindSubmit, ID: id, Name: view.CallbackID, Team: "T1", User: user, View: &view, At: time.Now(),
	})
	require.NoError(r.t, err, "nothing can be submitted in %s", text(view))
	if update, ok := reply.Body.(*slack.ViewSubmissionResponse); ok && update.View != nil {
		_, _ = r.screen.UpdateView(r.t.Context(), view.ExternalID, "", "", *update.View) // gone when it was closed
	}
	r.settle(2 * time.Second)
	return reply
}

// shows is what stands in a window.
func (r *rig) shows(window string) string {
	r.screen.Lock()
	defer r.screen.Unlock()
	return r.screen.shown[window]
}

// events are those of a kind that were recorded for the order.
func (r *rig) events(kind order.EventKind) []order.Event {
	r.t.Helper()
	all, err := r.store.Events(r.t.Context(), "order1")
	require.NoError(r.t, err)
	var found []order.Event
	for _, e := range all {
		if e.Kind == kind {
			found = append(found, e)
		}
	}
	return found
}

func (r *rig) asked() []map[string][]string {
	r.service.Lock()
	defer r.service.Unlock()
	return r.service.revised
}

func (r *rig) intent() *order.Intent {
	r.t.Helper()
	t, err := r.store.Order(r.t.Context(), "order1")
	require.NoError(r.t, err)
	return t.Intent
}

type serviceAnswer = func(do func() order.Order) (order.Order, error)

// fast is a service that carries it out, loses the answer, and whose editor delivers the
// next revision before anybody looks.
func (r *rig) fast(do func() order.Order) (order.Order, error) {
	do()
	o := r.service.find("order1")
	o.Status = order.StatusReviewing
	o.EditedImages = append(o.EditedImages, order.EditedImage{ID: fmt.Sprintf("i1r%d", o.Rev()), Name: "1.jpg", Revision: o.Rev()})
	return order.Order{}, errUnknown
}

func TestChangesOfUnknownOutcome(t *testing.T) {
	for name, answers := range map[string]func(r *rig) []serviceAnswer{
		"that were requested are not requested again": func(*rig) []serviceAnswer { return []serviceAnswer{lost} },
		"that were not are requested again":           func(*rig) []serviceAnswer { return []serviceAnswer{never} },
		"that arrive while they are requested again":  func(*rig) []serviceAnswer { return []serviceAnswer{never, overtaken} },
		"however often": func(*rig) []serviceAnswer { return []serviceAnswer{never, unsent, lost} },
		"that a fast editor has answered in between":   func(r *rig) []serviceAnswer { return []serviceAnswer{r.fast} },
		"that arrive late and are answered in between": func(r *rig) []serviceAnswer { return []serviceAnswer{never, r.fast} },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				id := r.delivers(1)
				r.service.nextRevise = answers(r)
				window := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
				r.sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
				r.settle(3 * time.Minute)
				require.Len(r.t, r.asked(), 1)
				require.Contains(r.t, r.shows(window), "Changes requested")
				require.Len(r.t, r.events(order.EventChanges), 1)
				require.Equal(r.t, "maria", r.events(order.EventChanges)[0].Actor)
				require.Nil(r.t, r.intent())
			})
		})
	}
}

// A service that is slow may carry a request out after we have hung up, and its editor be
// fast: another request would be a second round of the same changes.
func TestChangesThatArriveAfterTheirDeadlineAreNotRequestedTwice(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(1)
		r.service.nextRevise = []serviceAnswer{func(do func() order.Order) (order.Order, error) {
			go func() {
				<-time.After(r.service.Timeout() + 2*time.Second)
				r.service.set(func(*forgetful) { _, _ = r.fast(do) })
			}()
			return order.Order{}, errUnknown
		}}
		window := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
		r.settle(3 * time.Minute)
		require.Len(r.t, r.asked(), 1)
		require.Contains(r.t, r.shows(window), "Changes requested")
		require.Equal(r.t, "maria", r.events(order.EventChanges)[0].Actor)
	})
}

func TestAChangeThatIsRefusedInTheEndKeepsItsWords(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(1)
		r.service.nextRevise = []serviceAnswer{never, refused("invalid order status")}
		window := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
		r.settle(time.Minute)
		require.Contains(r.t, r.shows(window), "invalid order status")
		require.Contains(r.t, r.shows(window), "Brighter")
		require.Nil(r.t, r.intent())
		r.sends("maria", window, nil)
		require.Equal(r.t, []map[string][]string{{"i1": {"Brighter"}}}, r.asked())
	})
}

func TestAChangeIsGivenUpWithItsWords(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(1)
		for range jobs.MostSends {
			r.service.nextRevise = append(r.service.nextRevise, never)
		}
		window := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
		r.settle(5 * time.Minute)
		require.Empty(r.t, r.asked())
		require.Contains(r.t, r.shows(window), "cannot tell")
		require.Contains(r.t, r.shows(window), "Brighter")
	})
}

// revising is the job of maria's changes, delivered by hand.
func (r *rig) revising(id string) *queue.Delivery {
	body, err := json.Marshal(jobs.ChangeArgs{
		Order: id, Team: "T1", User: "maria", View: "revise:w", At: time.Now(),
		Changes: cards.Changes{Each: []cards.ImageWords{{ID: "i1", Name: "1.jpg", Words: "Brighter"}}},
	})
	require.NoError(r.t, err)
	return &queue.Delivery{Job: queue.Job{ID: "job", Kind: jobs.ReviseJob, Body: body}, First: true}
}

func TestAKilledAppFindsTheChangesItHadRequested(t *testing.T) {
	for name, editor := range map[string]bool{"while they are made": false, "when they are made already": true} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				id := r.delivers(1)
				ctx, kill := context.WithCancel(r.t.Context())
				r.service.nextRevise = []serviceAnswer{func(do func() order.Order) (order.Order, error) {
					defer kill()
					if editor {
						return r.fast(do)
					}
					return lost(do)
				}}
				d := r.revising(id)
				require.ErrorIs(r.t, r.doing(jobs.ReviseJob)(ctx, d), context.Canceled)
				d.First = false
				require.NoError(r.t, r.doing(jobs.ReviseJob)(r.t.Context(), d))
				require.Len(r.t, r.asked(), 1)
				require.Contains(r.t, r.shows("revise:w"), "Changes requested")
				require.Len(r.t, r.events(order.EventChanges), 1)
				require.Equal(r.t, "maria", r.events(order.EventChanges)[0].Actor)
			})
		})
	}
}

func TestARefusalIsToldAgainAfterACrash(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(1)
		r.service.nextRevise = []serviceAnswer{refused("the account is locked")}
		d := r.revising(id)
		require.NoError(r.t, r.doing(jobs.ReviseJob)(r.t.Context(), d))
		r.screen.modals = nil
		r.service.set(func(f *forgetful) { f.down = true })
		require.NoError(r.t, r.doing(jobs.ReviseJob)(r.t.Context(), d), "the answer needs no service")
		require.Contains(r.t, r.shows("revise:w"), "the account is locked")
		require.Empty(r.t, r.asked())
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
		bubble(t, func(r *rig) {
			id := r.delivers(1)
			kill := func() {}
			out := false // a request is on its way and may still arrive
			kinds := map[string]serviceAnswer{
				"lost": lost, "unsent": unsent, "fast": r.fast,
				"refused": refused("the account is locked"), "status": refused("invalid order status"),
				"never": func(do func() order.Order) (order.Order, error) {
					out = true
					return never(do)
				},
				"overtaken": func(do func() order.Order) (order.Order, error) {
					if out {
						do()
					}
					return refused("invalid order status")(do)
				},
				"killed": func(do func() order.Order) (order.Order, error) {
					kill()
					return r.fast(do)
				},
			}
			for _, fault := range faults {
				r.service.nextRevise = append(r.service.nextRevise, kinds[fault])
			}
			d := r.revising(id)
			for range 30 {
				ctx, cancel := context.WithCancel(r.t.Context())
				kill = cancel
				err := r.doing(jobs.ReviseJob)(ctx, d)
				cancel()
				if err == nil {
					break
				}
			}
			asked, mine, says = len(r.asked()), len(r.events(order.EventChanges)), r.shows("revise:w")
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
	bubble(t, func(r *rig) {
		id := r.delivers(1)
		r.service.nextRevise = []serviceAnswer{func(do func() order.Order) (order.Order, error) {
			order := do()
			r.service.Unlock()
			r.record()
			r.service.Lock()
			return order, nil
		}}
		window := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
		require.Len(r.t, r.events(order.EventChanges), 1)
		require.Equal(r.t, "maria", r.events(order.EventChanges)[0].Actor)
		require.Equal(r.t, map[string][]string{"i1": {"Brighter"}}, r.events(order.EventChanges)[0].PerImage)
		require.Contains(r.t, r.shows(window), "Changes requested")
	})
}

func TestADoubleSubmissionIsOneRequest(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(1)
		window := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
		view := r.filledIn(window, map[string]string{"1 · 1.jpg": "Brighter"})
		r.sendsAs("V1:hash", "maria", view)
		r.service.edit(id, func(o *order.Order) { o.Status = order.StatusReviewing }) // nothing but the identity stops it now
		r.record()
		r.sendsAs("V1:hash", "maria", view)
		require.Len(r.t, r.asked(), 1)
	})
}

func TestADeadServiceUsesUpNobodysAttempts(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(1)
		window := r.opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.service.set(func(f *forgetful) { f.down = true })
		r.sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
		r.settle(20 * time.Minute)
		require.Contains(r.t, r.shows(window), "Nothing was sent yet")
		require.Nil(r.t, r.intent())
		r.service.set(func(f *forgetful) { f.down = false })
		r.settle(2 * time.Minute)
		require.Len(r.t, r.asked(), 1)
		require.Contains(r.t, r.shows(window), "Changes requested")
		require.Empty(r.t, r.screen.dms, "nobody was told that it died")
	})
}

func TestWhoHasLeftTheChannelChangesNothing(t *testing.T) {
	for _, action := range []string{cards.ActionApprove, cards.ActionRevise} {
		t.Run(action, func(t *testing.T) {
			bubble(t, func(r *rig) {
				id := r.delivers(1)
				window := r.opens("maria", action, cards.Value(id, 0))
				r.screen.out = map[string]bool{"maria": true}
				words := map[string]string{"1 · 1.jpg": "Brighter"}
				if action == cards.ActionApprove {
					words = map[string]string{"Feedback": "Brighter"}
				}
				r.sends("maria", window, words)
				require.Contains(r.t, r.shows(window), "There is no order")
				require.Contains(r.t, r.shows(window), "Brighter", "her words")
				require.NotContains(r.t, r.shows(window), "Smith", "and nothing of the order")
				require.Empty(r.t, r.asked())
				require.Empty(r.t, r.approvals())
			})
		})
	}
}

func TestAnApprovalOfTheReleaseBeforeIsUnderstood(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.delivers(1)
		body := json.RawMessage(`{"order":"` + id + `","revision":0,"feedback":"Lovely","team":"T1","user":"maria","view":"approve:w","at":"2026-11-20T09:30:00Z"}`)
		_, err := r.queue.Put(r.t.Context(), queue.Job{ID: "old", Lane: "order:" + id, Kind: jobs.ApproveJob, Body: body})
		require.NoError(r.t, err)
		r.settle(time.Second)
		require.Len(r.t, r.approvals(), 1)
		require.Equal(r.t, []string{"Lovely"}, r.approvals()[0].Words)
	})
}
