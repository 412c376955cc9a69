package commands

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/files"
	"darkroom/jobs"
	"darkroom/order"
	"darkroom/store"
	"darkroom/upstream"
)

// sheet is an order form before maria: what is in its fields, as Slack keeps it.
type sheet struct {
	r      *rig
	window string
	held   map[string]slack.BlockAction // by block
	acts   int
}

// sheet is the modal that was opened last.
func (r *rig) sheet() *sheet {
	return &sheet{r: r, window: r.screen.last(), held: map[string]slack.BlockAction{}}
}

// withFiles can make photos public.
func (r *rig) withFiles() {
	r.t.Helper()
	signer, err := files.NewSigner("https://darkroom.example.com", []string{strings.Repeat("k", 32)})
	require.NoError(r.t, err)
	r.sign(signer)
}

// view is what Slack tells of it.
func (s *sheet) view() *slack.View {
	v := s.r.screen.view(s.window)
	v.ID, v.Hash, v.Type = "V"+s.window, "h", slack.VTModal
	v.State = &slack.ViewState{Values: map[string]map[string]slack.BlockAction{}}
	for _, b := range v.Blocks.BlockSet {
		in, ok := b.(*slack.InputBlock)
		if !ok {
			continue
		}
		id, value := initially(in)
		if held, ok := s.held[in.BlockID]; ok {
			value = held
		}
		v.State.Values[in.BlockID] = map[string]slack.BlockAction{id: value}
	}
	return &v
}

func initially(in *slack.InputBlock) (id string, a slack.BlockAction) {
	switch e := in.Element.(type) {
	case *slack.PlainTextInputBlockElement:
		id, a.Value = e.ActionID, e.InitialValue
	case *slack.SelectBlockElement:
		id, a.SelectedConversation = e.ActionID, e.InitialConversation
		if e.InitialOption != nil {
			a.SelectedOption = *e.InitialOption
		}
	case *slack.FileInputBlockElement:
		id = e.ActionID
	case *slack.CheckboxGroupsBlockElement:
		id = e.ActionID
		for _, option := range e.InitialOptions {
			a.SelectedOptions = append(a.SelectedOptions, *option)
		}
	}
	return id, a
}

// field is the block of the field with that label.
func (s *sheet) field(label string) string {
	s.r.t.Helper()
	for _, b := range s.r.screen.view(s.window).Blocks.BlockSet {
		if in, ok := b.(*slack.InputBlock); ok && in.Label.Text == label {
			return in.BlockID
		}
	}
	require.Fail(s.r.t, "no field "+label, s.shown())
	return ""
}

func (s *sheet) shown() string {
	s.r.screen.Lock()
	defer s.r.screen.Unlock()
	return s.r.screen.shown[s.window]
}

// types is maria typing into a field, letter by letter as Slack tells it.
func (s *sheet) types(label, words string) {
	s.r.t.Helper()
	s.held[s.field(label)] = slack.BlockAction{Value: words}
	s.dispatch()
}

func (s *sheet) dispatch() {
	s.r.t.Helper()
	s.acts++
	_, err := s.r.handle(s.r.t.Context(), bot.Request{
		Kind: bot.KindAction, ID: fmt.Sprint("typed", s.acts), Name: cards.ActionTyped, Team: "T1", User: "maria",
		View: s.view(), ActionTS: fmt.Sprintf("1763706000.%06d", s.acts),
	})
	require.NoError(s.r.t, err)
}

func (s *sheet) chooses(label, option string) {
	s.r.t.Helper()
	s.held[s.field(label)] = slack.BlockAction{SelectedOption: slack.OptionBlockObject{Value: option}}
}

func (s *sheet) ticks(label string, ticked bool) {
	s.r.t.Helper()
	a := slack.BlockAction{}
	if ticked {
		a.SelectedOptions = []slack.OptionBlockObject{{Value: "yes"}}
	}
	s.held[s.field(label)] = a
}

func (s *sheet) uploads(names ...string) {
	s.r.t.Helper()
	var given []slack.File
	for _, name := range names {
		given = append(given, slackPhoto(name))
	}
	s.held[s.field("Photos")] = slack.BlockAction{Files: given}
}

func slackPhoto(name string) slack.File {
	f := slack.File{ID: "F" + strings.ToUpper(jobs.Hash(name)[:8]), Name: name, Mimetype: "image/jpeg", Size: 3_000_000}
	if strings.HasSuffix(name, ".pdf") {
		f.Mimetype = "application/pdf"
	}
	return f
}

// submits presses the submit button, and shows what the answer says.
func (s *sheet) submits() map[string]string {
	s.r.t.Helper()
	view := s.view()
	s.r.clicks++
	q := bot.Request{
		Kind: bot.KindSubmit, ID: fmt.Sprintf("submit%d", s.r.clicks), Name: view.CallbackID,
		Team: "T1", User: "maria", View: view, At: time.Now(),
	}
	reply, err := s.r.handle(s.r.t.Context(), q)
	require.NoError(s.r.t, err)
	raw, err := json.Marshal(reply.Body)
	require.NoError(s.r.t, err)
	require.Less(s.r.t, len(raw), 20_480, "a frame of Socket Mode")
	answer := reply.Body.(*slack.ViewSubmissionResponse)
	if answer.View != nil {
		_, err = s.r.screen.UpdateView(s.r.t.Context(), s.window, "", "", *answer.View)
		require.NoError(s.r.t, err)
	}
	s.r.settle(time.Second)
	return answer.Errors
}

func (s *sheet) presses(action, value string) {
	s.r.t.Helper()
	s.r.click(bot.Request{Kind: bot.KindAction, Name: action, Value: value, View: s.view()})
}

// closes is maria closing the modal; she opens another one later.
func (s *sheet) closes() { s.r.screen.closes() }

func (s *sheet) problem(errors map[string]string, label string) string {
	s.r.t.Helper()
	return errors[s.field(label)]
}

// ordered is the only order that the service got.
func (r *rig) ordered() upstream.NewOrder {
	r.t.Helper()
	r.service.Lock()
	defer r.service.Unlock()
	require.Len(r.t, r.service.placed, 1)
	return r.service.placed[0]
}

func TestWhatIsTypedIsOfferedAgain(t *testing.T) {
	bubble(t, func(r *rig) {
		r.types("new")
		first := r.sheet()
		first.types("Instructions", "Brighten the sk")
		first.types("Instructions", "Brighten the sky.")
		first.types("Image URLs", "https://example.com/a.jpg\nnot yet a U")
		first.closes()
		require.Empty(r.t, r.screen.lastTold(), "closing makes no noise")

		r.types("new")
		second := r.sheet()
		require.Contains(r.t, second.shown(), "unfinished order")
		require.Contains(r.t, second.shown(), "Brighten the sky.")
		second.types("Project name", "Another")
		second.presses(cards.ActionOpen, r.draft().ID)
		require.NotContains(r.t, second.shown(), "Another", "it is the other draft's form")
		require.Contains(r.t, second.shown(), "not\\nyet\\na\\nU", "as it was typed")
		second.types("Image URLs", "https://example.com/a.jpg")
		require.Empty(r.t, second.submits())
		require.Contains(r.t, second.shown(), "Order placed")

		r.types("new")
		require.NotContains(r.t, r.sheet().shown(), "Brighten the sky.", "what was placed is not offered")
		require.Contains(r.t, r.sheet().shown(), "Another", "what was left for it is")
	})
}

func TestADiscardedDraftIsNotOfferedAndTheFormStays(t *testing.T) {
	bubble(t, func(r *rig) {
		r.types("new https://example.com/a.jpg")
		r.screen.closes()
		r.types("new")
		form := r.sheet()
		form.types("Instructions", "Keep the sand.")
		form.presses(cards.ActionDiscard, r.draft().ID)
		require.NotContains(r.t, form.shown(), "unfinished order")
		require.Contains(r.t, form.shown(), "Keep the sand.")
		require.Equal(r.t, store.DraftDiscarded, r.draft().State)
	})
}

func TestOnlyTheirOwnDraftIsOffered(t *testing.T) {
	bubble(t, func(r *rig) {
		r.types("new https://example.com/a.jpg")
		r.click(bot.Request{Kind: bot.KindCommand, Name: Slash, Verb: "new", User: "peter"})
		require.NotContains(r.t, r.screen.modal(), "unfinished")
		r.click(bot.Request{Kind: bot.KindAction, Name: cards.ActionOpen, Value: r.draft().ID, User: "peter"})
		require.Contains(r.t, r.screen.lastTold(), "no longer have this draft")
	})
}

func TestALateKeystrokeDoesNotUndoALaterOne(t *testing.T) {
	bubble(t, func(r *rig) {
		r.types("new")
		form := r.sheet()
		form.types("Instructions", "Bright")
		late := form.acts
		form.types("Instructions", "Brighten")
		form.held[form.field("Instructions")] = slack.BlockAction{Value: "Bright"}
		form.acts = late - 1
		form.dispatch()
		require.Equal(r.t, []string{"Brighten"}, r.draft().Instructions)
	})
}

func TestWhatIsTypedAfterPlacingChangesNothing(t *testing.T) {
	bubble(t, func(r *rig) {
		r.types("new https://example.com/a.jpg")
		form := r.sheet()
		form.types("Instructions", "Brighten.")
		late := form.view()
		require.Empty(r.t, form.submits())
		_, err := r.handle(r.t.Context(), bot.Request{
			Kind: bot.KindAction, Name: cards.ActionTyped, View: late, Team: "T1", User: "maria", ActionTS: "9",
		})
		require.NoError(r.t, err)
		require.Equal(r.t, store.DraftPlaced, r.draft().State)
	})
}

func TestPhotosAreOrderedBeforeTheURLs(t *testing.T) {
	bubble(t, func(r *rig) {
		r.withFiles()
		r.types("new https://example.com/c.jpg")
		form := r.sheet()
		form.types("Instructions", "Brighten.")
		form.uploads("a.jpg", "b.jpg")
		require.Empty(r.t, form.submits())
		require.Contains(r.t, form.shown(), "Order placed")
		images := r.ordered().Images
		require.Len(r.t, images, 3)
		require.Regexp(r.t, `^https://darkroom\.example\.com/files/.+/a\.jpg$`, images[0].URL)
		require.Contains(r.t, images[1].URL, "/b.jpg")
		require.Equal(r.t, "https://example.com/c.jpg", images[2].URL)
		order, err := r.store.Order(r.t.Context(), "order1")
		require.NoError(r.t, err)
		require.Equal(r.t, 3, order.Images)
	})
}

func TestMorePhotosThanOneUploadHolds(t *testing.T) {
	bubble(t, func(r *rig) {
		r.withFiles()
		r.types("new")
		form := r.sheet()
		for part := range 4 {
			var names []string
			for i := range 10 {
				names = append(names, fmt.Sprintf("p%d%d.jpg", part, i))
			}
			form.uploads(names...)
			form.ticks("Add more photos", true)
			require.Empty(r.t, form.submits())
			require.Contains(r.t, form.shown(), fmt.Sprintf("%d photos kept", 10*(part+1)))
		}
		require.Contains(r.t, form.shown(), "40 · p39.jpg")
		form.uploads("q0.jpg")
		form.types("Image URLs", strings.Repeat("https://example.com/a.jpg ", 1)+"https://example.com/b.jpg")
		form.types("Instructions", "Brighten.")
		require.Empty(r.t, form.submits())
		require.Len(r.t, r.ordered().Images, 43)
	})
}

func TestAPhotoThatIsTakenOutIsNotOrdered(t *testing.T) {
	bubble(t, func(r *rig) {
		r.withFiles()
		r.types("new")
		form := r.sheet()
		form.uploads("a.jpg", "b.jpg")
		form.ticks("Add more photos", true)
		form.submits()
		form.types("Instructions", "Brighten.")
		form.uploads("c.jpg") // not submitted yet
		r.screen.moved = 1
		stale := form.view()
		form.presses(cards.ActionRemove, cards.PhotoValue(r.draft().ID, slackPhoto("a.jpg").ID))
		require.NotContains(r.t, form.shown(), "a.jpg")
		require.Contains(r.t, form.shown(), "2 · c.jpg", "what was in the field is kept")
		require.Contains(r.t, form.shown(), "Brighten.")

		// A submission of the window from before shows the photo still.
		reply, err := r.handle(r.t.Context(), bot.Request{
			Kind: bot.KindSubmit, ID: "s", Name: cards.CallbackNew, Team: "T1", User: "maria", View: stale,
		})
		require.NoError(r.t, err)
		require.Empty(r.t, reply.Body.(*slack.ViewSubmissionResponse).Errors)
		r.settle(time.Second)
		require.Len(r.t, r.ordered().Images, 2)
		form.presses(cards.ActionRemove, cards.PhotoValue(r.draft().ID, slackPhoto("b.jpg").ID))
		require.Len(r.t, r.draft().Files, 2, "what is ordered stays")
	})
}

func TestWhatCannotBeOrderedIsNamedUnderPhotos(t *testing.T) {
	bubble(t, func(r *rig) {
		r.withFiles()
		r.types("new")
		form := r.sheet()
		form.types("Instructions", "Brighten.")
		form.uploads("a.jpg", "notes.pdf")
		problem := form.problem(form.submits(), "Photos")
		require.Contains(r.t, problem, "notes.pdf is not a photo")
		require.NotContains(r.t, problem, "a.jpg")
		require.Equal(r.t, "a.jpg", r.draft().Files[0].Name, "kept")
		form.uploads("a.jpg")
		require.Empty(r.t, form.submits())
		require.Len(r.t, r.ordered().Images, 1)
	})
}

func TestALocalProblemKeepsTheDraft(t *testing.T) {
	bubble(t, func(r *rig) {
		r.types("new")
		form := r.sheet()
		form.held[form.field("Image URLs")] = slack.BlockAction{Value: "ftp://example.com/a.jpg"}
		form.held[form.field("Instructions")] = slack.BlockAction{Value: "Brighten."}
		require.Contains(r.t, form.problem(form.submits(), "Image URLs"), "ftp://example.com/a.jpg")
		require.Equal(r.t, []string{"Brighten."}, r.draft().Instructions)
	})
}

func TestWithoutAPublicURLTheFormSaysWhy(t *testing.T) {
	bubble(t, func(r *rig) {
		r.types("new")
		require.Contains(r.t, r.screen.modal(), "PUBLIC_URL")
		require.NotContains(r.t, r.screen.modal(), "file_input")
	})
}

func TestARefusedPhotoIsNamedAndKeepsItsAddress(t *testing.T) {
	bubble(t, func(r *rig) {
		r.withFiles()
		r.types("new")
		form := r.sheet()
		form.types("Instructions", "Brighten.")
		form.uploads("beach.jpg")
		r.service.nextCreate = append(r.service.nextCreate, func(func() order.Order) (order.Order, error) {
			url := r.service.placed[0].Images[0].URL
			return order.Order{}, &order.Error{Op: "create", Messages: []string{"one file is not accessible from our server: " + url}}
		})
		require.Empty(r.t, form.submits())
		require.Contains(r.t, form.shown(), "not accessible from our server: 1 · beach.jpg")
		require.NotContains(r.t, form.shown(), "/files/")
		r.settle(time.Hour)
		require.Empty(r.t, form.submits())
		require.Contains(r.t, form.shown(), "Order placed")
		require.Equal(r.t, r.service.placed[0].Images, r.service.placed[1].Images, "another address would look like another photo")
	})
}

func TestEachImageHasItsOwnServiceAndInstruction(t *testing.T) {
	bubble(t, func(r *rig) {
		r.withFiles()
		r.types("new " + strings.TrimSpace(strings.Join(manyURLs(11), " ")))
		form := r.sheet()
		form.types("Instructions", "Brighten.")
		form.uploads("beach.jpg")
		form.ticks("Per image", true)
		require.Empty(r.t, form.submits())
		require.Contains(r.t, form.shown(), "12 images: 12 basic")
		form.chooses("1 · beach.jpg: Service type", "reference")
		form.types("2 · 0.jpg: Instruction", "Remove the crane.")
		form.chooses("3 · 1.jpg: Service type", "extensive")
		require.Empty(r.t, form.submits())
		require.Contains(r.t, form.shown(), "12 images: 10 basic, 1 extensive, 1 reference")
		form.types("12 · 10.jpg: Instruction", "Warmer.")
		form.presses(cards.ActionBack, r.draft().ID)
		require.Contains(r.t, form.shown(), "Remove the crane.")
		form.presses(cards.ActionBack, r.draft().ID)
		require.Contains(r.t, form.shown(), "Project name", "the form itself")
		form.closes()

		r.types("new")
		form = r.sheet()
		form.presses(cards.ActionOpen, r.draft().ID)
		require.Contains(r.t, form.shown(), "Chosen so far: 12 images: 10 basic, 1 extensive, 1 reference")
		r.service.nextCreate = append(r.service.nextCreate, refused("insufficient balance: 2 credits"))
		for range 3 {
			require.Empty(r.t, form.submits())
		}
		require.Contains(r.t, form.shown(), "insufficient balance")
		for range 3 {
			require.Empty(r.t, form.submits())
		}
		require.Contains(r.t, form.shown(), "Order placed")
		images := r.service.placed[1].Images
		require.Equal(r.t, order.ServiceReference, images[0].Service)
		require.Equal(r.t, upstream.Image{URL: manyURLs(11)[0], Service: order.ServiceBasic, Instruction: "Remove the crane."}, images[1])
		require.Equal(r.t, order.ServiceExtensive, images[2].Service)
		require.Equal(r.t, "Warmer.", images[11].Instruction)
	})
}

func manyURLs(n int) []string {
	urls := make([]string, n)
	for i := range urls {
		urls[i] = fmt.Sprintf("https://example.com/%d.jpg", i)
	}
	return urls
}

func TestAnOrderOfReferencesOnlyIsNotSent(t *testing.T) {
	bubble(t, func(r *rig) {
		r.types("new https://example.com/a.jpg")
		form := r.sheet()
		form.types("Instructions", "Brighten.")
		form.ticks("Per image", true)
		form.submits()
		form.chooses("1 · a.jpg: Service type", "reference")
		require.Contains(r.t, form.problem(form.submits(), "1 · a.jpg: Service type"), "at least one")
		require.Empty(r.t, r.service.placed)
		require.Equal(r.t, order.ServiceReference, r.draft().Images()[0].Service, "kept all the same")
	})
}

func TestOfTwoWindowsInTheSecondStepOneOrders(t *testing.T) {
	bubble(t, func(r *rig) {
		r.types("new https://example.com/a.jpg")
		form := r.sheet()
		form.types("Instructions", "Brighten.")
		form.ticks("Per image", true)
		form.submits()
		r.presses(cards.ActionOpen, r.draft().ID)
		other := r.sheet()
		require.Empty(r.t, form.submits())
		require.Contains(r.t, form.shown(), "Order placed")
		other.ticks("Per image", true)
		require.Empty(r.t, other.submits())
		require.Contains(r.t, other.shown(), "Order placed", "the second window follows")
		require.Len(r.t, r.service.placed, 1)
	})
}

func TestTheTickDecidesWhetherImagesDiffer(t *testing.T) {
	bubble(t, func(r *rig) {
		r.types("new https://example.com/a.jpg")
		form := r.sheet()
		form.types("Instructions", "Brighten.")
		form.ticks("Per image", true)
		form.submits()
		form.chooses("1 · a.jpg: Service type", "extensive")
		form.presses(cards.ActionBack, r.draft().ID)
		form.ticks("Per image", false)
		require.Empty(r.t, form.submits())
		require.Equal(r.t, order.ServiceBasic, r.ordered().Images[0].Service)
	})
}

func TestAFormThatComesTooLateIsKept(t *testing.T) {
	bubble(t, func(r *rig) {
		r.screen.late = 1
		r.types("new https://example.com/a.jpg")
		require.Contains(r.t, r.screen.lastTold(), "I was too late")
		require.Contains(r.t, r.screen.lastTold(), cards.ActionOpen)
		r.presses(cards.ActionOpen, r.draft().ID)
		require.Contains(r.t, r.screen.modal(), "https://example.com/a.jpg")
	})
}

func TestASecondDeliveryOfTheClickKeepsWhatIsTyped(t *testing.T) {
	bubble(t, func(r *rig) {
		r.types("new")
		form := r.sheet()
		form.types("Instructions", "Brighten.")
		r.screen.late = 1 // the trigger is used up
		q := bot.Request{Kind: bot.KindCommand, ID: "trigger1", Verb: "new", Team: "T1", User: "maria", Channel: "C1", TriggerID: "trigger1"}
		require.NoError(r.t, r.works(r.t.Context(), q))
		require.Equal(r.t, []string{"Brighten."}, r.draft().Instructions)
		require.Empty(r.t, r.screen.lastTold(), "the form is open")
	})
}

// message is what the shortcut on a message carries.
func (r *rig) ordersPhotos(text string, names ...string) {
	r.t.Helper()
	m := &slack.Message{}
	m.Text = text
	for _, name := range names {
		m.Files = append(m.Files, slackPhoto(name))
	}
	r.click(bot.Request{Kind: bot.KindShortcut, Name: ShortcutPhotos, Message: m})
}

func TestThePhotosOfAMessageAreOrdered(t *testing.T) {
	bubble(t, func(r *rig) {
		r.withFiles()
		r.ordersPhotos("Brighten &amp; crop.\nKeep the sand, see <https://example.com/x.jpg>", "a.jpg", "notes.pdf", "b.jpg")
		form := r.sheet()
		require.Contains(r.t, form.shown(), "notes.pdf: this is no picture")
		require.Contains(r.t, form.shown(), "2 photos kept")
		require.Equal(r.t, []string{"Brighten & crop.", "Keep the sand, see https://example.com/x.jpg"}, r.draft().Instructions)
		require.Equal(r.t, "C1", r.draft().Channel)
		require.Empty(r.t, r.service.placed, "nothing is sent yet")
		require.Empty(r.t, form.submits())
		require.Len(r.t, r.ordered().Images, 2)
	})
}

func TestAMessageWithoutPhotosOpensTheFormAllTheSame(t *testing.T) {
	bubble(t, func(r *rig) {
		r.withFiles()
		r.ordersPhotos("Brighten.", "notes.pdf")
		require.Contains(r.t, r.screen.modal(), "notes.pdf: this is no picture")
		r.ordersPhotos("Brighten.")
		require.Contains(r.t, r.screen.modal(), "no photos of its own")
		require.Contains(r.t, r.screen.modal(), "Brighten.")
		r.sign(nil)
		r.ordersPhotos("Brighten.", "a.jpg")
		require.Contains(r.t, r.screen.modal(), "PUBLIC_URL")
	})
}

func TestAMessageWhoseTriggerIsTooOldIsKept(t *testing.T) {
	bubble(t, func(r *rig) {
		r.withFiles()
		r.screen.late = 1
		r.ordersPhotos("Brighten.", "a.jpg")
		require.Contains(r.t, r.screen.lastTold(), cards.ActionOpen)
		require.Len(r.t, r.draft().Files, 1)
	})
}

func TestLongLinesArePartedBetweenWords(t *testing.T) {
	line := strings.Repeat("brighten ", 1000)
	parts := shortLines([]string{"short", strings.TrimSpace(line), strings.Repeat("é", 3000)})
	require.Equal(t, "short", parts[0])
	for _, p := range parts {
		require.LessOrEqual(t, len(p), lineRoom)
	}
	require.Equal(t, strings.TrimSpace(line), strings.Join(slices.DeleteFunc(parts[1:], func(p string) bool { return strings.Contains(p, "é") }), " "))
}
