// Package cardstest has what the tests of cards and its sub-packages share: scenes of orders, golden
// files, and a checker of Slack's limits.
package cardstest

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/shopspring/decimal"
)

// Many returns n orders in all states.
func (s Scene) Many(n int) []store.Tracked {
	states := []order.Status{order.StatusReviewing, order.StatusReviewing, order.StatusEditing, order.StatusRevising, order.StatusPaused, order.StatusClosed, order.StatusCanceled}
	orders := make([]store.Tracked, n)
	for i := range orders {
		orders[i] = s.Tracked(states[i*len(states)/n])
		orders[i].ID = fmt.Sprintf("10%d", i)
	}
	return orders
}

// Now is the time of all scenes.
var Now = time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)

// Scene is one row of the golden files: a text and a number of images.
type Scene struct {
	Words  string
	Images int
	Names  map[string]string // of people, for messages in a channel: see [store.Tracked]
}

// InChannel returns the scene as messages in a channel show it, which name people.
func (s Scene) InChannel() Scene {
	s.Names = map[string]string{"U0MARIA": "Maria", "U0PETER": s.Words, "U0OLGA": "Olga", "U0BEN": "Ben"}
	return s
}

// Scenes returns the scenes of the golden files by name.
func Scenes() map[string]Scene {
	return map[string]Scene{
		"plain":             {Words: "Smith wedding", Images: 3},
		"markup":            {Words: "<!channel> *&* _so_ :tada:", Images: 3},
		"long_title":        {Words: strings.Repeat("Weddings & more ", 19)[:300], Images: 3},
		"many_images":       {Words: "Smith wedding", Images: 50},
		"right_to_left":     {Words: "חתונה של סמית 🎉 عرس", Images: 3},
		"one_image":         {Words: "Smith wedding", Images: 1},
		"twelve_images":     {Words: "Smith wedding", Images: 12},
		"eighty_characters": {Words: strings.Repeat("Summer catalogue, beach ", 4)[:80], Images: 3},
	}
}

// Edited returns the edited images of a round.
func (s Scene) Edited(revision int) []order.EditedImage {
	images := make([]order.EditedImage, s.Images)
	for i := range images {
		images[i] = order.EditedImage{
			ID: fmt.Sprintf("sh38nsk%d", i+1), Name: fmt.Sprintf("%s %d.jpg", s.Words, i+1),
			Width: 4000, Height: 3000, Size: "3.2MB", Revision: revision, UploadedAt: Now.Add(-time.Hour),
			Thumb:  fmt.Sprintf("https://photos.example.com/thumbs/sh38nsk%d.jpg?a=1&b=2", i+1),
			Origin: fmt.Sprintf("https://photos.example.com/full/8f742231b10e8888abcd99/sh38nsk%d.jpg?a=1&b=2", i+1),
		}
	}
	return images
}

func (s Scene) order(status order.Status) order.Order {
	revision := 0
	o := order.Order{
		ID: "1042", ProjectName: s.Words + " [K7Q2XM]", CustomerID: "77",
		Price: decimal.NewNullDecimal(decimal.RequireFromString("12.5")), Status: status,
		OrderedAt: Now.Add(-5 * time.Minute), EstimatedDelivery: Now.Add(24 * time.Hour),
	}
	switch status {
	case order.StatusReviewing:
		revision, o.EditedImages, o.RevisionRequestedAt = 1, s.Edited(1), Now.Add(-2*time.Minute)
	case order.StatusClosed:
		revision, o.ClosedAt = 1, Now
	case order.StatusCanceled:
		o.CanceledAt = Now
	}
	o.Revision = &revision
	return o
}

// Tracked returns an order of the scene.
func (s Scene) Tracked(status order.Status) store.Tracked {
	b := s.Brief()
	return store.Tracked{
		ID: "1042", Reference: "K7Q2XM", Images: b.Edited(), References: len(b.References()), Brief: &b,
		Known: order.Known{Order: s.order(status)},
		Owner: store.Owner{Team: "T1", Channel: "C0PHOTOS", Requester: "U0MARIA", Generation: 2},
		Names: s.Names,
	}
}

// Brief returns a brief with instructions for every other image, and a reference.
func (s Scene) Brief() order.Brief {
	b := order.Brief{By: "U0MARIA", Instructions: []string{s.Words, "Warmer light"}, Service: order.ServiceBasic, CustomerID: "77"}
	for i := range s.Images {
		source := order.Source{Name: fmt.Sprintf("%s %d.jpg", s.Words, i+1)}
		if i%2 == 1 {
			source.Service, source.Instruction = order.ServiceExtensive, s.Words
		}
		b.Sources = append(b.Sources, source)
	}
	b.Sources = append(b.Sources, order.Source{Name: s.Words + ".png", URL: "https://example.com/mood.png", Service: order.ServiceReference, Instruction: s.Words})
	return b
}

// Event returns an event of the order.
func (s Scene) Event(kind order.EventKind, status order.Status) order.Event {
	e := order.Event{Seq: 3, ID: string(kind) + ":x", Kind: kind, Actor: "U0PETER", Order: s.order(status), At: Now}
	switch kind {
	case "placed":
		e.Credits = decimal.NewNullDecimal(decimal.NewFromInt(88))
	case "changes":
		e.PerImage = map[string][]string{"sh38nsk1": {s.Words, "Brighter"}, "unknown": {s.Words}}
		e.Words = []string{s.Words}
	case "approved", "canceled", "message", "editor", "references":
		e.Words = []string{s.Words, "Thank you"}
	}
	return e
}

// Late returns an editor's message of an earlier round.
func (s Scene) Late() order.Event {
	e := s.Event("editor", order.StatusReviewing)
	e.Order.Revision, e.Revision = new(2), new(1)
	return e
}

// Deactivated returns an order whose requester has left.
func (s Scene) Deactivated(status order.Status) store.Tracked {
	t := s.Tracked(status)
	t.Owner.Deactivated = s.Words
	return t
}

// Draft returns a draft with the text of the scene.
func (s Scene) Draft() store.Draft {
	return store.Draft{
		ID: "d1", Channel: "C0PHOTOS", Service: order.ServiceExtensive, Attempt: 1, Reference: "K7Q2XM",
		URLs: s.URLs(), Instructions: []string{s.Words, "Warmer light"}, ProjectName: kit.Clip(s.Words, order.MaxProjectName), CustomerID: "77",
	}
}

// URLs returns addresses of images.
func (s Scene) URLs() []string {
	urls := make([]string, s.Images)
	for i := range urls {
		urls[i] = fmt.Sprintf("https://photos.example.com/originals/2026/november/the-smith-wedding/IMG_%04d.jpg", i+1)
	}
	return urls
}

// Problems returns reasons of the service.
func (s Scene) Problems() kit.Problems {
	return kit.Problems{"insufficient balance: 2 credits", "one file is not accessible from our server: " + s.URLs()[0], s.Words}
}

// Links builds links to this workspace.
const Links = cards.Links("https://acme.slack.com/")

// Reviewed returns an order in review. Its review reply has the buttons.
func (s Scene) Reviewed() store.Tracked {
	t := s.Tracked(order.StatusReviewing)
	t.CardTS, t.Thread = "1795166700.000100", []store.Posted{{Event: 2, ID: "ready:r1", TS: "1795166800.000200", Buttons: true}}
	return t
}

// Waiting returns an order in review with more waiting requests than a card names.
func (s Scene) Waiting() store.Tracked {
	t := s.Reviewed()
	message := store.Wait{Verb: "message", Actor: "U0PETER"}
	t.Waits = []store.Wait{{Verb: "approve", Actor: "U0MARIA"}, message, message, {Verb: "reference", Actor: "U0PETER"}, {Verb: "cancel"}}
	t.WaitsUntil = Now.Add(time.Minute)
	return t
}

// Previews shows each image from the service's own address.
var Previews = cards.Thumbs{Show: true}

// Downloads are previews with a ZIP and a page that compares, whose URLs are as long as real ones.
var Downloads = cards.Thumbs{
	Show: true,
	ZIP: func(t store.Tracked) string {
		return "https://darkroom.example/files/zip/" + strings.Repeat("t", 100) + "/" + url.PathEscape(cards.ZIPName(t)) + ".zip"
	},
	Compare: func(store.Tracked) string { return "https://darkroom.example/review/" + strings.Repeat("t", 100) },
}

// Copies returns copies of every other preview.
func (s Scene) Copies() cards.Thumbs {
	copies := cards.Copies{}
	for i, image := range s.Edited(0) {
		if i%2 == 0 {
			copies[image.Thumb] = "F0" + strconv.Itoa(i)
		}
	}
	return cards.Thumbs{Show: true, Copies: copies}
}

// Kinds maps kinds of events to the status that follows.
func Kinds() map[order.EventKind]order.Status {
	return map[order.EventKind]order.Status{
		"placed": order.StatusEditing, "ready": order.StatusReviewing, "changes": order.StatusRevising, "approved": order.StatusClosed,
		"canceled": order.StatusCanceled, "paused": order.StatusPaused, "resumed": order.StatusEditing, "message": order.StatusEditing,
		"editor": order.StatusEditing, "references": order.StatusEditing, "moved": order.StatusEditing, "taken": order.StatusEditing, "tracked": order.StatusEditing,
		"untracked": order.StatusEditing, "gone": order.StatusEditing, "back": order.StatusEditing,
	}
}

// Photographed returns a draft with only Slack photos.
func (s Scene) Photographed() store.Draft {
	d := s.Draft()
	d.URLs, d.UpdatedAt = nil, Now
	for i := range s.Images {
		d.Files = append(d.Files, store.DraftFile{
			ID: fmt.Sprintf("F%09d", i+1), Name: fmt.Sprintf("%s %d.jpg", s.Words, i+1), Size: 3_400_000,
			URL: fmt.Sprintf("https://darkroom.example.com/files/8f742231b10e8888abcd99yyyzzz85a5-%d/photo.jpg", i+1),
		})
	}
	d.Each = map[string]store.PerImage{
		d.Files[0].URL: {Service: order.ServiceReference}, d.Files[s.Images-1].URL: {Service: order.ServiceBasic, Instruction: s.Words},
	}
	return d
}

// Rounds returns the events of two rounds. In the second round the images with these numbers are new; numbers
// beyond the last image mean the last.
func (s Scene) Rounds(changed ...int) []order.Event {
	first, second := s.Event(order.EventReady, order.StatusReviewing), s.Event(order.EventReady, order.StatusReviewing)
	asked := s.Event(order.EventChanges, order.StatusRevising)
	zero := 0
	first.Seq, first.ID, first.Order.Revision, first.Order.EditedImages = 2, "ready:r0", &zero, s.Edited(0)
	asked.ID = "changes:r1"
	second.Seq, second.ID, second.Order.EditedImages = 4, "ready:r1", s.Edited(0)
	for _, number := range changed {
		image := s.Edited(1)[min(number, s.Images)-1]
		image.ID += "b"
		second.Order.EditedImages = append(second.Order.EditedImages, image)
	}
	return []order.Event{first, asked, second}
}

// MarkedGood returns the order with its first images marked good.
func MarkedGood(t store.Tracked, good int) store.Tracked {
	t.Verdicts = order.Verdicts{}
	for _, image := range order.Latest(t.Order.EditedImages)[:good] {
		t.Verdicts[image.ID] = order.Verdict{Edit: image.Edit(), Good: true, By: "U0PETER", At: Now}
	}
	return t
}

// Of returns a scene.
func Of(words string, images int) Scene { return Scene{Words: words, Images: images} }
