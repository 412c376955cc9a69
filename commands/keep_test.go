package commands_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/change"
	"darkroom/cards/kit"
	"darkroom/commands/commandstest"
	"darkroom/order"
)

const yourWords = "your text from"

// types types these texts into an open form, by label.
func types(r *commandstest.Rig, user, window string, words map[string]string) {
	r.T.Helper()
	view := r.FilledIn(window, words)
	now := time.Now()
	r.Click(bot.Request{
		Kind: bot.KindAction, Name: kit.ActionTyped + "words", User: user, View: &view, ActionTS: fmt.Sprintf("%d.%06d", now.Unix(), now.Nanosecond()/1000),
	})
}

// anew presses *Clear Text*.
func anew(r *commandstest.Rig, user, window string) {
	r.T.Helper()
	view := r.FilledIn(window, nil)
	now := time.Now()
	r.Click(bot.Request{Kind: bot.KindAction, Name: kit.ActionClear, User: user, View: &view, ActionTS: fmt.Sprintf("%d.%06d", now.Unix(), now.Nanosecond()/1000)})
}

func TestWhatWasTypedIntoAFormIsKeptUntilItIsSent(t *testing.T) {
	forms := map[string]struct{ action, box string }{
		"approve": {cards.ActionApprove, "Feedback"},
		"revise":  {cards.ActionRevise, "All other photos"},
		"message": {cards.ActionMessage, "Message"},
		"cancel":  {cards.ActionCancel, "Reason"},
	}
	for name, form := range forms {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				id := formOrder(r, name)
				open := func(user string) string { return r.Opens(user, form.action, cards.Value(id, 0)) }
				window := open("maria")
				require.NotContains(r.T, r.Shows(window), yourWords, "nothing was typed yet")
				types(r, "maria", window, map[string]string{form.box: "softer light"})
				require.NotContains(r.T, r.Shows(window), yourWords, "who types is not disturbed")

				require.NotContains(r.T, r.Shows(open("ben")), "softer light", "another person's words are theirs")
				window = open("maria")
				require.Contains(r.T, r.Shows(window), "softer light")
				require.Contains(r.T, r.Shows(window), yourWords)
				anew(r, "maria", window)
				require.NotContains(r.T, r.Shows(window), "softer light")
				require.NotContains(r.T, r.Shows(window), yourWords)
				require.NotContains(r.T, r.Shows(open("maria")), "softer light", "thrown away")

				window = open("maria")
				types(r, "maria", window, map[string]string{form.box: "warmer light"})
				late := r.FilledIn(window, map[string]string{form.box: "warmer li"})
				r.Sends("maria", open("maria"), nil)
				r.Click(bot.Request{Kind: bot.KindAction, Name: kit.ActionTyped + "words", View: &late, ActionTS: "1.000000"})
				require.NotContains(r.T, r.Shows(open("maria")), yourWords, "sent, and what comes late does not bring it back")
			})
		})
	}
}

// formOrder adds an order for which the verb's form opens.
func formOrder(r *commandstest.Rig, verb string) string {
	r.T.Helper()
	if verb == order.VerbCancel {
		r.Types("new")
		r.Submits()
		return "order1"
	}
	return r.Delivers(2)
}

func TestReferenceImagesAreKeptUntilTheyAreSent(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		r.Signs()
		open := func() string {
			r.Types("reference " + id)
			return r.Screen.Last()
		}
		window := open()
		types(r, "maria", window, map[string]string{"Photo links": "https://e.com/mood.jpg", "Instruction": "this warmth"})
		window = open()
		require.Contains(r.T, r.Shows(window), yourWords)
		require.Contains(r.T, r.Shows(window), "https://e.com/mood.jpg")
		require.Contains(r.T, r.Shows(window), "this warmth")
		anew(r, "maria", window)
		require.NotContains(r.T, r.Shows(window), "mood.jpg")
		require.NotContains(r.T, r.Shows(open()), "mood.jpg", "thrown away")

		window = open()
		r.Sends("maria", window, map[string]string{"Photo links": "https://e.com/sky.jpg", "Per photo": "Write an instruction for each photo next"})
		types(r, "maria", window, map[string]string{"1 · sky.jpg": "only the clouds"})
		window = open()
		require.Contains(r.T, r.Shows(window), "https://e.com/sky.jpg", "closed in the second step")
		r.Sends("maria", window, nil)
		require.Contains(r.T, r.Shows(window), "only the clouds")
		r.Sends("maria", window, nil)
		require.Len(r.T, r.Service.References, 1)
		require.Equal(r.T, "only the clouds", r.Service.References[0].Instruction)
		require.NotContains(r.T, r.Shows(open()), yourWords, "sent")
	})
}

// A form that returns with its text is closed like any other: the text is there when it opens again.
func TestWordsThatCameBackAreKept(t *testing.T) {
	for box, action := range map[string]string{"Feedback": cards.ActionApprove, "All other photos": cards.ActionRevise, "Message": cards.ActionMessage} {
		t.Run(box, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				id := r.Delivers(2)
				open := func(user string) string { return r.Opens(user, action, cards.Value(id, 0)) }
				no := []commandstest.ServiceAnswer{commandstest.Refused("not like this")}
				r.Service.NextRevise, r.Service.NextApprove, r.Service.NextMessage = no, no, no
				window := open("maria")
				types(r, "maria", window, map[string]string{box: "softer light"})
				r.Sends("maria", window, map[string]string{box: "softer light"})
				require.Contains(r.T, r.Shows(window), "not like this")
				require.NotContains(r.T, r.Shows(open("ben")), "softer light", "another person's words are theirs")
				window = open("maria")
				require.Contains(r.T, r.Shows(window), "softer light")
				require.Contains(r.T, r.Shows(window), yourWords)
				r.Sends("maria", window, nil)
				require.NotContains(r.T, r.Shows(window), "softer light", "sent")
				require.NotContains(r.T, r.Shows(open("maria")), yourWords)
			})
		})
	}
}

// A form that Redis did not save stays open, and is closed like any other.
func TestWordsOfAFormThatWasNotTakenAreKept(t *testing.T) {
	refused := 0
	atEachCommandOfRedis(t, func(r *commandstest.Rig, n int64) (broke bool) {
		id := r.Delivers(1)
		window := r.Opens("maria", cards.ActionApprove, cards.Value(id, 0))
		types(r, "maria", window, map[string]string{"Feedback": "softer light"})
		broke, err := breaksAt(r, n, r.FilledIn(window, map[string]string{"Feedback": "softer light"}))
		if err != nil && r.JobCount("approve") == 0 {
			refused++
			require.Contains(r.T, r.Shows(r.Opens("maria", cards.ActionApprove, cards.Value(id, 0))), "softer light", "command %d", n)
		}
		return broke
	})
	require.NotZero(t, refused)
}

// Redis's answer is lost. Submitting again, as the person was told to, sends the text once and no longer offers it.
func TestWordsThatWereSentAreNotOfferedAgain(t *testing.T) {
	lost := 0
	atEachCommandOfRedis(t, func(r *commandstest.Rig, n int64) (broke bool) {
		r.Flaky.After = true
		id := r.Delivers(1)
		window := r.Opens("maria", cards.ActionMessage, cards.Value(id, 0))
		types(r, "maria", window, map[string]string{"Message": "softer light"})
		view := r.FilledIn(window, map[string]string{"Message": "softer light"})
		broke, err := breaksAt(r, n, view)
		if err != nil {
			lost++
			r.SendsAs("submit", "maria", view)
		}
		require.Equal(r.T, 1, r.JobCount("message"), "command %d", n)
		require.NotContains(r.T, r.Shows(r.Opens("maria", cards.ActionMessage, cards.Value(id, 0))), "softer light", "command %d", n)
		return broke
	})
	require.NotZero(t, lost)
}

// atEachCommandOfRedis plays a scene in which Redis breaks at the first command of a submission, then at the second,
// and so on until the submission has no such command.
func atEachCommandOfRedis(t *testing.T, scene func(r *commandstest.Rig, n int64) (broke bool)) {
	t.Helper()
	for n, broke := int64(1), true; broke; n++ {
		require.Less(t, n, int64(20), "it never goes through")
		commandstest.Bubble(t, func(r *commandstest.Rig) { broke = scene(r, n) })
	}
}

// breaksAt submits a form as maria while Redis breaks at the n-th command and all that follow.
func breaksAt(r *commandstest.Rig, n int64, view slack.View) (broke bool, err error) {
	r.T.Helper()
	r.Flaky.Left.Store(n)
	_, err = r.Handle(context.WithValue(r.T.Context(), commandstest.AtWork{}, true), bot.Request{
		Kind: bot.KindSubmit, ID: "submit", Name: view.CallbackID, Team: "T1", User: "maria", View: &view, At: time.Now(),
	})
	broke = r.Flaky.Left.Load() <= 0
	r.Flaky.Left.Store(0)
	r.Settle(time.Minute)
	return broke, err
}

func TestWordsAboutOlderPicturesAreKept(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(2)
		window := r.Opens("maria", cards.ActionApprove, cards.Value(id, 0))
		r.Service.Edit(id, func(o *order.Order) {
			o.Revision = new(1)
			o.EditedImages[0].Revision = 1
		})
		r.Sends("maria", window, map[string]string{"Feedback": "softer light"})
		require.Contains(r.T, r.Shows(window), "Nothing was approved")
		require.Contains(r.T, r.Shows(r.Opens("maria", cards.ActionApprove, cards.Value(id, 1))), "softer light")
	})
}

func TestAnInstructionStaysWithItsReferenceImage(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		r.Types("reference " + id)
		window, next := r.Screen.Last(), "Write an instruction for each photo next"
		r.Sends("maria", window, map[string]string{"Photo links": "https://e.com/bad.jpg\nhttps://e.com/sky.jpg\nhttps://e.com/sea.jpg", "Per photo": next})
		r.Service.NextReference = []commandstest.ServiceAnswer{commandstest.Refused("cannot open https://e.com/bad.jpg")}
		r.Sends("maria", window, map[string]string{"1 · bad.jpg": "crop like this", "2 · sky.jpg": "only the clouds"})
		r.Sends("maria", window, map[string]string{"Photo links": "https://e.com/sky.jpg\nhttps://e.com/sea.jpg"})
		r.Sends("maria", window, nil)
		given := map[string]string{}
		for _, image := range r.Service.References {
			given[image.URL] = image.Instruction
		}
		require.Equal(r.T, map[string]string{"https://e.com/sky.jpg": "only the clouds", "https://e.com/sea.jpg": ""}, given)
	})
}

// A window asks for five photos at a time. What was written on an earlier page stays, and can be removed when the form
// comes back.
func TestInstructionsOfManyReferencePhotosComeInPages(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		r.Types("reference " + id)
		window, links := r.Screen.Last(), ""
		for i := range 11 {
			links += fmt.Sprintf("https://e.com/%d.jpg\n", i+1)
		}
		r.Sends("maria", window, map[string]string{"Photo links": links, "Per photo": "Write an instruction for each photo next"})
		require.Contains(r.T, r.Shows(window), "Photos 1 to 5 of 11.")
		require.NotContains(r.T, r.Shows(window), "All other photos")
		r.Sends("maria", window, map[string]string{"2 · 2.jpg": "this red", "5 · 5.jpg": "this blue"})
		require.Contains(r.T, r.Shows(window), "Photos 6 to 10 of 11.")
		r.Sends("maria", window, map[string]string{"6 · 6.jpg": "this green"})
		require.Contains(r.T, r.Shows(window), "Photos 11 to 11 of 11.")
		r.Sends("maria", window, map[string]string{"All other photos": "the mood"})
		given := map[string]string{}
		for _, image := range r.Service.References {
			given[image.URL] = image.Instruction
		}
		require.Len(r.T, given, 11)
		for name, says := range map[string]string{"1": "the mood", "2": "this red", "5": "this blue", "6": "this green", "11": "the mood"} {
			require.Equal(r.T, says, given["https://e.com/"+name+".jpg"], name)
		}
	})
}

// Slack does not promise that an upload stays in its field when the form is redrawn.
func TestReferencePhotosThatWereUploadedAreKeptWhenSomethingIsTicked(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		r.Signs()
		r.Types("reference " + id)
		s := r.Sheet()
		was := s.Field("Photos")
		s.Uploads("a.jpg", "b.jpg")
		s.Ticks("Per photo", true)
		require.NotEqual(r.T, was, s.Field("Photos"), "an empty field")
		require.Contains(r.T, s.Shown(), "*Photos*\\n• a.jpg\\n• b.jpg")
		s.Submits()
		require.Contains(r.T, s.Shown(), "2 · b.jpg")
		s.Submits()
		require.Len(r.T, r.Service.References, 2)
	})
}

func TestWordsOfTheLineAreNotCalledKept(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Delivers(2)
		for range 2 {
			r.Types("revise order1 warmer")
			require.Contains(r.T, r.Screen.Modal(), "warmer")
			require.NotContains(r.T, r.Screen.Modal(), yourWords)
		}
	})
}

func TestWordsOfTheLineComeBeforeThoseThatWereKept(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		types(r, "maria", r.Opens("maria", cards.ActionApprove, cards.Value(id, 0)), map[string]string{"Feedback": "softer light"})
		r.Types("approve " + id + " Perfect")
		require.Contains(r.T, r.Screen.Modal(), "Perfect")
		require.NotContains(r.T, r.Screen.Modal(), "softer light")
		require.NotContains(r.T, r.Screen.Modal(), yourWords)
	})
}

func TestTheFormInWhichTheOrderIsChosenKeepsItsWords(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Delivers(1)
		r.Click(bot.Request{Kind: bot.KindAction, Name: "send_to_editor"})
		types(r, "maria", r.Screen.Last(), map[string]string{"Message": "is it soon?"})
		r.Click(bot.Request{Kind: bot.KindAction, Name: "send_to_editor"})
		require.Contains(r.T, r.Screen.Modal(), "is it soon?")
		require.Contains(r.T, r.Screen.Modal(), yourWords)
	})
}

func TestAFormWithKeptWordsFitsItsWindow(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(50)
		changes := change.Changes{All: "softer"}
		for i := range 50 {
			changes.Each = append(changes.Each, change.ImageText{ID: fmt.Sprintf("i%d", i+1), Words: "warmer"})
		}
		for name, view := range map[string]int{
			"revise":  len(kit.WithSaved(change.Revise(r.Stored(id), cards.RoundHistory{}, changes, cards.Thumbs{Show: true}, "x"), time.Now()).Blocks.BlockSet),
			"approve": len(kit.WithSaved(change.Approve(r.Stored(id), cards.RoundHistory{}, "lovely", cards.Thumbs{Show: true}, "x"), time.Now()).Blocks.BlockSet),
		} {
			require.LessOrEqual(r.T, view, 100, name)
		}
	})
}
