package bot

import (
	"bytes"
	stdjson "encoding/json"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/slack-go/slack"

	"darkroom/bot/lenient"
)

// These types have all fields of a view, a message or a file that the app uses: add another one here. The whole types
// are the library's, so that what reads forms knows nothing of this package.

type view struct {
	ID                 string         `json:"id"`
	Type               slack.ViewType `json:"type"`
	CallbackID         string         `json:"callback_id"`
	ExternalID         string         `json:"external_id"`
	PrivateMetadata    string         `json:"private_metadata"`
	Hash               string         `json:"hash"`
	TeamID             string         `json:"team_id"`
	AppInstalledTeamID string         `json:"app_installed_team_id"`
	State              *viewState     `json:"state"`
	Blocks             shownBlocks    `json:"blocks"`
}

// viewState is what was typed and chosen in a view, by block and action.
type viewState struct {
	Values values `json:"values"`
}

// whole returns the library's view, and what is kept of its blocks.
func (v *view) whole() (*slack.View, Shown) {
	if v == nil {
		return nil, Shown{}
	}
	return &slack.View{
		ID: v.ID, Type: v.Type, CallbackID: v.CallbackID, ExternalID: v.ExternalID, PrivateMetadata: v.PrivateMetadata,
		Hash: v.Hash, TeamID: v.TeamID, AppInstalledTeamID: v.AppInstalledTeamID, State: v.State.whole(),
	}, Shown(v.Blocks)
}

func (s *viewState) whole() *slack.ViewState {
	switch {
	case s == nil:
		return nil
	case s.Values == nil:
		return &slack.ViewState{}
	}
	return &slack.ViewState{Values: s.Values}
}

// values are the library's, so that a form is not copied.
type values map[string]map[string]slack.BlockAction

// manyFields is more than most forms have.
const manyFields = 12

// UnmarshalJSONFrom reads the fields of a view by block and action.
func (v *values) UnmarshalJSONFrom(dec *jsontext.Decoder) (err error) {
	var a action // one for all fields
	*v, err = readMap(dec, manyFields, func() (map[string]slack.BlockAction, error) {
		return readMap(dec, 0, func() (slack.BlockAction, error) {
			a = action{}
			err := json.UnmarshalDecode(dec, &a)
			return a.whole(), err
		})
	})
	return err
}

// readMap reads an object whose values are read by a function, nil if it is no object.
func readMap[V any](dec *jsontext.Decoder, size int, value func() (V, error)) (map[string]V, error) {
	if dec.PeekKind() != '{' {
		return nil, dec.SkipValue()
	}
	_, err := dec.ReadToken()
	all := make(map[string]V, size)
	for err == nil && dec.PeekKind() != '}' {
		var token jsontext.Token
		if token, err = dec.ReadToken(); err == nil {
			name := token.String()
			all[name], err = value()
		}
	}
	if err != nil {
		return nil, err
	}
	_, err = dec.ReadToken()
	return all, err
}

// action is what somebody pressed, or what a field of a form holds.
type action struct {
	ActionID string `json:"action_id"`
	BlockID  string `json:"block_id"`
	ActionTS string `json:"action_ts"`
	Value    string `json:"value"`
	Files    []file `json:"files"`

	SelectedOption       option   `json:"selected_option"`
	SelectedOptions      []option `json:"selected_options"`
	SelectedUser         string   `json:"selected_user"`
	SelectedUsers        []string `json:"selected_users"`
	SelectedChannel      string   `json:"selected_channel"`
	SelectedConversation string   `json:"selected_conversation"`
	SelectedDate         string   `json:"selected_date"`
	SelectedTime         string   `json:"selected_time"`
}

type option struct {
	Value string `json:"value"`
}

func (a *action) whole() slack.BlockAction {
	return slack.BlockAction{
		ActionID: a.ActionID, BlockID: a.BlockID, ActionTs: a.ActionTS, Value: a.Value,
		Files: wholes(a.Files, file.whole), SelectedOption: a.SelectedOption.whole(), SelectedOptions: wholes(a.SelectedOptions, option.whole),
		SelectedUser: a.SelectedUser, SelectedUsers: a.SelectedUsers, SelectedChannel: a.SelectedChannel,
		SelectedConversation: a.SelectedConversation, SelectedDate: a.SelectedDate, SelectedTime: a.SelectedTime,
	}
}

func (o option) whole() slack.OptionBlockObject { return slack.OptionBlockObject{Value: o.Value} }

// wholes are the library's values of a list, nil if it is empty.
func wholes[N, W any](list []N, whole func(N) W) []W {
	if len(list) == 0 {
		return nil
	}
	all := make([]W, len(list))
	for n := range list {
		all[n] = whole(list[n])
	}
	return all
}

// message is one that was acted on.
type message struct {
	Timestamp       string        `json:"ts"`
	ThreadTimestamp string        `json:"thread_ts"`
	ReplyCount      lenient.Count `json:"reply_count"`
	SubType         string        `json:"subtype"`
	User            string        `json:"user"`
	ParentUserID    string        `json:"parent_user_id"`
	BotID           string        `json:"bot_id"`
	Text            string        `json:"text"`
	Files           []file        `json:"files"`
	Metadata        metadata      `json:"metadata"`
}

type metadata struct {
	EventType    string         `json:"event_type"`
	EventPayload jsontext.Value `json:"event_payload"`
}

func (m *message) whole() *slack.Message {
	if m == nil {
		return nil
	}
	whole := &slack.Message{Msg: slack.Msg{
		Timestamp: m.Timestamp, ThreadTimestamp: m.ThreadTimestamp, ReplyCount: int(m.ReplyCount), SubType: m.SubType,
		User: m.User, ParentUserId: m.ParentUserID, BotID: m.BotID, Text: m.Text, Files: wholes(m.Files, file.whole),
		Metadata: slack.SlackMetadata{EventType: m.Metadata.EventType},
	}}
	_ = stdjson.Unmarshal(m.Metadata.EventPayload, &whole.Metadata.EventPayload) // a payload that is no object is left out
	return whole
}

type file struct {
	ID         string        `json:"id"`
	Name       string        `json:"name"`
	Title      string        `json:"title"`
	Mimetype   string        `json:"mimetype"`
	Mode       string        `json:"mode"`
	FileAccess string        `json:"file_access"`
	IsExternal bool          `json:"is_external"`
	Size       lenient.Count `json:"size"`
}

// IDField implements [lenient.ByID].
func (f *file) IDField() *string { return &f.ID }

func (f file) whole() slack.File {
	return slack.File{
		ID: f.ID, Name: f.Name, Title: f.Title, Mimetype: f.Mimetype, Mode: f.Mode, FileAccess: f.FileAccess,
		IsExternal: f.IsExternal, Size: int(f.Size),
	}
}

// Shown is what is kept of the blocks that a view showed when it was acted on. They are not read
// themselves: they are what we sent, and more than half of what Slack sends back.
type Shown struct {
	Bytes    int    `json:"bytes,omitempty"`    // how long they are, as Slack wrote them
	Pictures bool   `json:"pictures,omitempty"` // there are some, or may be
	Input    string `json:"input,omitempty"`    // the block id of the first input; "" without an input
}

// picture is in every block or element that is one: its type. A quotation mark in somebody's words has
// a backslash before it.
var (
	picture = []byte(`"image"`)
	input   = []byte(`"input"`)
)

// shownBlocks reads what is kept of blocks.
type shownBlocks Shown

// UnmarshalJSONFrom reads a list of blocks.
func (s *shownBlocks) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	*s = shownBlocks{}
	if dec.PeekKind() != '[' {
		return dec.SkipValue()
	}
	_, err := dec.ReadToken()
	from := dec.InputOffset() - 1
	for err == nil && dec.PeekKind() != ']' {
		var block jsontext.Value
		block, err = dec.ReadValue()
		s.Pictures = s.Pictures || bytes.Contains(block, picture)
		if s.Input == "" && bytes.Contains(block, input) {
			s.Input = inputID(block)
		}
	}
	if err != nil {
		return err
	}
	_, err = dec.ReadToken()
	s.Bytes = int(dec.InputOffset() - from)
	return err
}

// inputID is the id of a block if that is an input, else "".
func inputID(raw []byte) string {
	var block struct {
		Type string `json:"type"`
		ID   string `json:"block_id"`
	}
	if lenient.Read(raw, &block) != nil || block.Type != "input" {
		return ""
	}
	return block.ID
}
