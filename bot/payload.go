package bot

import (
	"encoding/json"

	"github.com/slack-go/slack"
)

// What is read here of a view, a message or a file is all that anybody uses: whoever needs another
// field of theirs adds it here. The types are the library's, so that what reads forms knows nothing
// of this package.

// view reads a view, nil when there is none, and what is kept of its blocks.
func (r *reader) view() (*slack.View, Shown) {
	v, shown := new(slack.View), Shown{}
	is := r.object(func(name []byte) {
		switch string(name) {
		case "id":
			v.ID = r.text()
		case "type":
			v.Type = slack.ViewType(r.text())
		case "callback_id":
			v.CallbackID = r.text()
		case "external_id":
			v.ExternalID = r.text()
		case "private_metadata":
			v.PrivateMetadata = r.text()
		case "hash":
			v.Hash = r.text()
		case "team_id":
			v.TeamID = r.text()
		case "app_installed_team_id":
			v.AppInstalledTeamID = r.text()
		case "state":
			v.State = r.state()
		case "blocks":
			shown = r.shown()
		}
	})
	if !is {
		return nil, Shown{}
	}
	return v, shown
}

// state reads what was typed and chosen in a view, by block and action.
func (r *reader) state() *slack.ViewState {
	state := new(slack.ViewState)
	is := r.object(func(name []byte) {
		if string(name) == "values" {
			state.Values = r.values()
		}
	})
	if !is {
		return nil
	}
	return state
}

// manyFields is more than most forms have.
const manyFields = 12

func (r *reader) values() map[string]map[string]slack.BlockAction {
	values := make(map[string]map[string]slack.BlockAction, manyFields)
	if !r.object(func(name []byte) {
		block := string(name)
		values[block] = r.block()
	}) {
		return nil
	}
	return values
}

// block reads the fields of one block, by action; it has one.
func (r *reader) block() map[string]slack.BlockAction {
	fields := map[string]slack.BlockAction{}
	if !r.object(func(name []byte) {
		action := string(name)
		fields[action] = r.action()
	}) {
		return nil
	}
	return fields
}

// action reads what somebody pressed, or what a field of a form holds.
func (r *reader) action() (a slack.BlockAction) {
	r.object(func(name []byte) {
		switch string(name) {
		case "action_id":
			a.ActionID = r.text()
		case "block_id":
			a.BlockID = r.text()
		case "action_ts":
			a.ActionTs = r.text()
		case "value":
			a.Value = r.text()
		case "files":
			a.Files = r.files()
		default:
			r.chosen(&a, name)
		}
	})
	return a
}

// chosen reads what was selected.
func (r *reader) chosen(a *slack.BlockAction, name []byte) {
	switch string(name) {
	case "selected_option":
		a.SelectedOption = r.option()
	case "selected_options":
		a.SelectedOptions = nil
		r.list(func() { a.SelectedOptions = append(a.SelectedOptions, r.option()) })
	case "selected_user":
		a.SelectedUser = r.text()
	case "selected_users":
		users := []string{}
		if r.list(func() { users = append(users, r.text()) }) {
			a.SelectedUsers = users
		}
	case "selected_channel":
		a.SelectedChannel = r.text()
	case "selected_conversation":
		a.SelectedConversation = r.text()
	case "selected_date":
		a.SelectedDate = r.text()
	case "selected_time":
		a.SelectedTime = r.text()
	}
}

func (r *reader) option() (o slack.OptionBlockObject) {
	r.object(func(name []byte) {
		if string(name) == "value" {
			o.Value = r.text()
		}
	})
	return o
}

// message reads a message that was acted on, nil when there is none.
func (r *reader) message() *slack.Message {
	m := new(slack.Message)
	is := r.object(func(name []byte) {
		switch string(name) {
		case "ts":
			m.Timestamp = r.text()
		case "thread_ts":
			m.ThreadTimestamp = r.text()
		case "reply_count":
			m.ReplyCount = int(r.whole())
		case "subtype":
			m.SubType = r.text()
		case "user":
			m.User = r.text()
		case "parent_user_id":
			m.ParentUserId = r.text()
		case "bot_id":
			m.BotID = r.text()
		case "text":
			m.Text = r.text()
		case "files":
			m.Files = r.files()
		case "metadata":
			m.Metadata = r.metadata()
		}
	})
	if !is {
		return nil
	}
	return m
}

func (r *reader) metadata() (m slack.SlackMetadata) {
	r.object(func(name []byte) {
		switch string(name) {
		case "event_type":
			m.EventType = r.text()
		case "event_payload":
			m.EventPayload = nil
			_ = json.Unmarshal(r.span(), &m.EventPayload) // one that is no object is none
		}
	})
	return m
}

// files reads a list of files. They are large, so they are counted first.
func (r *reader) files() []slack.File {
	ahead, n := *r, 0
	ahead.list(func() { n++ })
	if n == 0 {
		r.skip()
		return nil
	}
	all := make([]slack.File, 0, n)
	r.list(func() { all = append(all, r.file()) })
	return all
}

// file reads a file; in some places there is only its id, and Slack may write its size as text.
func (r *reader) file() (f slack.File) {
	if r.kind() == '"' {
		f.ID = r.text()
		return f
	}
	r.object(func(name []byte) {
		switch string(name) {
		case "id":
			f.ID = r.text()
		case "name":
			f.Name = r.text()
		case "title":
			f.Title = r.text()
		case "mimetype":
			f.Mimetype = r.text()
		case "mode":
			f.Mode = r.text()
		case "file_access":
			f.FileAccess = r.text()
		case "is_external":
			f.IsExternal = r.flag()
		case "size":
			f.Size = int(r.whole())
		}
	})
	return f
}
