package commandstest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing/iotest"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/commands"
)

// Acks paints what a submission was acknowledged with.
func (s *Screen) Acks(window string, reply bot.Reply) {
	s.Lock()
	defer s.Unlock()
	s.Shown[window] = Text(reply.Body)
}

// reads shows the person what their line was acknowledged with.
func (s *Screen) reads(reply bot.Reply) {
	var said struct {
		Text   string          `json:"text"`
		Blocks json.RawMessage `json:"blocks"`
	}
	_ = json.Unmarshal([]byte(Text(reply.Body)), &said)
	s.Lock()
	defer s.Unlock()
	s.tells(&s.Told, said.Text+Text(said.Blocks))
}

// Submission is a window of an order as somebody has filled it in.
func (r *Rig) Submission(line string, words map[string]string) bot.Request {
	r.Types(line)
	view := r.FilledIn(r.Screen.Last(), words)
	return bot.Request{Kind: bot.KindSubmit, ID: "V1:hash", Name: view.CallbackID, Team: "T1", User: "maria", View: &view, At: time.Now()}
}

// TypedAs is a command line of that identity.
func (r *Rig) TypedAs(verb, args string) bot.Request {
	return bot.Request{
		Kind: bot.KindCommand, ID: "T1.1", Name: commands.Slash, Verb: verb, Args: args, Text: verb + " " + args,
		TriggerID: "T1.1", Team: "T1", User: "maria", Channel: "C1", At: time.Now(),
	}
}

// Painted is how often something was put into a window.
func (s *Screen) Painted(window string) int {
	s.Lock()
	defer s.Unlock()
	return s.paints[window]
}

// Screen is what people see, as JSON; it is the Slack of these tests.
type Screen struct {
	sync.Mutex
	Views      []string                          // external ids in the order they were opened
	Modals     map[string]slack.ModalViewRequest // as they are now
	Shown      map[string]string                 // the same as text
	paints     map[string]int                    // how often they were painted: their hash
	Closed     bool                              // the person closed the modal
	Heard      []string                          // what follows, in its order
	Told       []string                          // ephemeral
	DMs        []string
	Busy       int                        // that many direct messages meet a 429
	Mute       bool                       // what is told a person alone meets a 429
	NoViews    error                      // no window may be painted
	Denied     error                      // nothing may be shown or told
	NoDMs      error                      // nor be sent to anybody directly
	NoEdits    error                      // nor edited there
	Replies    map[string][]slack.Message // to threads, by the timestamp of their first message
	Guests     map[string]bool
	Out        map[string]bool // people who are not in the channel
	Left       map[string]bool // people who have left their channels since the app last asked who is in them
	BeforeFile func()          // what happens before a file is read that is sent, once
	Meanwhile  func()          // what happens while Slack is asked who is in a channel, once
	Vague      error           // what asking meets who is in a channel now; what was told before still counts
	where      slack.Channel
	Homes      map[string]string // by user
	Stale      bool              // response URLs are used up
	Late       int               // that many triggers come too late
	used       map[string]bool   // the triggers that opened something
	Slow       time.Duration     // until the Home that is published next is there
	NoHomes    []error           // what the next ones meet, each once
	Moved      int               // that many views have changed since their hash was read
	Asked      int               // how often membership of a channel was asked about
	Marks      []string          // "ts emoji" in the order they were put on messages
	Blind      bool              // no picture can be fetched

	Rooms     map[string]Room // channels that are not like the others
	admins    map[string]bool
	Nobody    error              // the app does not learn who it is
	Unknown   error              // nor who others are
	Unlisted  error              // nor which channels they are in
	Strangers map[string]bool    // from another organisation
	Teams     map[string]string  // whose account is of which workspace; else of ours
	threads   map[string]*Thread // what threads begin with, by timestamp

	groups    map[string][]string // user groups, and who is in them
	ungrouped error               // Slack tells of none

	Unremembered map[string]bool // people of whom the app remembers nothing

	Uploads  map[string][]byte // what the app uploaded, by name
	uploaded int               // how often it did
	NoFiles  error             // it may upload nothing
	NoShare  error             // nor show anybody what it uploaded
	Scopes   []string          // what the app was granted; nil: all
	Unsure   []bool            // of the next direct messages, and files there, whose answer is lost: whether they arrive
	sent     []slack.Message   // all that arrived in direct messages
	Undone   int               // that many times Slack is not done with a picture that is to be shown
	Zones    map[string]string // people's time zones

	Files    map[string]SeenFile // what files.info says; of others nothing just now
	Contents map[string][]byte   // what files hold
	Unread   error               // what opening a file meets
	CutOff   error               // what reading on in one meets
}

// SeenFile is an answer of files.info.
type SeenFile struct {
	File slack.File
	Err  error
}

// File is what Slack says of a file.
func (s *Screen) File(_ context.Context, id string) (slack.File, error) {
	s.Lock()
	defer s.Unlock()
	if seen, known := s.Files[id]; known {
		return seen.File, seen.Err
	}
	return slack.File{}, fmt.Errorf("files.info: %w", client.ErrTryLater)
}

// UploadImage keeps a picture, of which Slack may say at first that it is not done with it.
func (s *Screen) UploadImage(_ context.Context, name string, data []byte) (string, error) {
	s.Lock()
	defer s.Unlock()
	if s.NoFiles != nil {
		return "", fmt.Errorf("files.getUploadURLExternal: %w", s.NoFiles)
	}
	s.keep(name, data)
	return "F" + name, nil
}

// SendFile sends a file by direct message.
func (s *Screen) SendFile(_ context.Context, user, name, words string, data []byte) error {
	s.Lock()
	defer s.Unlock()
	if s.NoFiles != nil {
		return fmt.Errorf("files.completeUploadExternal: %w", s.NoFiles)
	}
	s.keep(name, data)
	s.tells(&s.DMs, "to "+user+": "+words+"\n"+name)
	return nil
}

// SendFileFrom is SendFile of what is read; it must be as long as it was said to be.
func (s *Screen) SendFileFrom(ctx context.Context, user, name, words string, size int64, body io.Reader) error {
	s.Lock()
	before := s.BeforeFile
	s.BeforeFile = nil
	refused := s.NoFiles
	s.Unlock()
	if refused != nil { // before anything of it is read
		return fmt.Errorf("files.getUploadURLExternal: %w", refused)
	}
	if before != nil {
		before()
	}
	data, err := exactly(size, body)
	if err != nil {
		return err
	}
	return s.SendFile(ctx, user, name, words, data)
}

// UploadFile keeps a file that nobody sees yet.
func (s *Screen) UploadFile(ctx context.Context, name string, size int64, body io.Reader) (string, error) {
	data, err := exactly(size, body)
	if err != nil {
		return "", err
	}
	return s.UploadImage(ctx, name, data)
}

// exactly reads what is as long as it was said to be.
func exactly(size int64, body io.Reader) ([]byte, error) {
	data, err := io.ReadAll(body)
	if err == nil && int64(len(data)) != size {
		err = fmt.Errorf("files.upload: %d bytes, not %d", len(data), size)
	}
	return data, err
}

// Uploaded is how often the app uploaded something.
func (s *Screen) Uploaded() int {
	s.Lock()
	defer s.Unlock()
	return s.uploaded
}

// Set changes what Slack is like, while the app works.
func (s *Screen) Set(change func(s *Screen)) {
	s.Lock()
	defer s.Unlock()
	change(s)
}

func (s *Screen) keep(name string, data []byte) {
	s.uploaded++
	if s.Uploads == nil {
		s.Uploads = map[string][]byte{}
	}
	s.Uploads[name] = data
}

// OpenView opens a window, unless the trigger comes too late, or opened one before.
func (s *Screen) OpenView(ctx context.Context, trigger string, v slack.ModalViewRequest) error {
	if ctx.Err() != nil {
		return fmt.Errorf("views.open: %w", ctx.Err())
	}
	s.Lock()
	defer s.Unlock()
	late := s.Late > 0
	s.Late = max(s.Late-1, 0)
	if late || s.used[trigger] {
		return fmt.Errorf("views.open: %w", client.ErrTrigger)
	}
	if s.used == nil {
		s.used = map[string]bool{}
	}
	s.used[trigger] = trigger != ""
	s.Views, s.Closed = append(s.Views, v.ExternalID), false
	s.put(v.ExternalID, v)
	return nil
}

// PushView opens a window on top of another.
func (s *Screen) PushView(ctx context.Context, trigger string, v slack.ModalViewRequest) error {
	return s.OpenView(ctx, trigger, v)
}

// Hash stands for what a window shows now.
func (s *Screen) Hash(window string) string {
	s.Lock()
	defer s.Unlock()
	return fmt.Sprint(s.paints[window])
}

// UpdateView paints a window that is open and was not painted since the hash was read.
func (s *Screen) UpdateView(ctx context.Context, external, _, hash string, v slack.ModalViewRequest) error {
	if ctx.Err() != nil {
		return fmt.Errorf("views.update: %w", ctx.Err())
	}
	s.Lock()
	defer s.Unlock()
	if err := cmp.Or(s.Denied, s.NoViews); err != nil {
		return fmt.Errorf("views.update: %w", err)
	}
	if s.Closed {
		return fmt.Errorf("views.update: %w", client.ErrGone)
	}
	if s.Blind && strings.Contains(Text(v), `"image_url"`) {
		return fmt.Errorf("views.update: %w", errors.Join(client.ErrImage, client.ErrPayload))
	}
	if s.Undone > 0 && strings.Contains(Text(v), `"slack_file"`) {
		s.Undone--
		return fmt.Errorf("views.update: %w", client.ErrPayload)
	}
	if hash != "" && s.Moved > 0 {
		s.Moved--
		return fmt.Errorf("views.update: %w", client.ErrHashConflict)
	}
	if external == "" {
		external = v.ExternalID
	}
	// A test may begin in a window that it did not open; an empty one is never its own.
	if _, open := s.Modals[external]; !open && (hash != "" || strings.HasSuffix(external, ":empty")) {
		return fmt.Errorf("views.update: %w", client.ErrGone)
	}
	if hash != "" && hash != fmt.Sprint(s.paints[external]) {
		return fmt.Errorf("views.update: %w", client.ErrHashConflict)
	}
	if v.ExternalID != "" && v.ExternalID != external {
		s.rename(external, v.ExternalID)
		external = v.ExternalID
	}
	s.put(external, v)
	return nil
}

// put shows a view under the external id of its window.
func (s *Screen) put(external string, v slack.ModalViewRequest) {
	if s.Modals == nil {
		s.Modals, s.paints = map[string]slack.ModalViewRequest{}, map[string]int{}
	}
	s.Modals[external], s.Shown[external] = v, Text(v)
	s.paints[external]++
}

// rename gives a window the external id of the view that is put into it.
func (s *Screen) rename(from, to string) {
	s.paints[to] = s.paints[from]
	delete(s.Modals, from)
	delete(s.Shown, from)
	delete(s.paints, from)
	for i := range s.Views {
		if s.Views[i] == from {
			s.Views[i] = to
		}
	}
}

// tells adds what one person is told by that way.
func (s *Screen) tells(way *[]string, says string) {
	*way, s.Heard = append(*way, says), append(s.Heard, says)
}

// Tell says something that one person sees: where they are, or by direct message.
func (s *Screen) Notify(ctx context.Context, where client.Recipient, says string, blocks ...slack.Block) error {
	if ctx.Err() != nil {
		return fmt.Errorf("chat.postEphemeral: %w", ctx.Err())
	}
	s.Lock()
	defer s.Unlock()
	if s.Denied != nil {
		return fmt.Errorf("chat.postEphemeral: %w", s.Denied)
	}
	if s.Mute {
		return fmt.Errorf("chat.postEphemeral: %w", client.ErrTryLater)
	}
	if s.Blind && strings.Contains(Text(blocks), "image_url") {
		return fmt.Errorf("response_url: %w", client.ErrPayload)
	}
	if where.Channel == "" && where.ResponseURL == "" {
		s.tells(&s.DMs, says+Text(blocks))
		return nil
	}
	s.tells(&s.Told, says+Text(blocks))
	return nil
}

// Respond shows a message in the place of the last one, as a response URL does.
func (s *Screen) Respond(ctx context.Context, _, says string, blocks ...slack.Block) error {
	if ctx.Err() != nil {
		return fmt.Errorf("response_url: %w", ctx.Err())
	}
	s.Lock()
	defer s.Unlock()
	if s.Stale {
		return fmt.Errorf("response_url: %w", client.ErrGone)
	}
	if len(s.Told) > 0 {
		s.Told = s.Told[:len(s.Told)-1]
	}
	s.tells(&s.Told, says+Text(blocks))
	return nil
}

// OpenFile opens what a file holds.
func (s *Screen) OpenFile(_ context.Context, id, _ string) (*http.Response, error) {
	s.Lock()
	defer s.Unlock()
	data, there := s.Contents[id]
	switch {
	case s.Unread != nil:
		return nil, fmt.Errorf("file_url: %w", s.Unread)
	case !there:
		return nil, fmt.Errorf("file_url: %w", client.ErrGone)
	}
	body := io.Reader(bytes.NewReader(data))
	if s.CutOff != nil {
		body = io.MultiReader(body, iotest.ErrReader(s.CutOff))
	}
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(body)}, nil
}

// PublishHome shows a person's Home.
func (s *Screen) PublishHome(_ context.Context, user string, v slack.HomeTabViewRequest) error {
	s.Lock()
	slow := s.Slow
	s.Slow = 0
	s.Unlock()
	<-time.After(slow)
	s.Lock()
	defer s.Unlock()
	if len(s.NoHomes) > 0 {
		err := s.NoHomes[0]
		s.NoHomes = s.NoHomes[1:]
		return err
	}
	if s.Homes == nil {
		s.Homes = map[string]string{}
	}
	s.Homes[user] = Text(v)
	return nil
}

// SetRooms says which channels there are, while the app works.
func (s *Screen) SetRooms(rooms map[string]Room) {
	s.Lock()
	defer s.Unlock()
	s.Rooms = rooms
}

// Last is the window that was opened last.
func (s *Screen) Last() string {
	s.Lock()
	defer s.Unlock()
	return s.Views[len(s.Views)-1]
}

// Modal is what the window that was opened last shows.
func (s *Screen) Modal() string {
	last := s.Last()
	s.Lock()
	defer s.Unlock()
	return s.Shown[last]
}

// Window is what a modal shows, "" when nothing was put into it.
func (s *Screen) Window(external string) string {
	s.Lock()
	defer s.Unlock()
	return s.Shown[external]
}

// View is a window as Slack sends it along, before anything was filled in.
func (s *Screen) View(external string) slack.View {
	s.Lock()
	defer s.Unlock()
	v := s.Modals[external]
	return slack.View{ExternalID: external, PrivateMetadata: v.PrivateMetadata, Blocks: v.Blocks, CallbackID: v.CallbackID}
}

// AllTold is all that people were told one by one, also while the app goes on telling: where they
// are, or by direct message.
func (s *Screen) AllTold() []string {
	s.Lock()
	defer s.Unlock()
	return slices.Clone(s.Heard)
}

// LastTold is what one person was told last, "" when nothing was.
func (s *Screen) LastTold() string {
	s.Lock()
	defer s.Unlock()
	if len(s.Heard) == 0 {
		return ""
	}
	return s.Heard[len(s.Heard)-1]
}

// Closes is a person closing the window.
func (s *Screen) Closes() {
	s.Lock()
	defer s.Unlock()
	s.Closed = true
}

// Text is anything of Slack's as the text in which tests look for words.
func Text(v any) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(v)
	return out.String()
}
