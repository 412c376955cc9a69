package commandstest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/cards/cardstest"
	"darkroom/order"
	"darkroom/store"
)

// Delivers makes the order ready for review with that many images.
func (r *Rig) Delivers(images int) string {
	r.T.Helper()
	id := r.InReview()
	r.Service.Edit(id, func(o *order.Order) {
		o.EditedImages = make([]order.EditedImage, images)
		for i := range o.EditedImages {
			o.EditedImages[i] = order.EditedImage{
				ID: fmt.Sprintf("i%d", i+1), Name: fmt.Sprintf("%d.jpg", i+1), Thumb: fmt.Sprintf("https://e.com/%d.jpg", i+1),
			}
		}
	})
	r.Record()
	return id
}

// Opens presses a button of the order and returns the window.
func (r *Rig) Opens(user, action, value string) string {
	r.T.Helper()
	r.Click(bot.Request{Kind: bot.KindAction, Name: action, Value: value, User: user})
	return r.Screen.Last()
}

// FilledIn returns the window with these texts by label, and the initial content elsewhere. A multi-select takes its
// options one a line. A tick in a row of buttons is labeled by itself.
func (r *Rig) FilledIn(window string, words map[string]string) slack.View {
	r.T.Helper()
	view := r.Screen.View(window)
	view.ID, view.Type = "V"+window, slack.VTModal
	view.State = &slack.ViewState{Values: map[string]map[string]slack.BlockAction{}}
	found := 0
	for _, input := range cardstest.Inputs(view.Blocks.BlockSet) {
		typed, given := words[input.Label.Text]
		if given {
			found++
		}
		id, action := held(input.Element, typed, given)
		view.State.Values[input.BlockID] = map[string]slack.BlockAction{id: action}
	}
	require.Len(r.T, words, found, "boxes for %v in %s", words, Text(view))
	return view
}

// held returns an element's content: typed if given, else the initial content.
func held(element slack.BlockElement, typed string, given bool) (id string, action slack.BlockAction) {
	id, action = initially(element)
	if !given {
		return id, action
	}
	switch e := element.(type) {
	case *slack.MultiSelectBlockElement:
		action.SelectedOptions = options(e.Options, typed)
	case *slack.CheckboxGroupsBlockElement:
		action.SelectedOptions = options(e.Options, typed)
	case *slack.SelectBlockElement:
		action.SelectedOption.Value = typed
	case *slack.PlainTextInputBlockElement:
		action.Value = typed
	}
	return id, action
}

// options returns the options that typed names, one a line.
func options(all []*slack.OptionBlockObject, typed string) []slack.OptionBlockObject {
	var chosen []slack.OptionBlockObject
	for _, option := range all {
		if slices.Contains(strings.Split(typed, "\n"), option.Text.Text) {
			chosen = append(chosen, *option)
		}
	}
	return chosen
}

// OpensBoxes opens the boxes of images in the revise form, one after the other, after typing these texts.
func (r *Rig) OpensBoxes(user, window string, words map[string]string, images ...string) {
	r.T.Helper()
	for _, image := range images {
		r.Click(r.Opening(user, window, image, words))
		words = nil
	}
}

// Opening returns the click that opens an image's box, after typing these texts.
func (r *Rig) Opening(user, window, image string, words map[string]string) bot.Request {
	r.T.Helper()
	return r.pressing(user, r.FilledIn(window, words), func(b *slack.ButtonBlockElement) bool { return strings.HasSuffix(b.AccessibilityLabel, ": "+image) })
}

// Turning returns the click that shows another part of the revise form, after typing these texts.
func (r *Rig) Turning(user, window, label string, words map[string]string) bot.Request {
	r.T.Helper()
	return r.pressing(user, r.FilledIn(window, words), func(b *slack.ButtonBlockElement) bool { return b.Text.Text == label })
}

func (r *Rig) pressing(user string, view slack.View, is func(*slack.ButtonBlockElement) bool) bot.Request {
	r.T.Helper()
	for _, block := range view.Blocks.BlockSet {
		if row, ok := block.(*slack.ActionBlock); ok {
			for _, element := range row.Elements.ElementSet {
				if button, ok := element.(*slack.ButtonBlockElement); ok && is(button) {
					return bot.Request{Kind: bot.KindAction, Name: button.ActionID, Value: button.Value, User: user, View: &view, ActionTS: fmt.Sprintf("1763706000.%06d", r.Clicks)}
				}
			}
		}
	}
	require.Fail(r.T, "no such button", "in %s", Text(view))
	return bot.Request{}
}

// Sends submits the window with these texts by label.
func (r *Rig) Sends(user, window string, words map[string]string) bot.Reply {
	r.T.Helper()
	view := r.FilledIn(window, words)
	r.Clicks++
	return r.SendsAs(fmt.Sprintf("submit%d", r.Clicks), user, view)
}

// SendsAs submits a view with that request id, and shows the acknowledgement.
func (r *Rig) SendsAs(id, user string, view slack.View) bot.Reply {
	r.T.Helper()
	reply, err := r.Handle(r.T.Context(), bot.Request{
		Kind: bot.KindSubmit, ID: id, Name: view.CallbackID, Team: "T1", User: user, View: &view, At: time.Now(),
	})
	require.NoError(r.T, err, "nothing can be submitted in %s", Text(view))
	if update, ok := reply.Body.(*slack.ViewSubmissionResponse); ok && update.View != nil {
		_ = r.Screen.UpdateView(r.T.Context(), view.ExternalID, "", "", *update.View) // gone when it was closed
	}
	r.Settle(2 * time.Second)
	return reply
}

// Shows returns the content of a window.
func (r *Rig) Shows(window string) string {
	r.Screen.Lock()
	defer r.Screen.Unlock()
	return r.Screen.Shown[window]
}

// Events returns the order's events of a kind.
func (r *Rig) Events(kind order.EventKind) []order.Event {
	r.T.Helper()
	all, err := r.Store.Orders.Events(r.T.Context(), "order1")
	require.NoError(r.T, err)
	var found []order.Event
	for _, e := range all {
		if e.Kind == kind {
			found = append(found, e)
		}
	}
	return found
}

// Asked returns the changes of each call to the service.
func (r *Rig) Asked() []map[string][]string {
	r.Service.Lock()
	defer r.Service.Unlock()
	return r.Service.revised
}

// Fast loses the answer of a call that succeeded, and delivers the next revision at once.
func (r *Rig) Fast(do func() order.Order) (order.Order, error) {
	do()
	o := r.Service.Find("order1")
	o.Status = order.StatusReviewing
	o.EditedImages = append(o.EditedImages, order.EditedImage{ID: fmt.Sprintf("i1r%d", o.Rev()), Name: "1.jpg", Revision: o.Rev()})
	return order.Order{}, ErrUnknown
}

func (s *Screen) marked(body json.RawMessage) error {
	var m store.Mark
	if err := json.Unmarshal(body, &m); err != nil {
		return err
	}
	s.Lock()
	defer s.Unlock()
	s.Marks = append(s.Marks, m.TS+" "+m.Emoji)
	return nil
}

// Conversation returns the messages that the editor got, oldest first.
func (r *Rig) Conversation() []string {
	var sent []string
	r.Service.Edit("order1", func(o *order.Order) {
		for _, e := range o.Conversation {
			if e.FromClient() {
				sent = append([]string{e.Content}, sent...)
			}
		}
	})
	return sent
}

// Filled returns the submission of the last opened form, with some fields filled in.
func (r *Rig) Filled(user string, fields map[string]string) bot.Request {
	r.T.Helper()
	view := r.FilledIn(r.Screen.Last(), fields)
	return r.submission(user, &view)
}

// submission returns the submission of a view with the next request id.
func (r *Rig) submission(user string, view *slack.View) bot.Request {
	r.Clicks++
	return bot.Request{
		Kind: bot.KindSubmit, ID: fmt.Sprintf("submit%d", r.Clicks), Name: view.CallbackID,
		Team: "T1", User: user, View: view, At: time.Now(),
	}
}

// Fills submits the last opened form as maria, with some fields filled in.
func (r *Rig) Fills(fields map[string]string) bot.Reply {
	r.T.Helper()
	reply, err := r.Handle(r.T.Context(), r.Filled("maria", fields))
	require.NoError(r.T, err)
	r.Settle(time.Second)
	return reply
}

// Moves submits the last opened move form, and returns the form's problems or the shown result.
func (r *Rig) Moves(user, to string, confirmed bool) string {
	r.T.Helper()
	fields := map[string]slack.BlockAction{"moveto": {SelectedConversation: to}}
	if confirmed {
		fields["widen"] = slack.BlockAction{SelectedOptions: []slack.OptionBlockObject{{Value: to}}}
	}
	q := r.Completed(fields)
	q.User = user
	reply, err := r.Handle(r.T.Context(), q)
	require.NoError(r.T, err)
	r.Settle(2 * time.Second)
	if reply.Body != nil {
		if answer := Text(reply.Body); !ContainsAll(answer, "Moving the order") {
			return answer
		}
	}
	return Readable(r.Screen.Modal())
}

// SharedPhoto returns a message with a picture, a PDF and an external picture.
func SharedPhoto(thread string) slack.Msg {
	return slack.Msg{User: "peter", Text: "Look", Timestamp: "200.1", ThreadTimestamp: thread, Files: []slack.File{
		{ID: "F1", Name: "image.png", Mimetype: "image/png", Size: 1000},
		{ID: "F2", Name: "terms.pdf", Mimetype: "application/pdf", Size: 1000},
		{ID: "F3", Name: "drive.jpg", Mimetype: "image/jpeg", Size: 1000, IsExternal: true},
	}}
}

// KeptBlock matches the id of a block whose button carries saved text.
var KeptBlock = regexp.MustCompile(`"block_id":"((?:pick|revise):[^"]*)"`)

// MessageWords returns the saved text of a *Message the Editor* button.
func (r *Rig) MessageWords(shown string) string {
	r.T.Helper()
	found := KeptBlock.FindStringSubmatch(shown)
	require.NotNil(r.T, found, "no such button in %s", shown)
	var words string
	if note, kept := strings.CutPrefix(found[1], cards.PickBlock); kept && note != "" {
		require.NoError(r.T, r.Store.Documents.Get(r.T.Context(), note, &words))
	}
	words, err := client.Plain(r.T.Context(), r.Screen, words)
	require.NoError(r.T, err)
	return words
}

// Answers sends a request to the app and returns the reply's body.
func (r *Rig) Answers(q bot.Request) string {
	r.T.Helper()
	reply, err := r.Handle(r.T.Context(), q)
	require.NoError(r.T, err)
	return Text(reply.Body)
}
