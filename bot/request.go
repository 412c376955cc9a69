package bot

import (
	"encoding/json"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot/lenient"
)

// Kind is the kind of a [Request].
type Kind string

// The kinds of request.
const (
	KindCommand  Kind = "command"  // a slash command
	KindAction   Kind = "action"   // a button or another interactive element
	KindSubmit   Kind = "submit"   // a submitted modal
	KindClose    Kind = "close"    // a closed modal; only for views with notify_on_close
	KindShortcut Kind = "shortcut" // a global or a message shortcut
	KindOptions  Kind = "options"  // an external select that needs options
	KindEvent    Kind = "event"    // an event of the Events API
)

// Request is one thing that happened in Slack. It encodes as plain JSON, so it can be the body of a job.
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

	Team        string `json:"team,omitempty"`       // the workspace of the installation; "" for events of a whole organisation
	Enterprise  string `json:"enterprise,omitempty"` // the workspace's Grid organisation, if Slack names it
	OrgWide     bool   `json:"org_wide,omitempty"`   // the app is installed for the whole organisation
	Certain     bool   `json:"certain,omitempty"`    // the event proves that Enterprise's installation includes Team
	User        string `json:"user,omitempty"`
	Channel     string `json:"channel,omitempty"` // "" for global shortcuts and views
	ChannelName string `json:"channel_name,omitempty"`
	Thread      string `json:"thread,omitempty"`     // thread_ts of the message; "" outside threads
	MessageTS   string `json:"message_ts,omitempty"` // ts of the message that was acted on, or of a message event
	TriggerID   string `json:"trigger_id,omitempty"` // opens one view within 3 s
	ResponseURL string `json:"response_url,omitempty"`
	Value       string `json:"value,omitempty"` // action: the button's or selected value; options: the text typed so far
	BlockID     string `json:"block_id,omitempty"`
	ActionTS    string `json:"action_ts,omitempty"` // action: Slack's timestamp, which orders actions
	Text        string `json:"text,omitempty"`      // command: the line; message event: the text

	View        *slack.View     `json:"view,omitempty"`    // submit, close, and actions in a view; without blocks
	ViewSummary ViewSummary     `json:"shown,omitzero"`    // summary of the view's blocks
	Message     *slack.Message  `json:"message,omitempty"` // shortcuts and actions on a message; without blocks
	Event       json.RawMessage `json:"event,omitempty"`   // event: the inner event, undecoded

	At time.Time `json:"at"` // the event's time, else when Slack signed the request
}

// UnmarshalJSON decodes a stored request leniently, with the same narrow types as a payload.
func (q *Request) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	var job struct {
		requestFields
		View    *view    `json:"view"`
		Message *message `json:"message"`
	}
	if err := lenient.DecodeNarrow(b, &job, lenient.MaxDepth+1); err != nil { // a request encloses its payload
		return err
	}
	*q = Request(job.requestFields)
	q.View, _ = job.View.toSlack() // it has no blocks
	q.Message = job.Message.toSlack()
	return nil
}

// requestFields has the fields of Request without its methods.
type requestFields Request
