package commands_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/change"
	"darkroom/commands/commandstest"
	"darkroom/order"
)

const verdict1, verdict2, verdict3 = "Photo 1 is good", "Photo 2 is good", "Photo 3 is good"

// edits makes the service deliver new versions of those images, in the next round.
func edits(r *commandstest.Rig, names ...string) {
	r.T.Helper()
	r.Service.Edit("order1", func(o *order.Order) {
		o.Status, o.Revision = order.StatusReviewing, new(o.Rev()+1)
		for i := range o.EditedImages {
			for _, name := range names {
				if o.EditedImages[i].Name == name {
					o.EditedImages[i].Revision, o.EditedImages[i].UploadedAt = o.Rev(), time.Unix(int64(1000*o.Rev()), 0)
				}
			}
		}
	})
	r.Record()
}

// Ticks without text are saved, from the button's form and the line's, and nothing is sent.
func TestTicksAloneAreSaved(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(3)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		view := r.FilledIn(window, map[string]string{verdict1: verdict1, verdict2: verdict2})
		for _, name := range []string{"once", "told again"} {
			r.SendsAs(name, "maria", view)
			require.Contains(r.T, r.Shows(window), "2 of 3 are good. Nothing was sent to the editor.")
		}
		r.Types("revise order1")
		window = r.Screen.Last()
		r.Sends("maria", window, map[string]string{verdict2: "", verdict3: verdict3})
		require.Contains(r.T, r.Shows(window), "2 of 3 are good.")
		require.Empty(r.T, r.Asked())
		stored := r.Stored(id)
		require.False(r.T, stored.Verdicts.Good(stored.Order.EditedImages[1]), "it was taken back")
		require.Equal(r.T, "maria", stored.Verdicts["i3"].By)

		window = r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		reply := r.Sends("maria", window, nil)
		require.Contains(r.T, commandstest.Text(reply.Body), change.NoChanges, "nothing was ticked and nothing was said")
	})
}

// Images that anybody ticked as good stay as they are: the text for all images leaves them out.
// Text about an image removes its tick.
func TestWhatIsGoodIsNotAskedFor(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(4)
		mine := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		bens := r.Opens("ben", cards.ActionRevise, cards.Value(id, 0))
		r.Sends("ben", bens, map[string]string{verdict2: verdict2, verdict3: verdict3})
		reply := r.Sends("maria", mine, map[string]string{verdict1: verdict1, "1 · 1.jpg": "Softer"})
		require.Contains(r.T, commandstest.Text(reply.Body), `"image:0:i1":"1.jpg is ticked as good and has instructions. `+change.GoodOrWords)
		r.Sends("maria", mine, map[string]string{verdict1: verdict1, "1 · 1.jpg": "", "3 · 3.jpg": "Brighter", "All other photos": "Darker"})
		require.Equal(r.T, []map[string][]string{{"i3": {"Brighter"}, "i4": {"Darker"}}}, r.Asked())
		event := r.Events(order.EventChanges)[0]
		require.Equal(r.T, []string{"i1", "i2"}, event.Good)
		require.Equal(r.T, []string{"Darker"}, event.Words)
		require.Equal(r.T, "2/4", r.Stored(id).Tally())

		edits(r, "3.jpg", "4.jpg")
		require.Equal(r.T, "2/4", r.Stored(id).Tally(), "they are good in the next round still")
		edits(r, "1.jpg")
		require.Equal(r.T, "1/4", r.Stored(id).Tally(), "but for what was edited again")
	})
}

func TestWordsThatWouldReachNobodyBecauseAllIsGood(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(2)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		reply := r.Sends("maria", window, map[string]string{verdict1: verdict1, verdict2: verdict2, "All other photos": "Darker"})
		require.Contains(r.T, commandstest.Text(reply.Body), change.NobodyLeft)
		require.Empty(r.T, r.Asked())
	})
}

// A form that was open while an image was edited again ticks nothing that its person has not seen, and says so, with
// text and without.
func TestATickForWhatWasNotSeenDoesNotCount(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(3)
		alone, words := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0)), r.Opens("ben", cards.ActionRevise, cards.Value(id, 0))
		edits(r, "2.jpg")
		r.Sends("maria", alone, map[string]string{verdict1: verdict1, verdict2: verdict2})
		require.Contains(r.T, r.Shows(alone), "1 of 3 is good.")
		require.Contains(r.T, r.Shows(alone), "Not counted: 2.jpg. A newer edit arrived since you looked.")

		r.Sends("ben", words, map[string]string{verdict2: verdict2, verdict3: verdict3, "1 · 1.jpg": "Softer"})
		require.Contains(r.T, r.Shows(words), "Not counted: 2.jpg.")
		require.Empty(r.T, r.Asked())
		r.Sends("ben", words, nil)
		require.Equal(r.T, []map[string][]string{{"i1": {"Softer"}}}, r.Asked())
		require.Equal(r.T, "1/3", r.Stored(id).Tally(), "the third; of the first he thinks otherwise than Maria")
	})
}

// A person who may not ask for changes saves no ticks, even from an open form.
func TestWhoMayNotAskForChangesJudgesNothing(t *testing.T) {
	for name, tt := range map[string]struct {
		becomes func(r *commandstest.Rig)
		says    string
	}{
		"a guest":  {func(r *commandstest.Rig) { r.Screen.Guests = map[string]bool{"maria": true} }, "Guests may look"},
		"who left": {func(r *commandstest.Rig) { r.Screen.Out = map[string]bool{"maria": true} }, "There is no order"},
		"when it rests": {func(r *commandstest.Rig) {
			r.Service.Edit("order1", func(o *order.Order) { o.Status = order.StatusPaused })
			r.Record()
		}, "not ready for review"},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				id := r.Delivers(2)
				window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
				tt.becomes(r)
				r.Settle(time.Hour) // the cached membership expires
				r.Sends("maria", window, map[string]string{verdict1: verdict1})
				require.Contains(r.T, r.Shows(window), tt.says)
				require.Empty(r.T, r.Stored(id).Verdicts)
			})
		})
	}
}

// Of many images a form shows a part, and open boxes take the place of ticks. Ticks that it does not show stay, even if
// another person has ticked since.
func TestTicksThatAFormDoesNotShowStay(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(50)
		mine := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		bens := r.Opens("ben", cards.ActionRevise, cards.Value(id, 0))
		r.Sends("ben", bens, map[string]string{"Photo 20 is good": "Photo 20 is good"})
		r.OpensBoxes("maria", mine, map[string]string{verdict1: verdict1, verdict2: verdict2}, "3 · 3.jpg", "2 · 2.jpg")
		r.Click(r.Turning("maria", mine, "Show 26–50"))
		require.Contains(r.T, r.Shows(mine), "50.jpg")
		require.NotContains(r.T, r.Shows(mine), "3 · 3.jpg")
		r.Click(r.Turning("maria", mine, "Show 1–25"))
		r.Sends("maria", mine, map[string]string{"3 · 3.jpg": "Third", "All other photos": "Warmer"})
		asked := r.Asked()[0]
		require.Len(r.T, asked, 47)
		for image, want := range map[string][]string{"i1": nil, "i2": nil, "i20": nil, "i3": {"Third"}, "i49": {"Warmer"}} {
			require.Equal(r.T, want, asked[image], image)
		}
		require.Equal(r.T, "3/50", r.Stored(id).Tally(), "a box that stayed empty takes no tick back, and nobody's was that a form did not show")
	})
}

// Ticks that were not sent are there when the form opens again.
func TestTicksOfAClosedFormComeBack(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(2)
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		view := r.FilledIn(window, map[string]string{verdict2: verdict2, "1 · 1.jpg": "Softer"})
		_, err := r.Handle(r.T.Context(), bot.Request{Kind: bot.KindClose, Name: view.CallbackID, Team: "T1", User: "maria", View: &view})
		require.NoError(r.T, err)
		again := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.Sends("maria", again, nil)
		require.Equal(r.T, []map[string][]string{{"i1": {"Softer"}}}, r.Asked())
		require.Equal(r.T, "1/2", r.Stored(id).Tally())
	})
}
