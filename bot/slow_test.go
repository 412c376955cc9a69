package bot_test

import (
	"cmp"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"darkroom/bot"

	"github.com/slack-go/slack"
)

// A slow but complete decoding with slack-go's types, to compare with the narrow one.

// text is a string, or the id of an object.
type text string

func (t *text) UnmarshalJSON(b []byte) error {
	var s string
	var o struct{ ID string }
	if json.Unmarshal(b, &s) == nil {
		*t = text(s)
	} else if json.Unmarshal(b, &o) == nil {
		*t = text(o.ID)
	}
	return nil
}

// truth is a boolean, or one that is text.
type truth bool

func (t *truth) UnmarshalJSON(b []byte) error {
	var is bool
	var word string
	_ = json.Unmarshal(b, &word)
	*t = truth(json.Unmarshal(b, &is) == nil && is || word == "true")
	return nil
}

type slowInteraction struct {
	Type        slack.InteractionType `json:"type"`
	CallbackID  string                `json:"callback_id"`
	TriggerID   string                `json:"trigger_id"`
	ResponseURL string                `json:"response_url"`
	ActionID    string                `json:"action_id"`
	BlockID     string                `json:"block_id"`
	Value       string                `json:"value"`
	MessageTS   string                `json:"message_ts"`
	Hash        string                `json:"hash"`

	Team       text  `json:"team"`
	Enterprise text  `json:"enterprise"`
	OrgWide    truth `json:"is_enterprise_install"`

	User      slack.User          `json:"user"`
	Channel   slack.Channel       `json:"channel"`
	Container slack.Container     `json:"container"`
	View      *slack.View         `json:"view"`
	Message   *slack.Message      `json:"message"`
	Actions   []slack.BlockAction `json:"actions"`
}

// narrow returns the used fields.
func (s slowInteraction) narrow() bot.Interaction {
	return bot.Interaction{
		Type: s.Type, CallbackID: s.CallbackID, TriggerID: s.TriggerID, ResponseURL: s.ResponseURL, ActionID: s.ActionID,
		BlockID: s.BlockID, Value: s.Value, MessageTS: s.MessageTS, Hash: s.Hash, Team: string(s.Team),
		Enterprise: string(s.Enterprise), OrgWide: bool(s.OrgWide),
		User:      bot.Person{ID: s.User.ID, TeamID: s.User.TeamID},
		Channel:   bot.Place{ID: s.Channel.ID, Name: s.Channel.Name},
		Container: bot.Container{ChannelID: s.Container.ChannelID, MessageTS: s.Container.MessageTs, ThreadTS: s.Container.ThreadTs},
		View:      narrowView(s.View), Message: narrowMessage(s.Message), Actions: narrowActions(s.Actions),
	}
}

func narrowView(v *slack.View) *slack.View {
	if v == nil {
		return nil
	}
	return &slack.View{
		ID: v.ID, Type: v.Type, CallbackID: v.CallbackID, ExternalID: v.ExternalID, PrivateMetadata: v.PrivateMetadata,
		Hash: v.Hash, AppInstalledTeamID: v.AppInstalledTeamID, State: narrowState(v.State),
	}
}

func narrowState(s *slack.ViewState) *slack.ViewState {
	if s == nil || s.Values == nil {
		return s
	}
	values := map[string]map[string]slack.BlockAction{}
	for block, fields := range s.Values {
		values[block] = nil
		for name, field := range fields {
			if values[block] == nil {
				values[block] = map[string]slack.BlockAction{}
			}
			values[block][name] = narrowAction(field)
		}
	}
	return &slack.ViewState{Values: values}
}

func narrowActions(all []slack.BlockAction) (narrow []slack.BlockAction) {
	for _, a := range all {
		narrow = append(narrow, narrowAction(a))
	}
	return narrow
}

func narrowAction(a slack.BlockAction) slack.BlockAction {
	narrow := slack.BlockAction{
		ActionID: a.ActionID, BlockID: a.BlockID, ActionTs: a.ActionTs, Value: a.Value, Files: narrowFiles(a.Files),
		SelectedOption: slack.OptionBlockObject{Value: a.SelectedOption.Value},
		SelectedUser:   a.SelectedUser, SelectedUsers: a.SelectedUsers, SelectedChannel: a.SelectedChannel, SelectedConversation: a.SelectedConversation,
		SelectedDate: a.SelectedDate, SelectedTime: a.SelectedTime,
	}
	for _, o := range a.SelectedOptions {
		narrow.SelectedOptions = append(narrow.SelectedOptions, slack.OptionBlockObject{Value: o.Value})
	}
	return narrow
}

func narrowFiles(all []slack.File) (narrow []slack.File) {
	for _, f := range all {
		narrow = append(narrow, slack.File{
			ID: f.ID, Name: f.Name, Title: f.Title, Mimetype: f.Mimetype, Mode: f.Mode, FileAccess: f.FileAccess,
			IsExternal: f.IsExternal, Size: max(f.Size, 0),
		})
	}
	return narrow
}

func narrowMessage(m *slack.Message) *slack.Message {
	if m == nil {
		return nil
	}
	var narrow slack.Message
	narrow.Timestamp, narrow.ThreadTimestamp, narrow.SubType = m.Timestamp, m.ThreadTimestamp, m.SubType
	narrow.User, narrow.ParentUserId, narrow.BotID, narrow.Text = m.User, m.ParentUserId, m.BotID, m.Text
	narrow.Files, narrow.Metadata = narrowFiles(m.Files), m.Metadata
	return &narrow
}

type slowEnvelope struct {
	Type      string          `json:"type"`
	Challenge string          `json:"challenge"`
	TeamID    text            `json:"team_id"`
	EventID   text            `json:"event_id"`
	EventTime any             `json:"event_time"`
	Event     json.RawMessage `json:"event"`

	Enterprise        text `json:"enterprise_id"`
	ContextTeam       text `json:"context_team_id"`
	ContextEnterprise text `json:"context_enterprise_id"`

	Authorizations []struct {
		TeamID     text  `json:"team_id"`
		Enterprise text  `json:"enterprise_id"`
		OrgWide    truth `json:"is_enterprise_install"`
	} `json:"authorizations"`
}

type slowInner struct {
	Type      string `json:"type"`
	User      text   `json:"user"`
	UserID    text   `json:"user_id"`
	Channel   text   `json:"channel"`
	ChannelID text   `json:"channel_id"`
	TS        text   `json:"ts"`
	ThreadTS  text   `json:"thread_ts"`
	Text      text   `json:"text"`
}

func (s slowEnvelope) narrow() bot.Envelope {
	e := bot.Envelope{Type: s.Type, Challenge: s.Challenge, TeamID: string(s.TeamID), EventID: string(s.EventID)}
	e.Enterprise, e.ContextTeam, e.ContextEnterprise = string(s.Enterprise), string(s.ContextTeam), string(s.ContextEnterprise)
	if len(s.Authorizations) > 0 {
		a := s.Authorizations[0]
		e.Authorized.Team, e.Authorized.Enterprise, e.Authorized.OrgWide = string(a.TeamID), string(a.Enterprise), bool(a.OrgWide)
	}
	var in slowInner
	if len(s.Event) == 0 || s.Event[0] != '{' || slowDecode(s.Event, &in) != nil {
		return e
	}
	e.Event = s.Event
	e.Inner = bot.Inner{
		Type: in.Type, User: string(in.User), UserID: string(in.UserID), Channel: string(in.Channel), ChannelID: string(in.ChannelID),
		TS: string(in.TS), ThreadTS: string(in.ThreadTS), Text: string(in.Text),
	}
	return e
}

// slowWay has a command's flag for an org-wide installation.
type slowWay struct {
	OrgWide truth `json:"is_enterprise_install"`
}

func narrowLine(c slack.SlashCommand, way slowWay) bot.Line {
	return bot.Line{
		Command: c.Command, Text: c.Text, TriggerID: c.TriggerID, ResponseURL: c.ResponseURL,
		UserID: c.UserID, TeamID: c.TeamID, ChannelID: c.ChannelID, ChannelName: c.ChannelName, EnterpriseID: c.EnterpriseID, OrgWide: bot.Truth(way.OrgWide),
	}
}

// slowDecode decodes a JSON object into a zero struct. A malformed value is lost alone, at any depth; only
// invalid JSON or another type is an error.
func slowDecode(raw []byte, into any) error {
	if json.Unmarshal(raw, into) == nil {
		return nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return err
	}
	decodeFields(fields, reflect.ValueOf(into).Elem())
	return nil
}

// decodeFields sets the fields of a struct one by one.
func decodeFields(fields map[string]json.RawMessage, into reflect.Value) {
	into.SetZero() // what was read until now may be half of something
	for _, field := range reflect.VisibleFields(into.Type()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if raw, there := fields[cmp.Or(name, field.Name)]; there && field.IsExported() {
			decodePart(raw, into.FieldByIndex(field.Index))
		}
	}
}

// decodePart decodes a value that may be malformed.
func decodePart(raw json.RawMessage, into reflect.Value) {
	switch at := into.Addr().Interface().(type) {
	case *slack.File:
		*at = decodeFile(raw)
		return
	case *slack.Blocks:
		*at = decodeBlocks(raw)
		return
	default:
		if json.Unmarshal(raw, at) == nil {
			return
		}
	}
	into.SetZero()
	var list []json.RawMessage
	var fields map[string]json.RawMessage
	switch kind := into.Kind(); {
	case kind == reflect.Slice && json.Unmarshal(raw, &list) == nil:
		into.Set(reflect.MakeSlice(into.Type(), len(list), len(list)))
		for n, item := range list {
			decodePart(item, into.Index(n))
		}
	case json.Unmarshal(raw, &fields) != nil:
	case kind == reflect.Struct:
		decodeFields(fields, into)
	case kind == reflect.Pointer:
		into.Set(reflect.New(into.Type().Elem()))
		decodePart(raw, into.Elem())
	case kind == reflect.Map:
		into.Set(reflect.MakeMap(into.Type()))
		for key, value := range fields {
			item := reflect.New(into.Type().Elem()).Elem()
			decodePart(value, item)
			into.SetMapIndex(reflect.ValueOf(key), item)
		}
	}
}

// decodeFile reads one file; Slack may write its size as text, and in some places only
// its id.
func decodeFile(raw json.RawMessage) slack.File {
	var f slack.File
	if slowDecode(raw, &f) != nil {
		_ = json.Unmarshal(raw, &f.ID) // else it stays without one
	}
	if f.Size <= 0 {
		var text struct {
			Size size `json:"size"`
		}
		_ = slowDecode(raw, &text) // what is no file has no size
		f.Size = int(text.Size)
	}
	return f
}

// decodeBlocks decodes the blocks that slack-go knows.
func decodeBlocks(raw json.RawMessage) slack.Blocks {
	var each []json.RawMessage
	_ = json.Unmarshal(raw, &each) // a malformed list has no blocks
	var all slack.Blocks
	for _, one := range each {
		var read slack.Blocks
		if list, err := json.Marshal([]json.RawMessage{one}); err == nil && json.Unmarshal(list, &read) == nil {
			all.BlockSet = append(all.BlockSet, read.BlockSet...)
		}
	}
	return all
}

// size is an integer, given as a number or text; anything else is 0.
type size int64

func (s *size) UnmarshalJSON(raw []byte) error {
	n, err := strconv.ParseFloat(strings.Trim(string(raw), `" `), 64)
	if *s = 0; err == nil && n > 0 && n < 1<<53 {
		*s = size(n)
	}
	return nil
}
