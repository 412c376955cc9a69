package bot

import (
	"encoding/json"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot/lenient"
)

// Kind tells what a person or Slack did.
type Kind string

// The kinds of request.
const (
	KindCommand  Kind = "command"  // a slash command
	KindAction   Kind = "action"   // a button or another interactive element
	KindSubmit   Kind = "submit"   // a modal submitted
	KindClose    Kind = "close"    // a modal closed; only views with notify_on_close tell
	KindShortcut Kind = "shortcut" // a global or a message shortcut
	KindOptions  Kind = "options"  // an external select asks for its options
	KindEvent    Kind = "event"    // an event of the Events API
)

// Request is one thing that happened in Slack. It is plain JSON, so that it can be
// the body of a job.
type Request struct {
	Kind Kind `json:"kind"`

	// ID is the natural identity of what happened, the same on every replay:
	//
	//   - command, action, shortcut: the trigger_id (valid for one gesture only). A
	//     payload with several actions gives its second one "trigger_id#1", and so on.
	//   - submit: "view id:hash". The hash changes with each update of the view, not
	//     with the answer "errors". close: the same followed by ":closed".
	//   - event: the event_id, kept by Slack over all its retries.
	//
	// What has no identity of its own (options, or one of the above without its
	// field) gets "sha256:" and a digest of its payload.
	ID string `json:"id"`

	// Name is what a handler is registered for: the command with its slash, the
	// action_id (action, options), the callback_id (submit, close, shortcut) or the
	// type of the event.
	Name string `json:"name"`

	Verb string `json:"verb,omitempty"` // command: first word of Text, in lower case
	Args string `json:"args,omitempty"` // command: the rest of Text, line breaks kept

	Team        string `json:"team,omitempty"`       // the workspace whose installation is meant; "" for news of a whole organisation
	Enterprise  string `json:"enterprise,omitempty"` // the Grid organisation that it belongs to, as far as Slack says
	OrgWide     bool   `json:"org_wide,omitempty"`   // Slack says that the app is installed for all of the organisation
	Certain     bool   `json:"certain,omitempty"`    // an event that Slack sends to the installation of Enterprise for Team
	User        string `json:"user,omitempty"`
	Channel     string `json:"channel,omitempty"` // empty for global shortcuts and views
	ChannelName string `json:"channel_name,omitempty"`
	Thread      string `json:"thread,omitempty"`     // thread_ts of the message, empty outside threads
	MessageTS   string `json:"message_ts,omitempty"` // ts of the message acted on, or of the message that is the event
	TriggerID   string `json:"trigger_id,omitempty"` // opens a view; valid for 3 s, once
	ResponseURL string `json:"response_url,omitempty"`
	Value       string `json:"value,omitempty"` // action: value of a button or what was selected; options: what was typed so far
	BlockID     string `json:"block_id,omitempty"`
	ActionTS    string `json:"action_ts,omitempty"` // action: Slack's time of it, which tells what came first
	Text        string `json:"text,omitempty"`      // command: the line; message event: the text

	View    *slack.View     `json:"view,omitempty"`    // submit, close, and actions in a view; without its blocks
	Shown   Shown           `json:"shown,omitzero"`    // what is kept of those
	Message *slack.Message  `json:"message,omitempty"` // shortcuts and actions on a message; without its blocks
	Event   json.RawMessage `json:"event,omitempty"`   // event: the inner event as it came

	At time.Time `json:"at"` // when it happened: the event's own time, else when Slack signed the request
}

// UnmarshalJSON reads a request back as it was read at first: leniently, and only what is used. One
// of an earlier version has the blocks of its view.
func (q *Request) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	var job struct {
		plainRequest
		View    *view    `json:"view"`
		Message *message `json:"message"`
	}
	if err := lenient.DecodeNarrow(b, &job, lenient.MaxDepth+1); err != nil { // it has what came within it
		return err
	}
	*q = Request(job.plainRequest)
	view, shown := job.View.whole()
	q.View, q.Message = view, job.Message.whole()
	if q.Shown == (Shown{}) {
		q.Shown = shown
	}
	return nil
}

// plainRequest has no methods, so that its fields are read one by one.
type plainRequest Request
