package bot

import (
	"bytes"
	stdjson "encoding/json"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/slack-go/slack"

	"darkroom/bot/lenient"
)

// These types have the fields of views, messages and files that the app uses: add a new one here. They are
// converted to slack-go's types, so that code which reads forms does not depend on this package.

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
	Blocks             blockSummary   `json:"blocks"`
}

// viewState has the values of a view's inputs, by block and action.
type viewState struct {
	Values values `json:"values"`
}

// toSlack converts to slack-go's view. It also returns the summary of the blocks.
func (v *view) toSlack() (*slack.View, ViewSummary) {
	if v == nil {
		return nil, ViewSummary{}
	}
	return &slack.View{
		ID: v.ID, Type: v.Type, CallbackID: v.CallbackID, ExternalID: v.ExternalID, PrivateMetadata: v.PrivateMetadata,
		Hash: v.Hash, TeamID: v.TeamID, AppInstalledTeamID: v.AppInstalledTeamID, State: v.State.toSlack(),
	}, ViewSummary(v.Blocks)
}

func (s *viewState) toSlack() *slack.ViewState {
	switch {
	case s == nil:
		return nil
	case s.Values == nil:
		return &slack.ViewState{}
	}
	return &slack.ViewState{Values: s.Values}
}

// values uses slack-go's types, so that a form is not copied.
type values map[string]map[string]slack.BlockAction

// manyFields is more fields than most forms have.
const manyFields = 12

// UnmarshalJSONFrom reads the fields of a view by block and action.
func (v *values) UnmarshalJSONFrom(dec *jsontext.Decoder) (err error) {
	var a action // reused for all fields
	*v, err = readMap(dec, manyFields, func() (map[string]slack.BlockAction, error) {
		return readMap(dec, 0, func() (slack.BlockAction, error) {
			a = action{}
			err := json.UnmarshalDecode(dec, &a)
			return a.toSlack(), err
		})
	})
	return err
}

// readMap reads an object with a function that reads each value. It returns nil for anything else.
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

// action is a pressed element, or the content of a form's field.
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

func (a *action) toSlack() slack.BlockAction {
	return slack.BlockAction{
		ActionID: a.ActionID, BlockID: a.BlockID, ActionTs: a.ActionTS, Value: a.Value,
		Files: convertAll(a.Files, file.toSlack), SelectedOption: a.SelectedOption.toSlack(), SelectedOptions: convertAll(a.SelectedOptions, option.toSlack),
		SelectedUser: a.SelectedUser, SelectedUsers: a.SelectedUsers, SelectedChannel: a.SelectedChannel,
		SelectedConversation: a.SelectedConversation, SelectedDate: a.SelectedDate, SelectedTime: a.SelectedTime,
	}
}

func (o option) toSlack() slack.OptionBlockObject { return slack.OptionBlockObject{Value: o.Value} }

// convertAll converts the elements of a list to slack-go's types. It returns nil for an empty list.
func convertAll[N, W any](list []N, convert func(N) W) []W {
	if len(list) == 0 {
		return nil
	}
	all := make([]W, len(list))
	for n := range list {
		all[n] = convert(list[n])
	}
	return all
}

// message is the message that a shortcut or action belongs to.
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

func (m *message) toSlack() *slack.Message {
	if m == nil {
		return nil
	}
	whole := &slack.Message{Msg: slack.Msg{
		Timestamp: m.Timestamp, ThreadTimestamp: m.ThreadTimestamp, ReplyCount: int(m.ReplyCount), SubType: m.SubType,
		User: m.User, ParentUserId: m.ParentUserID, BotID: m.BotID, Text: m.Text, Files: convertAll(m.Files, file.toSlack),
		Metadata: slack.SlackMetadata{EventType: m.Metadata.EventType},
	}}
	_ = stdjson.Unmarshal(m.Metadata.EventPayload, &whole.Metadata.EventPayload) // anything but an object is left out
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

func (f file) toSlack() slack.File {
	return slack.File{
		ID: f.ID, Name: f.Name, Title: f.Title, Mimetype: f.Mimetype, Mode: f.Mode, FileAccess: f.FileAccess,
		IsExternal: f.IsExternal, Size: int(f.Size),
	}
}

// ViewSummary summarizes the blocks of a view at the moment of an action. The blocks themselves are not decoded:
// the app sent them, and they are more than half of the payload.
type ViewSummary struct {
	Bytes    int    `json:"bytes,omitempty"`    // length of the blocks' JSON
	Pictures bool   `json:"pictures,omitempty"` // there may be pictures
	Input    string `json:"input,omitempty"`    // block id of the first input; "": no input
}

// picture is in every block or element that is one: its type. A quotation mark in somebody's words has
// a backslash before it.
var (
	picture = []byte(`"image"`)
	input   = []byte(`"input"`)
)

// blockSummary decodes blocks into their summary.
type blockSummary ViewSummary

// UnmarshalJSONFrom reads a list of blocks.
func (s *blockSummary) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	*s = blockSummary{}
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

// inputID returns the id of an input block, or "" for another block.
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
