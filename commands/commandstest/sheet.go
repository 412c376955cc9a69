package commandstest

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards/cardstest"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/jobs/job"
)

// Sheet is an open order form with the content of its fields, filled in by maria.
type Sheet struct {
	r      *Rig
	window string
	Held   map[string]slack.BlockAction // by block
	Acts   int
}

// Sheet returns the last opened modal.
func (r *Rig) Sheet() *Sheet {
	return &Sheet{r: r, window: r.Screen.Last(), Held: map[string]slack.BlockAction{}}
}

// View returns the form as Slack sends it.
func (s *Sheet) View() *slack.View {
	v := s.r.Screen.View(s.window)
	v.ID, v.Hash, v.Type = "V"+s.window, s.r.Screen.Hash(s.window), slack.VTModal
	v.State = &slack.ViewState{Values: map[string]map[string]slack.BlockAction{}}
	for _, in := range cardstest.Inputs(v.Blocks.BlockSet) {
		id, value := initially(in.Element)
		if held, ok := s.Held[in.BlockID]; ok {
			value = held
		}
		v.State.Values[in.BlockID] = map[string]slack.BlockAction{id: value}
	}
	return &v
}

// initially returns an element's action id and initial content.
func initially(element slack.BlockElement) (id string, a slack.BlockAction) {
	switch e := element.(type) {
	case *slack.PlainTextInputBlockElement:
		id, a.Value = e.ActionID, e.InitialValue
	case *slack.SelectBlockElement:
		id, a.SelectedConversation = e.ActionID, e.InitialConversation
		if e.InitialOption != nil {
			a.SelectedOption = *e.InitialOption
		}
	case *slack.RadioButtonsBlockElement:
		id = e.ActionID
		if e.InitialOption != nil {
			a.SelectedOption = *e.InitialOption
		}
	case *slack.FileInputBlockElement:
		id = e.ActionID
	case *slack.CheckboxGroupsBlockElement:
		id, a.SelectedOptions = e.ActionID, values(e.InitialOptions)
	case *slack.MultiSelectBlockElement:
		id, a.SelectedOptions = e.ActionID, values(e.InitialOptions)
	}
	return id, a
}

func values(options []*slack.OptionBlockObject) (all []slack.OptionBlockObject) {
	for _, option := range options {
		all = append(all, *option)
	}
	return all
}

// Field returns the block id of the field with that label. It looks behind More Options, too.
func (s *Sheet) Field(label string) string {
	s.r.T.Helper()
	in := s.input(label)
	if in == nil {
		s.Presses(place.ActionOptions, "")
		in = s.input(label)
	}
	require.NotNil(s.r.T, in, "no field %s in %s", label, s.Shown())
	return in.BlockID
}

// input returns the field with that label; nil without one.
func (s *Sheet) input(label string) *slack.InputBlock {
	s.r.T.Helper()
	for _, in := range cardstest.Inputs(s.r.Screen.View(s.window).Blocks.BlockSet) {
		if in.Label.Text == label {
			return in
		}
	}
	return nil
}

// Shown returns the form's content.
func (s *Sheet) Shown() string {
	s.r.Screen.Lock()
	defer s.r.Screen.Unlock()
	return s.r.Screen.Shown[s.window]
}

// Types types into a field, and sends the event that Slack sends at each letter.
func (s *Sheet) Types(label, words string) {
	s.r.T.Helper()
	s.Held[s.Field(label)] = slack.BlockAction{Value: words}
	s.Dispatch()
}

// Dispatch sends the fields' content to the app, as Slack does at each letter.
func (s *Sheet) Dispatch() {
	s.r.T.Helper()
	s.Acts++
	_, err := s.r.Handle(s.r.T.Context(), bot.Request{
		Kind: bot.KindAction, ID: fmt.Sprint("typed", s.Acts), Name: kit.ActionTyped, Team: "T1", User: "maria",
		View: s.View(), ActionTS: fmt.Sprintf("1763706000.%06d", s.Acts),
	})
	require.NoError(s.r.T, err)
}

// Chooses chooses an option.
func (s *Sheet) Chooses(label, option string) {
	s.r.T.Helper()
	s.Held[s.Field(label)] = slack.BlockAction{SelectedOption: slack.OptionBlockObject{Value: option}}
}

// Ticks sets a checkbox, and lets the app redraw the form.
func (s *Sheet) Ticks(label string, ticked bool) {
	s.r.T.Helper()
	s.TicksUnseen(label, ticked)
	if in := s.input(label); in != nil {
		s.Presses(in.Element.(*slack.CheckboxGroupsBlockElement).ActionID, "yes")
	}
}

// TicksUnseen sets a checkbox without an event to the app.
func (s *Sheet) TicksUnseen(label string, ticked bool) {
	s.r.T.Helper()
	a := slack.BlockAction{}
	if ticked {
		a.SelectedOptions = []slack.OptionBlockObject{{Value: "yes"}}
	}
	s.Held[s.Field(label)] = a
}

// Button returns the label of the submit button.
func (s *Sheet) Button() string {
	s.r.Screen.Lock()
	defer s.r.Screen.Unlock()
	return s.r.Screen.Modals[s.window].Submit.Text
}

// Uploads puts photos into the upload field.
func (s *Sheet) Uploads(names ...string) {
	s.r.T.Helper()
	var given []slack.File
	for _, name := range names {
		given = append(given, SlackPhoto(name))
	}
	s.Held[s.Field("Photos")] = slack.BlockAction{Files: given}
}

// SlackPhoto returns a photo as Slack describes it; a name that ends in .pdf makes it a PDF.
func SlackPhoto(name string) slack.File {
	f := slack.File{ID: "F" + strings.ToUpper(job.Hash(name)[:8]), Name: name, Mimetype: "image/jpeg", Size: 3_000_000}
	if strings.HasSuffix(name, ".pdf") {
		f.Mimetype = "application/pdf"
	}
	return f
}

// Submits submits the form and returns the problems by block id.
func (s *Sheet) Submits() map[string]string {
	s.r.T.Helper()
	return s.SubmitsBefore(func() {})
}

// SubmitsBefore is [Sheet.Submits] with something that happens right after the acknowledgement.
func (s *Sheet) SubmitsBefore(then func()) map[string]string {
	s.r.T.Helper()
	reply, err := s.r.Handle(s.r.T.Context(), s.r.submission("maria", s.View()))
	require.NoError(s.r.T, err)
	raw, err := json.Marshal(reply.Body)
	require.NoError(s.r.T, err)
	require.Less(s.r.T, len(raw), 20_480, "a frame of Socket Mode")
	answer := reply.Body.(*slack.ViewSubmissionResponse)
	if answer.View != nil {
		err = s.r.Screen.UpdateView(s.r.T.Context(), s.window, "", "", *answer.View)
		require.NoError(s.r.T, err)
	}
	then()
	s.r.Settle(time.Second)
	return answer.Errors
}

// Presses presses a button in the form.
func (s *Sheet) Presses(action, value string) {
	s.r.T.Helper()
	s.r.Click(bot.Request{Kind: bot.KindAction, Name: action, Value: value, View: s.View()})
}

// Closes closes the modal.
func (s *Sheet) Closes() { s.r.Screen.Closes() }

// Problem returns the problem of the field with that label.
func (s *Sheet) Problem(errors map[string]string, label string) string {
	s.r.T.Helper()
	return errors[s.Field(label)]
}
