package jobs_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards/batch"
	"darkroom/cards/place"
	"darkroom/commands/commandstest"
	"darkroom/jobs/job"
	"darkroom/store"
)

// questions returns the questions asked so far.
func questions(r *commandstest.Rig) (open []store.Hold) {
	r.T.Helper()
	for id := range r.JobsOf(store.HoldKind) {
		id, asked := strings.CutSuffix(strings.TrimPrefix(id, "hold:"), ":asked")
		if !asked {
			continue
		}
		h, decision, err := r.Store.Holds.Hold(r.T.Context(), id)
		require.NoError(r.T, err)
		if decision == nil {
			open = append(open, h)
		}
	}
	return open
}

// decidesAll has tom answer every question.
func decidesAll(r *commandstest.Rig, allowed bool) {
	for _, h := range questions(r) {
		decidesHold(r, h, allowed)
	}
	r.Settle(10 * time.Minute)
}

// batchFile returns the latest file with the results.
func batchFile(r *commandstest.Rig) string { return string(r.Screen.Uploads["shop-result.csv"]) }

// batchSays returns the current text of the one message about a batch.
func batchSays(r *commandstest.Rig) string { return r.Screen.Sent()[0].Text }

// A batch asks one question, about all of its orders that must be asked about.
func TestABatchAsksOneQuestion(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		asks(r, store.Decides{MonthLimit: 5})
		b := placesBatch(r, 12)
		r.Settle(10 * time.Minute)
		require.Equal(r.T, 5, r.Service.Called("create"))
		require.Len(r.T, questions(r), 1)
		h := questions(r)[0]
		require.Equal(r.T, []any{"shop.csv", 7, 7, "7", "5"}, []any{h.Name, len(h.Orders), h.Images, h.Cost.String(), h.Spent.String()})
		require.Contains(r.T, batchSays(r), "5 of 12 orders are placed, 7 wait for an approver.")
		decidesAll(r, true)
		require.Equal(r.T, 12, r.Service.Called("create"))
		require.Contains(r.T, batchSays(r), "Every order is placed: 12 orders.")
		require.Equal(r.T, 12, strings.Count(batchFile(r), ",placed,"))
		for _, d := range b.Drafts() {
			require.Equal(r.T, store.DraftPlaced, draftNow(r, d.ID).State)
		}
	})
}

// Nor does the file of a batch of one order wait for its card for ever.
func TestABatchOfOneOrderThatIsAllowedHasItsFile(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		asks(r, store.Decides{Spenders: []string{"ben"}})
		placesBatch(r, 1)
		r.Settle(10 * time.Minute)
		decidesAll(r, true)
		require.Contains(r.T, batchFile(r), ",placed,")
	})
}

// A declined order waits for no answer.
func TestADeclinedBatchSaysSo(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		asks(r, store.Decides{MonthLimit: 2})
		placesBatch(r, 3)
		r.Settle(10 * time.Minute)
		require.Contains(r.T, batchSays(r), "1 waits for an approver")
		require.Contains(r.T, batchFile(r), "waits for an approver")
		decidesAll(r, false)
		require.NotContains(r.T, batchFile(r), "waits for an approver")
		require.Contains(r.T, batchFile(r), "An approver declined it.")
		require.NotContains(r.T, batchSays(r), "waits for an approver")
		require.Contains(r.T, batchSays(r), "2 of 3 orders are placed, 1 is not.")
		require.Contains(r.T, batchSays(r), "An approver declined it. Nothing was charged.")
		var sent []string
		for _, m := range r.Screen.Sent()[1:] {
			sent = append(sent, m.Text)
		}
		require.Len(r.T, sent, 3)
		require.Equal(r.T, batch.FileComment, sent[0])
		require.Contains(r.T, sent[1], "tom declined 1 order of your batch *shop.csv*")
		require.Equal(r.T, batch.FileAgain, sent[2])
	})
}

// An approver is notified of an allowed order that could not be placed.
func TestWhoAllowedHearsThatItCouldNotBePlaced(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		asks(r, store.Decides{OrderLimit: 1})
		submitsDraft(r, "hats", 2)
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Refused("The photos are too small."))
		decidesAll(r, true)
		require.Equal(r.T, store.DraftRefused, draftNow(r, "hats").State)
		sent := r.Screen.Sent()
		require.NotEmpty(r.T, sent)
		require.Equal(r.T, "Dtom", sent[len(sent)-1].Channel)
		require.Contains(r.T, sent[len(sent)-1].Text, "hats* that you allowed is not placed")
	})
}

// A question without an answer ends, and the requester is notified.
func TestAQuestionEndsAfterAWeek(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		asks(r, store.Decides{OrderLimit: 1})
		submitsDraft(r, "hats", 2)
		h := *draftNow(r, "hats").Hold
		r.Settle(7*24*time.Hour - time.Minute)
		require.Empty(r.T, r.Screen.Sent())
		r.Settle(2 * time.Minute)
		require.Len(r.T, r.Screen.Sent(), 1)
		require.Equal(r.T, "Dmaria", r.Screen.Sent()[0].Channel)
		require.Contains(r.T, r.Screen.Sent()[0].Text, "Nobody decided about your order")
		d := draftNow(r, "hats")
		require.False(r.T, d.IsHeld())
		require.Contains(r.T, r.JobsOf(store.HoldKind), "hold:"+h.ID()+":decided")
	})
}

// Some allowed orders of a batch may not be placed. The approver is notified once, the requester in the batch's message.
func TestOfAnAllowedBatchItIsToldWhatCouldNotBePlaced(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		asks(r, store.Decides{Spenders: []string{"ben"}})
		b := placesBatch(r, 4)
		r.Settle(10 * time.Minute)
		h := questions(r)[0]
		r.Presses(place.ActionDiscard, b.Drafts()[3].ID)
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Refused("The photos are too small."), commandstest.Lost)
		decidesAll(r, true)
		require.Equal(r.T, 3, r.Service.Called("create"))
		require.Contains(r.T, batchSays(r), "2 of 4 orders are placed, 2 are not.")
		var toTom []string
		for _, m := range r.Screen.Sent() {
			if m.Channel == "Dtom" && strings.Contains(m.Text, "that you allowed") {
				toTom = append(toTom, m.Text)
			}
		}
		require.Len(r.T, toTom, 1)
		require.Contains(r.T, toTom[0], "that you allowed is not placed. The photos are too small.")
		require.Equal(r.T, 1, strings.Count(toTom[0], "not placed"), "nor is he told of what was placed, or discarded before")
		require.Contains(r.T, r.JobsOf(store.HoldKind), "hold:"+h.ID()+":ended:"+h.ID(), "and the question says so")
		require.Zero(r.T, r.Stats().Dead)
		for _, d := range b.Drafts() {
			require.False(r.T, draftNow(r, d.ID).IsHeld())
		}
	})
}

// An answer does not place orders of a batch that were changed after the question.
func TestWhatWasChangedOfABatchIsNotAllowedWithIt(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		asks(r, store.Decides{Spenders: []string{"ben"}})
		b := placesBatch(r, 3)
		r.Settle(10 * time.Minute)
		mine := draftNow(r, b.Drafts()[1].ID)
		mine.Instructions = []string{"darken"}
		submits(r, mine)
		require.Len(r.T, questions(r), 2, "it is asked about alone from now on")
		var together store.Hold
		for _, h := range questions(r) {
			if len(h.Orders) > 0 {
				together = h
			}
		}
		decidesHold(r, together, true)
		r.Settle(10 * time.Minute)
		require.Equal(r.T, 2, r.Service.Called("create"))
		require.True(r.T, draftNow(r, mine.ID).IsHeld())
		require.Contains(r.T, strings.Join(r.Screen.AllMessages(), " "), "1 order of the batch *shop.csv* of maria was changed")
		decidesAll(r, true)
		require.Equal(r.T, 3, r.Service.Called("create"))
	})
}

// A batch's message says when its question ended without an answer.
func TestABatchThatNobodyAnswersAboutSaysSo(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		asks(r, store.Decides{Spenders: []string{"ben"}})
		b := placesBatch(r, 2)
		r.Settle(7*24*time.Hour + 10*time.Minute)
		require.Zero(r.T, r.Service.Called("create"))
		require.Contains(r.T, batchSays(r), "Nobody decided about it within 7 days. Nothing was charged.")
		require.Equal(r.T, 2, strings.Count(batchFile(r), "Nobody decided about it within 7 days."))
		sent := r.Screen.Sent()
		require.Contains(r.T, sent[len(sent)-2].Text, "Nobody decided about 2 orders of your batch *shop.csv*")
		require.Equal(r.T, store.DraftRefused, draftNow(r, b.Drafts()[0].ID).State, "what was typed is still there")
		require.Zero(r.T, r.Stats().Dead+r.Stats().Jobs)
	})
}

// Over the account's limit operators are asked, and approvers of the channel about the rest.
func TestABatchAsksOperatorsAboutTheirLimitAlone(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		accountLimit(r, 2)
		b := placesBatch(r, 5)
		r.Settle(10 * time.Minute)
		require.Equal(r.T, 2, r.Service.Called("create"))
		h := questions(r)[0]
		require.Len(r.T, questions(r), 1)
		require.Equal(r.T, []any{store.HoldAccount, 3, b.ID + "-account.2"}, []any{h.Why, len(h.Orders), h.ID()})
		decidesAll(r, true)
		require.Equal(r.T, 5, r.Service.Called("create"))
		require.Contains(r.T, batchSays(r), "Every order is placed: 5 orders.")
	})
}

// An order allowed by approvers may exceed the account's limit, too. Their question then shows the second outcome.
func TestOfABatchOverBothLimitsTheFirstQuestionSaysHowTheSecondEnded(t *testing.T) {
	for name, row := range map[string]struct {
		allowed bool
		says    string
	}{"allowed": {true, "3 placed."}, "declined": {false, "1 placed, 2 not allowed in the end."}} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.SetUpWorkspace()
				asks(r, store.Decides{Spenders: []string{"ben"}})
				accountLimit(r, 1)
				placesBatch(r, 3)
				r.Settle(10 * time.Minute)
				first := questions(r)[0].ID()
				decidesAll(r, true)
				require.Contains(r.T, questionSays(r, first), "1 placed, 2 waiting for an operator.")
				require.Contains(r.T, r.JobsOf(store.HoldKind), "hold:"+first+":ended:"+first)
				second := questions(r)[0].ID()
				decidesAll(r, row.allowed)
				require.Contains(r.T, questionSays(r, first), row.says)
				require.Contains(r.T, r.JobsOf(store.HoldKind), "hold:"+first+":ended:"+second)
			})
		})
	}
}

// Redis goes away at each command of the job in turn. A batch is still asked about, allowed and placed once.
func TestAHeldBatchOutlivesARedisThatGoesAway(t *testing.T) {
	for breaks, broke := int64(1), true; broke; breaks += 97 {
		commandstest.Bubble(t, func(r *commandstest.Rig) {
			r.SetUpWorkspace()
			asks(r, store.Decides{MonthLimit: 1})
			b := checked(r, ofFile(r, rowsOf(3)))
			require.NoError(r.T, r.Jobs.Batches.PutBatch(r.T.Context(), b, batchWindow))
			r.Flaky.After = breaks%2 == 0
			r.Flaky.Left.Store(breaks)
			r.Settle(20 * time.Minute)
			require.LessOrEqual(r.T, len(questions(r)), 1, "at command %d", breaks)
			decidesAll(r, true)
			r.Settle(20 * time.Minute)
			broke = r.Flaky.Left.Load() <= 0
			placed, unknown := 0, 0
			for _, d := range b.Drafts() {
				switch draftNow(r, d.ID).State {
				case store.DraftPlaced:
					placed++
				case store.DraftUnknown: // it was marked as being sent, and never left
					unknown++
				}
			}
			require.Equal(r.T, 3, placed+unknown, "at command %d", breaks)
			require.Equal(r.T, placed, r.Service.Called("create"), "at command %d", breaks)
			require.LessOrEqual(r.T, unknown, 1, "at command %d", breaks)
			require.Zero(r.T, r.Stats().Dead, "at command %d", breaks)
		})
	}
}

// Redis goes away at each command of the job in turn. The question is still shown, and ends.
func TestAQuestionOfABatchIsShownAndEndsWhateverRedisDoes(t *testing.T) {
	for breaks, broke := int64(1), true; broke; breaks++ {
		commandstest.Bubble(t, func(r *commandstest.Rig) {
			asks(r, store.Decides{Spenders: []string{"olga"}})
			b := checked(r, ofFile(r, rowsOf(1)))
			require.NoError(r.T, r.Jobs.Batches.PutBatch(r.T.Context(), b, batchWindow))
			r.Flaky.After = breaks%2 == 0
			r.Flaky.Left.Store(breaks)
			r.Settle(20 * time.Minute)
			broke = r.Flaky.Left.Load() <= 0
			require.Len(r.T, questions(r), 1, "at command %d", breaks)
			id := questions(r)[0].ID()
			require.True(r.T, r.JobsOf(store.HoldKind)["hold:"+id+":asked"], "at command %d", breaks)
			ends, err := job.New(job.Decision, job.Decision+":"+id+":ends", "another", struct{}{})
			require.NoError(r.T, err)
			added, err := r.Queue.PutAfter(r.T.Context(), ends, time.Hour)
			require.NoError(r.T, err)
			require.False(r.T, added, "at command %d: it waits for that already", breaks)
		})
	}
}
