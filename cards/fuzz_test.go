package cards_test

import (
	"testing"
	"unicode/utf8"

	"darkroom/cards"
	"darkroom/cards/cardstest"
	"darkroom/cards/change"
	"darkroom/cards/home"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/cards/settings"
	"darkroom/cards/talk"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

// FuzzDecodeForms decodes random forms: no panic, and accepted input can be shown again.
func FuzzDecodeForms(f *testing.F) {
	o := cardstest.Of("beach", 3).Tracked(order.StatusEditing)
	draft := store.Draft{ID: "d", URLs: []string{"https://e.com/a.jpg", "https://e.com/b.jpg"}}
	cardstest.FuzzViews(f, func(t *testing.T, view slack.View) {
		t.Helper()
		if c, problems := change.DecodeCancel(view); len(problems) == 0 {
			cardstest.CheckLimits(t, change.CancelRefused(o, c.Words, nil, "x"))
		}
		if letter, problems := talk.DecodeMessage(view); len(problems) == 0 {
			require.LessOrEqual(t, utf8.RuneCountInString(letter.Text), order.MaxMessage)
			cardstest.CheckLimits(t, talk.MessageLater(o, letter.Text, "x"))
		}
		if form, problems := talk.DecodeReference(view, 0); len(problems) == 0 {
			require.NotEmpty(t, form.URLs)
			cardstest.CheckLimits(t, talk.ReferencesLater(o, form.URLs, "x"))
		}
		if form, problems := cards.DecodeMove(view); len(problems) == 0 {
			require.NotEmpty(t, form.Channel)
		}
		if edit := settings.ReadEdit(view, settings.Values{Account: &store.Account{}}); edit.Problems == nil {
			cardstest.CheckLimits(t, edit.Window("x"))
		}
		_ = place.DecodeImages(view, draft)
		_ = place.DecodeTyped(view)
	})
}

// FuzzValues parses random values: an accepted value is written back the same.
func FuzzValues(f *testing.F) {
	for _, seed := range []string{"", ":r", "84521:r0", "84521:r-1", "a:r1:r2", "d1:F1", ":", `{"order":"84521","revision":1}`, "true:editing"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if order, revision, ok := cards.ParseValue(s); ok {
			again, same, ok := cards.ParseValue(cards.Value(order, revision))
			require.True(t, ok)
			require.Equal(t, order, again)
			require.Equal(t, revision, same)
		}
		if draft, file, ok := place.ParsePhotoValue(s); ok {
			require.Equal(t, s, place.PhotoValue(draft, file))
		}
		if filter, ok := home.ParseFilter(s); ok {
			require.Equal(t, s, filter.Value())
		}
		if m := kit.DecodeMeta(s); len(s) < kit.MaxMetadata/8 { // escaping makes it six times as long at most
			require.Equal(t, m, kit.DecodeMeta(m.Encode()))
		}
	})
}
