package commands_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards"
	"darkroom/commands"
	"darkroom/commands/commandstest"
	"darkroom/order"
	"darkroom/upstream"
)

func TestReferenceImagesOfALineAreAddedAtOnce(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InReview()
		r.Types("reference order1 https://e.com/a.jpg <https://e.com/b.jpg|e.com/b.jpg>")
		require.Equal(r.T, []upstream.RefImage{{URL: "https://e.com/a.jpg"}, {URL: "https://e.com/b.jpg"}}, r.Service.References)
		require.Contains(r.T, r.Screen.LastMessage(), "2 reference photos")
		require.Equal(r.T, []string{"https://e.com/a.jpg", "https://e.com/b.jpg"}, r.Events(order.EventReferences)[0].Words)
		require.Equal(r.T, "maria", r.Events(order.EventReferences)[0].Actor)
	})
}

func TestReferenceImagesThatCannotBeSentAreNamed(t *testing.T) {
	for name, test := range map[string]struct{ line, says string }{
		"no address": {"reference order1 ftp://e.com/a.jpg", "ftp://e.com/a.jpg"},
		"twice":      {"reference order1 https://e.com/a.jpg https://e.com/a.jpg", "Listed more than once"},
		"too many":   {"reference order1 " + many(51), "51"},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.InReview()
				r.Types(test.line)
				require.Empty(r.T, r.Service.References)
				require.Contains(r.T, r.Screen.LastMessage(), test.says)
			})
		})
	}
}

func many(n int) string {
	var urls []string
	for i := range n {
		urls = append(urls, "https://e.com/"+strings.Repeat("x", i+1)+".jpg")
	}
	return strings.Join(urls, " ")
}

func TestPhotosOfAMessageAreGivenAsReference(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.InThread()
		r.Signs()
		r.Shortcut(commands.ShortcutReference, commandstest.SharedPhoto("7.7"))
		require.Contains(r.T, r.Screen.Modal(), "image.png")
		require.Contains(r.T, r.Screen.Modal(), "terms.pdf: this is not a photo")
		require.Contains(r.T, r.Screen.Modal(), "drive.jpg: it is not stored in Slack")
		require.Contains(r.T, commandstest.Text(r.Fills(nil).Body), "Choose the order")

		var given string
		r.Service.NextReference = append(r.Service.NextReference, commandstest.Lost)
		r.Fills(map[string]string{"Order": cards.Value(id, 0), "Photo links": "https://e.com/b.jpg"})
		r.Settle(time.Minute)
		require.Len(r.T, r.Service.References, 2, "a new address would have made it another photo")
		given = r.Service.References[0].URL
		require.Contains(r.T, given, "https://darkroom.example.com/files/")
		require.Contains(r.T, r.Screen.Modal(), "2 reference photos")
		require.Equal(r.T, []string{"image.png", "https://e.com/b.jpg"}, r.Events(order.EventReferences)[0].Words)
	})
}

func TestWithoutAPublicAddressOnlyURLsAreOffered(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InThread()
		r.Sign(nil)
		r.Shortcut(commands.ShortcutReference, commandstest.SharedPhoto(commandstest.CardTS))
		require.Contains(r.T, r.Screen.Modal(), "cannot pass on photos")
		require.Contains(r.T, commandstest.Text(r.Fills(nil).Body), "Add at least one photo or photo link")
		r.Fills(map[string]string{"Photo links": "https://e.com/b.jpg"})
		require.Len(r.T, r.Service.References, 1)
	})
}

func TestPhotosAreOnlyForWhoWasShownThem(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InThread()
		r.Signs()
		r.Shortcut(commands.ShortcutReference, commandstest.SharedPhoto(commandstest.CardTS))
		form := r.Filled("peter", nil)
		reply, err := r.Handle(r.T.Context(), form)
		require.NoError(r.T, err)
		require.Contains(r.T, commandstest.Text(reply.Body), "no longer keep the photos")
		r.Settle(time.Second)
		require.Empty(r.T, r.Service.References)
	})
}

func TestThePhotosThatCannotBeGivenAsReferenceAreNamed(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Signs()
		r.Shortcut(commands.ShortcutReference, commandstest.SharedPhoto("")) // there is no order yet
		require.Contains(r.T, r.Screen.Modal(), "image.png")
		require.NotContains(r.T, r.Screen.Modal(), `"type":"input"`, "there is no form")
	})
}
