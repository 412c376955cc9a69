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

// Acks shows the acknowledgement of a submission.
func (s *Screen) Acks(window string, reply bot.Reply) {
	s.Lock()
	defer s.Unlock()
	s.Shown[window] = Text(reply.Body)
}

// reads shows the acknowledgement of a command line.
func (s *Screen) reads(reply bot.Reply) {
	var said struct {
		Text   string          `json:"text"`
		Blocks json.RawMessage `json:"blocks"`
	}
	_ = json.Unmarshal([]byte(Text(reply.Body)), &said)
	s.Lock()
	defer s.Unlock()
	s.notify(&s.Ephemerals, said.Text+Text(said.Blocks))
}

// Submission returns the submission of an order's window, filled in.
func (r *Rig) Submission(line string, words map[string]string) bot.Request {
	r.Types(line)
	view := r.FilledIn(r.Screen.Last(), words)
	return bot.Request{Kind: bot.KindSubmit, ID: "V1:hash", Name: view.CallbackID, Team: "T1", User: "maria", View: &view, At: time.Now()}
}

// TypedAs returns a command line with a fixed request id.
func (r *Rig) TypedAs(verb, args string) bot.Request {
	return bot.Request{
		Kind: bot.KindCommand, ID: "T1.1", Name: commands.Slash, Verb: verb, Args: args, Text: verb + " " + args,
		TriggerID: "T1.1", Team: "T1", User: "maria", Channel: "C1", At: time.Now(),
	}
}

// Painted returns how often a window's view was replaced.
func (s *Screen) Painted(window string) int {
	s.Lock()
	defer s.Unlock()
	return s.paints[window]
}

// Screen is the tests' Slack: it holds what people see, as JSON.
type Screen struct {
	sync.Mutex
	Views      []string                          // external ids, oldest first
	Modals     map[string]slack.ModalViewRequest // current views
	Shown      map[string]string                 // current views as text
	paints     map[string]int                    // number of updates, used as the view's hash
	Closed     bool                              // the modal was closed
	Messages   []string                          // Ephemerals and DMs in one list, oldest first
	Ephemerals []string                          // ephemeral messages
	DMs        []string
	Busy       int                        // number of direct messages that get a 429
	Mute       bool                       // ephemeral messages get a 429
	NoViews    error                      // error of updating views
	Denied     error                      // error of views and messages
	NoDMs      error                      // error of direct messages
	NoEdits    error                      // error of editing direct messages
	Replies    map[string][]slack.Message // replies by the timestamp of their thread
	Guests     map[string]bool
	Out        map[string]bool // people outside the channel
	Left       map[string]bool // people who have left since the app cached its members
	BeforeFile func()          // runs once, before a file is read
	Meanwhile  func()          // runs once, during a membership check
	NoMembers  error           // error of uncached membership checks
	where      slack.Channel
	Homes      map[string]string // by user
	Stale      bool              // response URLs have expired
	Late       int               // number of triggers that have expired
	used       map[string]bool   // used triggers
	Slow       time.Duration     // delay of the next published Home
	NoHomes    []error           // errors of the next published Homes
	Moved      int               // number of updates that find a changed hash
	Asked      int               // number of membership checks
	Marks      []string          // "ts emoji" of reactions, oldest first
	NoPictures bool              // Slack cannot fetch pictures

	Channels       map[string]Channel // channels with their own members
	admins         map[string]bool
	NoIdentity     error              // error of auth.test
	NoUsers        error              // error of users.info
	NoUserChannels error              // error of users.conversations
	Strangers      map[string]bool    // people of another organisation
	Teams          map[string]string  // people's workspaces; default T1
	threads        map[string]*Thread // threads' first messages by timestamp

	groups    map[string][]string // user groups and their members
	ungrouped error               // error of user groups

	Unremembered map[string]bool // people who are not cached

	Uploads     map[string][]byte // uploads by name
	uploaded    int               // number of uploads
	NoFiles     error             // error of uploads
	NoShare     error             // error of sharing uploads
	Scopes      []string          // the app's granted scopes; nil: all
	LostAnswers []bool            // the next direct messages whose answer is lost: whether each arrives
	sent        []slack.Message   // direct messages that arrived
	Processing  int               // number of updates during which a picture is still processed
	Zones       map[string]string // people's time zones

	Files         map[string]SeenFile // answers of files.info; other files get a transient error
	Contents      map[string][]byte   // content of files
	NoFileContent error               // error of opening a file
	CutOff        error               // error after a file's content
}

// SeenFile is an answer of files.info.
type SeenFile struct {
	File slack.File
	Err  error
}

// File returns Slack's description of a file.
func (s *Screen) File(_ context.Context, id string) (slack.File, error) {
	s.Lock()
	defer s.Unlock()
	if seen, known := s.Files[id]; known {
		return seen.File, seen.Err
	}
	return slack.File{}, fmt.Errorf("files.info: %w", client.ErrTryLater)
}

// UploadImage stores a picture. With [Screen.Processing], Slack needs time to process it.
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
	s.notify(&s.DMs, "to "+user+": "+words+"\n"+name)
	return nil
}

// SendFileFrom is SendFile with a reader; size must be its length.
func (s *Screen) SendFileFrom(ctx context.Context, user, name, words string, size int64, body io.Reader) error {
	s.Lock()
	before := s.BeforeFile
	s.BeforeFile = nil
	refused := s.NoFiles
	s.Unlock()
	if refused != nil { // before the body is read
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

// UploadFile stores a file that is not shared yet.
func (s *Screen) UploadFile(ctx context.Context, name string, size int64, body io.Reader) (string, error) {
	data, err := exactly(size, body)
	if err != nil {
		return "", err
	}
	return s.UploadImage(ctx, name, data)
}

// exactly reads a body and fails if its length is not size.
func exactly(size int64, body io.Reader) ([]byte, error) {
	data, err := io.ReadAll(body)
	if err == nil && int64(len(data)) != size {
		err = fmt.Errorf("files.upload: %d bytes, not %d", len(data), size)
	}
	return data, err
}

// Uploaded returns the number of uploads.
func (s *Screen) Uploaded() int {
	s.Lock()
	defer s.Unlock()
	return s.uploaded
}

// Set changes the fake Slack while the app works.
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

// OpenView opens a window, unless the trigger has expired or was used.
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

// Hash returns the hash of a window's view.
func (s *Screen) Hash(window string) string {
	s.Lock()
	defer s.Unlock()
	return fmt.Sprint(s.paints[window])
}

// UpdateView replaces the view of an open window, unless it has changed since hash.
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
	if s.NoPictures && strings.Contains(Text(v), `"image_url"`) {
		return fmt.Errorf("views.update: %w", errors.Join(client.ErrImage, client.ErrPayload))
	}
	if s.Processing > 0 && strings.Contains(Text(v), `"slack_file"`) {
		s.Processing--
		return fmt.Errorf("views.update: %w", client.ErrPayload)
	}
	if hash != "" && s.Moved > 0 {
		s.Moved--
		return fmt.Errorf("views.update: %w", client.ErrHashConflict)
	}
	if external == "" {
		external = v.ExternalID
	}
	// A test may begin in a window that it did not open, but never in an empty one.
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

// put stores a view under its window's external id.
func (s *Screen) put(external string, v slack.ModalViewRequest) {
	if s.Modals == nil {
		s.Modals, s.paints = map[string]slack.ModalViewRequest{}, map[string]int{}
	}
	s.Modals[external], s.Shown[external] = v, Text(v)
	s.paints[external]++
}

// rename gives a window the external id of its new view.
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

// notify appends a message to list and to Messages.
func (s *Screen) notify(list *[]string, text string) {
	*list, s.Messages = append(*list, text), append(s.Messages, text)
}

// Notify sends a message to one person: ephemeral, or direct without a channel.
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
	if s.NoPictures && strings.Contains(Text(blocks), "image_url") {
		return fmt.Errorf("response_url: %w", client.ErrPayload)
	}
	if where.Channel == "" && where.ResponseURL == "" {
		s.notify(&s.DMs, says+Text(blocks))
		return nil
	}
	s.notify(&s.Ephemerals, says+Text(blocks))
	return nil
}

// Respond replaces the last ephemeral message, like a response URL.
func (s *Screen) Respond(ctx context.Context, _, says string, blocks ...slack.Block) error {
	if ctx.Err() != nil {
		return fmt.Errorf("response_url: %w", ctx.Err())
	}
	s.Lock()
	defer s.Unlock()
	if s.Stale {
		return fmt.Errorf("response_url: %w", client.ErrGone)
	}
	if len(s.Ephemerals) > 0 {
		s.Ephemerals = s.Ephemerals[:len(s.Ephemerals)-1]
	}
	s.notify(&s.Ephemerals, says+Text(blocks))
	return nil
}

// OpenFile returns a file's content.
func (s *Screen) OpenFile(_ context.Context, id, _ string) (*http.Response, error) {
	s.Lock()
	defer s.Unlock()
	data, there := s.Contents[id]
	switch {
	case s.NoFileContent != nil:
		return nil, fmt.Errorf("file_url: %w", s.NoFileContent)
	case !there:
		return nil, fmt.Errorf("file_url: %w", client.ErrGone)
	}
	body := io.Reader(bytes.NewReader(data))
	if s.CutOff != nil {
		body = io.MultiReader(body, iotest.ErrReader(s.CutOff))
	}
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(body)}, nil
}

// PublishHome stores a person's Home.
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

// SetChannels sets the channels while the app works.
func (s *Screen) SetChannels(channels map[string]Channel) {
	s.Lock()
	defer s.Unlock()
	s.Channels = channels
}

// Last returns the last opened window.
func (s *Screen) Last() string {
	s.Lock()
	defer s.Unlock()
	return s.Views[len(s.Views)-1]
}

// Modal returns the content of the last opened window.
func (s *Screen) Modal() string {
	last := s.Last()
	s.Lock()
	defer s.Unlock()
	return s.Shown[last]
}

// Window returns the content of a window, "" if it is empty.
func (s *Screen) Window(external string) string {
	s.Lock()
	defer s.Unlock()
	return s.Shown[external]
}

// View returns a window as Slack sends it, without content in its fields.
func (s *Screen) View(external string) slack.View {
	s.Lock()
	defer s.Unlock()
	v := s.Modals[external]
	return slack.View{ExternalID: external, PrivateMetadata: v.PrivateMetadata, Blocks: v.Blocks, CallbackID: v.CallbackID}
}

// AllMessages returns all messages to single people so far, ephemeral and direct.
func (s *Screen) AllMessages() []string {
	s.Lock()
	defer s.Unlock()
	return slices.Clone(s.Messages)
}

// LastMessage returns the last message to one person, "" without one.
func (s *Screen) LastMessage() string {
	s.Lock()
	defer s.Unlock()
	if len(s.Messages) == 0 {
		return ""
	}
	return s.Messages[len(s.Messages)-1]
}

// Closes closes the window.
func (s *Screen) Closes() {
	s.Lock()
	defer s.Unlock()
	s.Closed = true
}

// Text returns a value as JSON without HTML escapes.
func Text(v any) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(v)
	return out.String()
}
