package commands_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	cardschange "darkroom/cards/change"
	"darkroom/cards/kit"
	"darkroom/commands/commandstest"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
)

// marker is a rig whose forms have links for pins. links are what they are bound to, the newest last.
type marker struct {
	*commandstest.Rig
	id    string
	links []store.Marking
}

// marks runs a story of an order with that many edited photos.
func marks(t *testing.T, images int, story func(m *marker)) {
	t.Helper()
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		m := &marker{Rig: r}
		r.Mark = func(link store.Marking) string {
			m.links = append(m.links, link)
			return "https://darkroom.example/review/token"
		}
		r.Assemble()
		m.id = r.Delivers(images)
		story(m)
	})
}

func (m *marker) opens() (window string) {
	m.T.Helper()
	return m.Opens("maria", cards.ActionRevise, cards.Value(m.id, m.Stored(m.id).Order.Rev()))
}

// pin sets a pin on the nth photo by the newest link.
func (m *marker) pin(id string, photo int, words string) error {
	m.T.Helper()
	return m.pinBy(m.links[len(m.links)-1], id, photo, words)
}

func (m *marker) pinBy(link store.Marking, id string, photo int, words string) error {
	m.T.Helper()
	t := m.Stored(m.id)
	image := order.Latest(t.Order.EditedImages)[photo-1]
	_, err := m.Jobs.Pins.Set(m.T.Context(), t, link, order.Pin{ID: id, Edit: image.Edit(), X: 900, Y: 500, Words: words})
	m.Settle(2e9)
	return err
}

// pins are those in Maria's draft.
func (m *marker) pins() order.Pins {
	m.T.Helper()
	d, err := m.Store.Pins.Read(m.T.Context(), m.id, "maria")
	require.NoError(m.T, err)
	return d.Pins
}

func TestWithoutAPublicURLNobodyMarksOnPictures(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(2)
		require.NotContains(r.T, r.Shows(r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))), "Mark on the Pictures")
	})
}

func TestAPinIsShownInTheFormAndSentWithItsText(t *testing.T) {
	marks(t, 3, func(m *marker) {
		window := m.opens()
		require.Contains(m.T, m.Shows(window), "Mark on the Pictures")
		link := m.links[len(m.links)-1]
		require.Equal(m.T, store.Marking{
			Order: m.id, Round: 0, Generation: m.Stored(m.id).Owner.Generation, User: "maria", Number: 0, Window: window, Pictures: link.Pictures,
		}, link)
		require.NotEmpty(m.T, link.Pictures)
		require.NoError(m.T, m.pin("a", 2, "Remove the stain"))
		require.Contains(m.T, m.Shows(window), "1: (right) Remove the stain")
		require.NotContains(m.T, m.Shows(window), "Photo 2 is good", "a photo that is to be changed")
		require.Contains(m.T, m.Shows(window), "Photo 3 is good")
		require.NoError(m.T, m.pin("b", 2, "A slip"))
		require.NoError(m.T, m.pin("b", 2, ""))
		require.NotContains(m.T, m.Shows(window), "A slip")
		m.Sends("maria", window, map[string]string{"2 · 2.jpg": "Brighter", "All other photos": "Warmer"})
		require.Equal(m.T, []map[string][]string{{"i1": {"Warmer"}, "i2": {"Brighter", "1: (right) Remove the stain"}, "i3": {"Warmer"}}}, m.Asked())
		require.Empty(m.T, m.pins(), "they are sent")
	})
}

func TestPinsAloneAreARequest(t *testing.T) {
	marks(t, 2, func(m *marker) {
		window := m.opens()
		require.NoError(m.T, m.pin("a", 1, "Remove the stain"))
		m.Sends("maria", window, nil)
		require.Equal(m.T, []map[string][]string{{"i1": {"1: (right) Remove the stain"}}}, m.Asked())
	})
}

func TestPinsAreThereWhenTheFormIsOpenedAnew(t *testing.T) {
	marks(t, 2, func(m *marker) {
		m.opens()
		require.NoError(m.T, m.pin("a", 1, "Remove the stain"))
		again := m.opens()
		require.Contains(m.T, m.Shows(again), "1: (right) Remove the stain")
		bens := m.Opens("ben", cards.ActionRevise, cards.Value(m.id, 0))
		require.NotContains(m.T, m.Shows(bens), "Remove the stain", "a draft is its person's")
	})
}

// A pin that is set after the form was sent is refused, so that none is saved and forgotten.
func TestADraftThatWasSentTakesNoMorePins(t *testing.T) {
	marks(t, 2, func(m *marker) {
		window := m.opens()
		link := m.links[len(m.links)-1]
		require.NoError(m.T, m.pin("a", 1, "Remove the stain"))
		m.Service.NextRevise = append(m.Service.NextRevise, commandstest.Refused("The instruction is too long."))
		m.Sends("maria", window, nil)
		require.Contains(m.T, m.Shows(window), "The instruction is too long.")
		require.ErrorIs(m.T, m.pinBy(link, "b", 1, "Too late"), store.ErrPinsSent)
		require.Len(m.T, m.pins(), 1, "the refused request keeps its pin")
		require.Contains(m.T, m.Shows(window), "1: (right) Remove the stain")
		require.NoError(m.T, m.pin("b", 2, "By the new link"))
		require.Contains(m.T, m.Shows(window), "1: (right) By the new link")
		m.Sends("maria", window, nil)
		require.Equal(m.T, map[string][]string{"i1": {"1: (right) Remove the stain"}, "i2": {"1: (right) By the new link"}}, m.Asked()[len(m.Asked())-1])
		require.Empty(m.T, m.pins())
	})
}

// The words of pins on a photo that was replaced are text for the new one.
func TestPinsOnAReplacedPhotoAreTextForTheNewOne(t *testing.T) {
	marks(t, 2, func(m *marker) {
		window := m.opens()
		require.NoError(m.T, m.pin("a", 1, "Remove the stain"))
		m.Service.Edit(m.id, func(o *order.Order) {
			o.EditedImages = append(o.EditedImages, order.EditedImage{ID: "i1b", Name: "1.jpg", Revision: 1, Thumb: "https://e.com/1b.jpg"})
			next := 1
			o.Revision = &next
		})
		m.Record()
		m.Sends("maria", window, nil)
		require.Empty(m.T, m.Asked(), "she has not seen the newer photos")
		require.Contains(m.T, m.Shows(window), "1: (right) Remove the stain")
		m.Sends("maria", window, nil)
		require.Equal(m.T, []string{"1: (right) Remove the stain"}, m.Asked()[0]["i1b"])
	})
}

func TestAPinOnAnotherEditIsRefused(t *testing.T) {
	marks(t, 2, func(m *marker) {
		m.opens()
		_, err := m.Jobs.Pins.Set(m.T.Context(), m.Stored(m.id), m.links[0], order.Pin{ID: "a", Edit: "none", Words: "w"})
		require.ErrorIs(m.T, err, order.ErrPinPlace)
		require.Empty(m.T, m.pins())
	})
}

func TestOfManyPinsTheFormShowsTheFirst(t *testing.T) {
	marks(t, 7, func(m *marker) {
		window := m.opens()
		for id := range strings.FieldsSeq("a b c d e f g") {
			require.NoError(m.T, m.pin(id, 7, "Pin "+id))
		}
		require.Contains(m.T, m.Shows(window), "5: (right) Pin e")
		require.NotContains(m.T, m.Shows(window), "6: (right)")
		require.Contains(m.T, m.Shows(window), "and 2 more pins")
		require.Contains(m.T, m.Shows(window), "Edit Changes: 7")
	})
}

func TestTheTextForTheEditorHasThePins(t *testing.T) {
	marks(t, 2, func(m *marker) {
		m.opens()
		require.NoError(m.T, m.pin("a", 1, "Remove the stain"))
		d, err := m.Store.Pins.Read(m.T.Context(), m.id, "maria")
		require.NoError(m.T, err)
		typed := cardschange.Changes{All: "Warmer"}.WithPins("maria", d)
		require.Equal(m.T, "1 · 1.jpg: 1: (right) Remove the stain\nAll other photos: Warmer", typed.Text(m.Stored(m.id)))
	})
}

// A form that is emptied has no pins either, and its page sets none.
func TestEmptyingTheFormRemovesItsPins(t *testing.T) {
	marks(t, 2, func(m *marker) {
		m.opens()
		link := m.links[len(m.links)-1]
		require.NoError(m.T, m.pin("a", 1, "Remove the stain"))
		view := m.FilledIn(m.opens(), map[string]string{"2 · 2.jpg": "Warmer"})
		m.Click(bot.Request{Kind: bot.KindAction, Name: kit.ActionTyped + "image", User: "maria", View: &view, ActionTS: "1763706001.000001"})
		window := m.opens()
		view = m.FilledIn(window, nil)
		m.Click(bot.Request{Kind: bot.KindAction, Name: kit.ActionClear, User: "maria", View: &view, ActionTS: "1763706002.000001"})
		require.NotContains(m.T, m.Shows(window), "Remove the stain")
		require.Contains(m.T, m.Shows(window), "Mark on the Pictures")
		require.Empty(m.T, m.pins())
		require.ErrorIs(m.T, m.pinBy(link, "b", 1, "By the old page"), store.ErrPinsSent)
		require.NoError(m.T, m.pin("c", 2, "By the new link"))
		require.Contains(m.T, m.Shows(window), "1: (right) By the new link")
	})
}

// Without pins a form ends its links, too: the page would call a pin saved that nobody sends.
func TestAFormWithoutPinsEndsItsLinksWhenItIsSent(t *testing.T) {
	marks(t, 2, func(m *marker) {
		window := m.opens()
		m.Sends("maria", window, map[string]string{"1 · 1.jpg": "Warmer"})
		require.ErrorIs(m.T, m.pinBy(m.links[0], "a", 1, "Too late"), store.ErrPinsSent)
	})
}

// Of two who mark and send at once, one is heard. The other is told, and keeps the pins.
func TestOfTwoWhoMarkAndSendTheSecondKeepsThePins(t *testing.T) {
	marks(t, 2, func(m *marker) {
		marias := m.opens()
		mine := m.links[len(m.links)-1]
		bens := m.Opens("ben", cards.ActionRevise, cards.Value(m.id, 0))
		require.Equal(m.T, "ben", m.links[len(m.links)-1].User)
		require.NoError(m.T, m.pin("b", 1, "Ben's stain"))
		require.NoError(m.T, m.pinBy(mine, "a", 2, "Maria's stain"))
		require.NotContains(m.T, m.Shows(bens), "Maria's stain")
		m.Sends("ben", bens, nil)
		m.Sends("maria", marias, nil)
		require.Equal(m.T, []map[string][]string{{"i1": {"1: (right) Ben's stain"}}}, m.Asked())
		require.Contains(m.T, m.Shows(marias), "1: (right) Maria's stain", "she can copy it, or send it to the editor")
		require.Len(m.T, m.pins(), 1)
	})
}

// A guest sees the order and may not change it.
func TestAGuestSetsNoPin(t *testing.T) {
	marks(t, 2, func(m *marker) {
		m.opens()
		link := m.links[len(m.links)-1]
		m.SetUpWorkspace()
		link.User = "ines"
		require.ErrorIs(m.T, m.pinBy(link, "a", 1, "Mine"), store.ErrMayNotPin)
		_, err := m.Jobs.Pins.Draft(m.T.Context(), m.Stored(m.id), link)
		require.ErrorIs(m.T, err, store.ErrMayNotPin)
		require.Empty(m.T, m.pins())
	})
}

// A window that has moved on keeps what it shows: the pins are for the form that was there.
func TestPinsAreNotShownInAWindowThatMovedOn(t *testing.T) {
	late := func(m *marker, link store.Marking) {
		require.NoError(m.T, m.Jobs.Putter.Put(m.T.Context(), job.ShowPins, "late", "order:"+m.id, link))
		m.Settle(2e9)
	}
	marks(t, 2, func(m *marker) { // it was sent
		window := m.opens()
		m.Sends("maria", window, map[string]string{"Photo 1 is good": "Photo 1 is good"})
		require.Contains(m.T, m.Shows(window), "Ticks saved")
		late(m, m.links[0])
		require.Contains(m.T, m.Shows(window), "Ticks saved")
	})
	marks(t, 2, func(m *marker) { // its photos were replaced
		window := m.opens()
		before := m.Shows(window)
		m.Service.Edit(m.id, func(o *order.Order) {
			o.EditedImages = append(o.EditedImages, order.EditedImage{ID: "i3", Name: "3.jpg", Thumb: "https://e.com/3.jpg"})
		})
		m.Record()
		late(m, m.links[0])
		require.Equal(m.T, before, m.Shows(window), "she has not been told of the newer photos")
	})
}
