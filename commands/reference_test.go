package commands

import (
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/upstream"
)

// adds is maria filling in the form for reference images that was opened last.
func (r *rig) adds(fields map[string]string) bot.Reply {
	r.t.Helper()
	reply, err := r.handle(r.t.Context(), r.filled("maria", fields))
	require.NoError(r.t, err)
	r.settle(time.Second)
	return reply
}

func TestReferenceImagesOfALineAreAddedAtOnce(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inReview()
		r.types("reference order1 https://e.com/a.jpg <https://e.com/b.jpg|e.com/b.jpg>")
		require.Equal(r.t, []upstream.RefImage{{URL: "https://e.com/a.jpg"}, {URL: "https://e.com/b.jpg"}}, r.service.references)
		require.Contains(r.t, r.screen.lastTold(), "2 reference images")
		require.Equal(r.t, []string{"https://e.com/a.jpg", "https://e.com/b.jpg"}, r.eventsOf(order.EventReferences)[0].Words)
		require.Equal(r.t, "maria", r.eventsOf(order.EventReferences)[0].Actor)
	})
}

func TestReferenceImagesThatCannotBeSentAreNamed(t *testing.T) {
	for name, test := range map[string]struct{ line, says string }{
		"no address": {"reference order1 ftp://e.com/a.jpg", "ftp://e.com/a.jpg"},
		"twice":      {"reference order1 https://e.com/a.jpg https://e.com/a.jpg", "Listed more than once"},
		"too many":   {"reference order1 " + many(51), "51"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.inReview()
				r.types(test.line)
				require.Empty(r.t, r.service.references)
				require.Contains(r.t, r.screen.lastTold(), test.says)
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

func TestReferenceImagesOfUnknownOutcome(t *testing.T) {
	for name, answers := range map[string][]func(func() order.Order) (order.Order, error){
		"that arrived":        {lost},
		"that did not":        {never, never},
		"of an app that died": {killed},
		"that never left":     {unsent, unsent, unsent},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.inReview()
				r.service.nextReference = answers
				r.types("reference order1 https://e.com/a.jpg")
				r.settle(5 * time.Minute)
				require.Len(r.t, r.service.references, 1)
				require.Len(r.t, r.eventsOf(order.EventReferences), 1)
				require.Contains(r.t, r.screen.lastTold(), "1 reference image")
			})
		})
	}
}

func TestADuplicateImageAtTheFirstTryIsShown(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inReview()
		r.types("reference order1 https://e.com/a.jpg")
		r.types("reference order1 https://e.com/a.jpg")
		require.Contains(r.t, r.screen.lastTold(), "has these images already")
		require.Contains(r.t, r.screen.lastTold(), "https://e.com/a.jpg")
	})
}

func TestAServiceWithoutReferenceImagesSaysSo(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inReview()
		r.service.nextReference = append(r.service.nextReference, func(func() order.Order) (order.Order, error) {
			return order.Order{}, &order.Error{Op: "reference", Outcome: order.ErrNoSuchPath}
		})
		r.types("reference order1 https://e.com/a.jpg")
		require.Contains(r.t, r.screen.lastTold(), "This service does not offer that")
		require.Contains(r.t, r.screen.lastTold(), "https://e.com/a.jpg")
	})
}

// shared is a message with a picture and something else.
func shared(thread string) slack.Msg {
	return slack.Msg{User: "peter", Text: "Look", Timestamp: "200.1", ThreadTimestamp: thread, Files: []slack.File{
		{ID: "F1", Name: "image.png", Mimetype: "image/png", Size: 1000},
		{ID: "F2", Name: "terms.pdf", Mimetype: "application/pdf", Size: 1000},
		{ID: "F3", Name: "drive.jpg", Mimetype: "image/jpeg", Size: 1000, IsExternal: true},
	}}
}

func TestPhotosOfAMessageAreGivenAsReference(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.inThread()
		r.signs()
		r.shortcut(ShortcutReference, shared("7.7"))
		require.Contains(r.t, r.screen.modal(), "image.png")
		require.Contains(r.t, r.screen.modal(), "terms.pdf: this is no picture")
		require.Contains(r.t, r.screen.modal(), "drive.jpg: it is not stored in Slack")
		require.Contains(r.t, text(r.adds(nil).Body), "Choose the order")

		var given string
		r.service.nextReference = append(r.service.nextReference, lost)
		r.adds(map[string]string{"Order": cards.Value(id, 0), "Image URLs": "https://e.com/b.jpg"})
		r.settle(time.Minute)
		require.Len(r.t, r.service.references, 2, "a new address would have made it another photo")
		given = r.service.references[0].URL
		require.Contains(r.t, given, "https://darkroom.example.com/files/")
		require.Contains(r.t, r.screen.modal(), "2 reference images")
		require.Equal(r.t, []string{"image.png", "https://e.com/b.jpg"}, r.eventsOf(order.EventReferences)[0].Words)
	})
}

func TestTwoPhotosOfOneNameAreTwoEvents(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inThread()
		r.signs()
		for range 2 {
			r.shortcut(ShortcutReference, shared(card))
			r.adds(nil)
			r.settle(time.Second)
		}
		require.Len(r.t, r.service.references, 2)
		require.Len(r.t, r.eventsOf(order.EventReferences), 2)
	})
}

func TestWithoutAPublicAddressOnlyURLsAreOffered(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inThread()
		r.sign(nil)
		r.shortcut(ShortcutReference, shared(card))
		require.Contains(r.t, r.screen.modal(), "no public address")
		require.Contains(r.t, text(r.adds(nil).Body), "Give at least one image URL")
		r.adds(map[string]string{"Image URLs": "https://e.com/b.jpg"})
		require.Len(r.t, r.service.references, 1)
	})
}

func TestARefusalNamesThePhotoAndNotItsAddress(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inThread()
		r.signs()
		r.shortcut(ShortcutReference, shared(card))
		form := r.filled("maria", map[string]string{"Instruction": "The light"})
		kept, err := r.jobs.Album(r.t.Context(), cards.DecodeMeta(form.View.PrivateMetadata).Note, "maria")
		require.NoError(r.t, err)
		r.service.nextReference = append(r.service.nextReference, refused("one file is not accessible from our server: "+kept.Photos[0].URL))
		_, err = r.handle(r.t.Context(), form)
		require.NoError(r.t, err)
		r.settle(time.Second)
		require.Contains(r.t, r.screen.modal(), "not accessible from our server: image.png")
		require.NotContains(r.t, r.screen.modal(), kept.Photos[0].URL)
		require.Contains(r.t, r.screen.modal(), "The light")
		r.adds(nil) // everything is still there
		require.Len(r.t, r.service.references, 1)
		require.Equal(r.t, kept.Photos[0].URL, r.service.references[0].URL)
	})
}

func TestPhotosAreOnlyForWhoWasShownThem(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inThread()
		r.signs()
		r.shortcut(ShortcutReference, shared(card))
		form := r.filled("peter", nil)
		reply, err := r.handle(r.t.Context(), form)
		require.NoError(r.t, err)
		require.Contains(r.t, text(reply.Body), "no longer keep the photos")
		r.settle(time.Second)
		require.Empty(r.t, r.service.references)
	})
}

// A line typed again because it was not confirmed is another job; the service takes an
// image once, so its thread tells of it once, whatever the second answer was.
func TestTheSameImageInTwoLinesIsOneEvent(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inReview()
		r.types("reference order1 https://e.com/a.jpg")
		r.service.nextReference = append(r.service.nextReference, never)
		r.types("reference order1 https://e.com/a.jpg")
		r.settle(time.Minute)
		require.Len(r.t, r.service.references, 1)
		require.Len(r.t, r.eventsOf(order.EventReferences), 1)
	})
}
