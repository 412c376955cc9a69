package cards

import (
	"testing"
	"unicode/utf8"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
)

// FuzzDecodeForms reads rubbish in the forms that have no target of their own: never a
// panic, and what is accepted can be shown again.
func FuzzDecodeForms(f *testing.F) {
	o := scene{"beach", 3}.tracked(order.StatusEditing)
	draft := store.Draft{ID: "d", URLs: []string{"https://e.com/a.jpg", "https://e.com/b.jpg"}}
	fuzzViews(f, func(t *testing.T, view slack.View) {
		t.Helper()
		if c, problems := DecodeCancel(view); len(problems) == 0 {
			checkLimits(t, CancelRefused(o, c.Words, nil, "x"))
		}
		if letter, problems := DecodeMessage(view); len(problems) == 0 {
			require.LessOrEqual(t, utf8.RuneCountInString(letter.Text), order.MaxMessage)
			checkLimits(t, MessageLater(o, letter.Text, "x"))
		}
		if form, problems := DecodeReference(view, 0); len(problems) == 0 {
			require.NotEmpty(t, form.URLs)
			checkLimits(t, ReferencesLater(o, form.URLs, "x"))
		}
		if form, problems := DecodeMove(view); len(problems) == 0 {
			require.NotEmpty(t, form.Channel)
		}
		if edit := EditSettings(view, store.Settings{}, &store.Account{}); edit.Problems == nil {
			checkLimits(t, edit.Form("x"))
		}
		_ = DecodeNewImages(view, draft)
		_ = DecodeTyped(view)
	})
}

// FuzzValues reads what buttons, selects and windows carry: what is taken for ours reads
// back the same.
func FuzzValues(f *testing.F) {
	for _, seed := range []string{"", ":r", "84521:r0", "84521:r-1", "a:r1:r2", "d1:F1", ":", `{"order":"84521","revision":1}`, "true:editing"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if order, revision, ok := ParseValue(s); ok {
			again, same, ok := ParseValue(Value(order, revision))
			require.True(t, ok)
			require.Equal(t, order, again)
			require.Equal(t, revision, same)
		}
		if draft, file, ok := ParsePhotoValue(s); ok {
			require.Equal(t, s, PhotoValue(draft, file))
		}
		if filter, ok := ParseHomeFilter(s); ok {
			require.Equal(t, s, filter.value())
		}
		if m := DecodeMeta(s); len(s) < maxMetadata/8 { // escaping makes it six times as long at most
			require.Equal(t, m, DecodeMeta(m.encode()))
		}
	})
}
