package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/upstream"
)

// rig is the commands between a real store and queue, in a bubble where time costs
// nothing, and two outsides made by hand.
type rig struct {
	*Commands
	t       *testing.T
	screen  *screen
	service *forgetful
	clicks  int
	redis   flaky
}

// bubble runs a story in which minutes pass at once.
func bubble(t *testing.T, story func(r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- r.queue.Run(ctx, r.work) }()
		defer func() {
			stop()
			require.NoError(t, <-ended)
		}()
		story(r)
	})
}

func newRig(t *testing.T) *rig {
	t.Helper()
	m := miniredis.NewMiniRedis()
	m.ClockTTL(true)
	rdb := redis.NewClient(&redis.Options{
		Dialer:                func(context.Context, string, string) (net.Conn, error) { return buffered(m) },
		ContextTimeoutEnabled: true, DisableIdentity: true,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	})
	t.Cleanup(func() { _ = rdb.Close(); m.Close() })
	r := &rig{t: t, screen: &screen{shown: map[string]string{}}, service: &forgetful{credits: decimal.NewFromInt(100)}}
	rdb.AddHook(&r.redis)
	q := queue.New(rdb, queue.Options{
		Logger: slog.New(slog.DiscardHandler),
		OnDead: func(ctx context.Context, l queue.DeadLetter) { r.Died(ctx, l.Job) },
	})
	r.Commands = New(Config{
		Slack: r.screen, Service: r.service, Store: store.New(rdb, q), Queue: q,
	})
	return r
}

// work does the app's jobs; those of the announcer it only looks at.
func (r *rig) work(ctx context.Context, d *queue.Delivery) error {
	if d.Kind == store.MarkKind {
		return r.screen.marked(d.Body)
	}
	if !r.Handles(d.Kind) {
		return nil
	}
	return r.Work(context.WithValue(ctx, atWork{}, true), d)
}

// types is a person typing a command line.
func (r *rig) types(line string) {
	r.t.Helper()
	verb, args, _ := strings.Cut(line, " ")
	r.click(bot.Request{Kind: bot.KindCommand, Name: Slash, Verb: verb, Args: args, Text: line})
}

// presses is a person pressing a button outside a modal.
func (r *rig) presses(action, value string) {
	r.t.Helper()
	r.click(bot.Request{Kind: bot.KindAction, Name: action, Value: value})
}

// click is anything that becomes a job, done by maria in #shoots unless it says who.
func (r *rig) click(q bot.Request) {
	r.t.Helper()
	r.clicks++
	q.ID = fmt.Sprintf("trigger%d", r.clicks)
	q.TriggerID, q.Team, q.At = q.ID, "T1", time.Now()
	if q.Channel == "" && (q.View == nil || q.View.Type != slack.VTHomeTab) {
		q.Channel = "C1"
	}
	if q.User == "" {
		q.User = "maria"
	}
	_, err := r.accept(r.t.Context(), q)
	require.NoError(r.t, err)
	r.settle(time.Second)
}

// settle lets the app work for a while.
func (r *rig) settle(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// submits is maria submitting a filled order form that was opened last.
func (r *rig) submits() bot.Reply {
	r.t.Helper()
	return r.submitsForm(r.screen.last())
}

func (r *rig) submitsForm(window string) bot.Reply {
	r.t.Helper()
	view := r.screen.view(window)
	fill := map[string]string{"Image URLs": "https://example.com/a.jpg", "Instructions": "Brighten it.", "Project name": "Smith wedding"}
	view.State = &slack.ViewState{Values: map[string]map[string]slack.BlockAction{}}
	for _, block := range view.Blocks.BlockSet {
		input, ok := block.(*slack.InputBlock)
		if !ok {
			continue
		}
		var element struct {
			ActionID string `json:"action_id"`
		}
		raw, err := json.Marshal(input.Element)
		require.NoError(r.t, err)
		require.NoError(r.t, json.Unmarshal(raw, &element))
		action := slack.BlockAction{Value: fill[input.Label.Text]}
		switch input.Label.Text {
		case "Post to":
			action.SelectedConversation, action.SelectedChannel = "C1", "C1"
		case "Service type":
			action.SelectedOption = slack.OptionBlockObject{Value: "basic"}
		}
		view.State.Values[input.BlockID] = map[string]slack.BlockAction{element.ActionID: action}
	}
	r.clicks++
	reply, err := r.submitNew(r.t.Context(), bot.Request{
		Kind: bot.KindSubmit, ID: fmt.Sprintf("submit%d", r.clicks), Name: cards.CallbackNew,
		Team: "T1", User: "maria", View: &view, At: time.Now(),
	})
	require.NoError(r.t, err)
	r.settle(time.Second)
	return reply
}

// approves is a person submitting the approval that was opened last.
func (r *rig) approves() {
	r.t.Helper()
	view := r.screen.view(r.screen.last())
	view.State = &slack.ViewState{}
	r.clicks++
	_, err := r.submitApprove(r.t.Context(), bot.Request{
		Kind: bot.KindSubmit, ID: fmt.Sprintf("submit%d", r.clicks), Name: cards.CallbackApprove,
		Team: "T1", User: "maria", View: &view, At: time.Now(),
	})
	require.NoError(r.t, err)
	r.settle(time.Second)
}

// screen is what people see, as JSON; it is the Slack of these tests.
type screen struct {
	mu     sync.Mutex
	views  []string                          // external ids in the order they were opened
	modals map[string]slack.ModalViewRequest // as they are now
	shown  map[string]string                 // the same as text
	closed bool                              // the person closed the modal
	told   []string                          // ephemeral
	dms    []string
	busy   int // that many direct messages meet a 429
	guests map[string]bool
	out    map[string]bool // people who are not in the channel
	where  slack.Channel
	homes  map[string]string // by user
	stale  bool              // response URLs are used up
	late   int               // that many triggers come too late
	missed map[string]bool   // windows that never opened
	moved  int               // that many views have changed since their hash was read
	asked  int               // how often membership of a channel was asked about
	marks  []string          // "ts emoji" in the order they were put on messages
	blind  bool              // no picture can be fetched

	rooms     map[string]room // channels that are not like the others
	admins    map[string]bool
	strangers map[string]bool // from another organisation
}

func (s *screen) OpenView(_ context.Context, _ string, v slack.ModalViewRequest) (*slack.View, error) {
	s.mu.Lock()
	if s.late > 0 {
		s.late--
		_, open := s.modals[v.ExternalID]
		s.missed = map[string]bool{v.ExternalID: !open}
		s.mu.Unlock()
		return nil, fmt.Errorf("views.open: %w", bot.ErrTrigger)
	}
	s.views, s.closed = append(s.views, v.ExternalID), false
	s.mu.Unlock()
	return s.UpdateView(context.Background(), v.ExternalID, "", "", v)
}

func (s *screen) PushView(ctx context.Context, trigger string, v slack.ModalViewRequest) (*slack.View, error) {
	return s.OpenView(ctx, trigger, v)
}

func (s *screen) UpdateView(_ context.Context, external, _, hash string, v slack.ModalViewRequest) (*slack.View, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, fmt.Errorf("views.update: %w", bot.ErrGone)
	}
	if s.blind && strings.Contains(text(v), `"image_url"`) {
		return nil, fmt.Errorf("views.update: %w", errors.Join(bot.ErrImage, bot.ErrPayload))
	}
	if hash != "" && s.moved > 0 {
		s.moved--
		return nil, fmt.Errorf("views.update: %w", bot.ErrHashConflict)
	}
	if external == "" {
		external = v.ExternalID
	}
	if s.missed[external] {
		return nil, fmt.Errorf("views.update: %w", bot.ErrGone)
	}
	if s.modals == nil {
		s.modals = map[string]slack.ModalViewRequest{}
	}
	s.modals[external], s.shown[external] = v, text(v)
	return &slack.View{ID: "V" + external, ExternalID: external, Hash: "1"}, nil
}

func (s *screen) Tell(_ context.Context, where bot.Where, says string, blocks ...slack.Block) (bot.Reached, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.blind && strings.Contains(text(blocks), "image_url") {
		return "", fmt.Errorf("response_url: %w", bot.ErrPayload)
	}
	if where.Channel == "" && where.ResponseURL == "" {
		s.dms = append(s.dms, says+text(blocks))
		return bot.ByDM, nil
	}
	s.told = append(s.told, says+text(blocks))
	return bot.ByEphemeral, nil
}

// Respond shows a message in the place of the last one, as a response URL does.
func (s *screen) Respond(_ context.Context, _, says string, replace bool, blocks ...slack.Block) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stale {
		return fmt.Errorf("response_url: %w", bot.ErrGone)
	}
	if replace && len(s.told) > 0 {
		s.told = s.told[:len(s.told)-1]
	}
	s.told = append(s.told, says+text(blocks))
	return nil
}

func (s *screen) DM(_ context.Context, _ string, p bot.Post) (channel, ts string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy > 0 {
		s.busy--
		return "", "", fmt.Errorf("chat.postMessage: %w", bot.ErrTryLater)
	}
	s.dms = append(s.dms, p.Text+text(p.Blocks))
	return "D1", "1.1", nil
}

func (s *screen) Channel(_ context.Context, id string) (slack.Channel, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if room, known := s.rooms[id]; known {
		return room.info(id)
	}
	return s.where, nil
}

func (s *screen) Join(context.Context, string) error { return nil }

func (s *screen) IsMember(_ context.Context, channel, user string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	if room, known := s.rooms[channel]; known {
		return room.isMember(user)
	}
	return !s.out[user], nil
}

func (s *screen) User(_ context.Context, id string) (slack.User, error) {
	return slack.User{ID: id, TeamID: "T1", IsRestricted: s.guests[id], IsAdmin: s.admins[id], IsStranger: s.strangers[id]}, nil
}

func (s *screen) UserChannels(_ context.Context, user string) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rooms != nil {
		return s.roomsOf(user), nil
	}
	return []string{"C1"}, nil
}

func (s *screen) Identity(context.Context) (bot.Identity, error) {
	return bot.Identity{Team: "T1", BotUser: "UDARKROOM", BotID: "BDARKROOM"}, nil
}

func (s *screen) PublishHome(_ context.Context, user, _ string, v slack.HomeTabViewRequest) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.homes == nil {
		s.homes = map[string]string{}
	}
	s.homes[user] = text(v)
	return nil
}

func (s *screen) last() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.views[len(s.views)-1]
}

func (s *screen) modal() string {
	last := s.last()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shown[last]
}

// window is what a modal shows, "" when nothing was put into it.
func (s *screen) window(external string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shown[external]
}

func (s *screen) view(external string) slack.View {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.modals[external]
	return slack.View{ExternalID: external, PrivateMetadata: v.PrivateMetadata, Blocks: v.Blocks, CallbackID: v.CallbackID}
}

func (s *screen) lastTold() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.told) == 0 {
		return ""
	}
	return s.told[len(s.told)-1]
}

func (s *screen) closes() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
}

func text(v any) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(v)
	return out.String()
}

// forgetful is an order service that loses answers when told to.
type forgetful struct {
	mu         sync.Mutex
	orders     []upstream.Order // newest first
	credits    decimal.Decimal
	creates    int
	placed     []upstream.NewOrder // what was ordered, each time
	approves   int
	lists      int
	create     []func(place func() upstream.Order) (upstream.Order, error) // the next answers
	approve    []func(do func() upstream.Order) (upstream.Order, error)
	cancels    int
	cancel     []func(do func() upstream.Order) (upstream.Order, error)
	revise     []func(do func() upstream.Order) (upstream.Order, error)
	message    []func(do func() upstream.Order) (upstream.Order, error)
	reference  []func(do func() upstream.Order) (upstream.Order, error)
	revised    []map[string][]string // what was asked for, each time
	references []upstream.RefImage
	down       bool
	strange    bool // the list is refused: a wrong clock, say
	shifting   bool // orders come in while the list is read
}

var errUnknown = &upstream.Error{Op: "create", Outcome: upstream.ErrUnknown}

// lost carries the call out and loses the answer; never does nothing and answers as
// if it might have.
func lost(do func() upstream.Order) (upstream.Order, error) {
	do()
	return upstream.Order{}, errUnknown
}

func never(func() upstream.Order) (upstream.Order, error) { return upstream.Order{}, errUnknown }

func unsent(func() upstream.Order) (upstream.Order, error) {
	return upstream.Order{}, &upstream.Error{Op: "create", Outcome: upstream.ErrUnavailable}
}

// refused answers with these reasons.
func refused(reasons ...string) func(func() upstream.Order) (upstream.Order, error) {
	return func(func() upstream.Order) (upstream.Order, error) {
		return upstream.Order{}, &upstream.Error{Op: "create", Messages: reasons}
	}
}

func (f *forgetful) Timeout() time.Duration { return 30 * time.Second }

func (f *forgetful) Balance(context.Context) (decimal.Decimal, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.down {
		return decimal.Zero, &upstream.Error{Op: "balance", Outcome: upstream.ErrUnavailable}
	}
	return f.credits, nil
}

func (f *forgetful) Create(_ context.Context, o upstream.NewOrder) (upstream.Order, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.creates++
	f.placed = append(f.placed, o)
	place := func() upstream.Order { return f.add(o.ProjectName) }
	if len(f.create) > 0 {
		next := f.create[0]
		f.create = f.create[1:]
		return next(place)
	}
	return place(), nil
}

// add puts an order on the service's list.
func (f *forgetful) add(project string) upstream.Order {
	zero := 0
	order := upstream.Order{
		ID: fmt.Sprintf("order%d", len(f.orders)+1), ProjectName: project, Status: upstream.Editing, Revision: &zero,
		OrderedAt: time.Now(),
	}
	f.orders = append([]upstream.Order{order}, f.orders...)
	return order
}

func (f *forgetful) List(_ context.Context, filter upstream.Filter) (upstream.Page, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lists++
	if f.down {
		return upstream.Page{}, &upstream.Error{Op: "list", Outcome: upstream.ErrUnavailable}
	}
	if f.strange {
		return upstream.Page{}, &upstream.Error{Op: "list", Messages: []string{"invalid timestamp"}}
	}
	if f.shifting && len(filter.Keywords) == 0 {
		return upstream.Page{TotalPages: 9, Total: f.lists, Current: max(filter.Page, 1), PerPage: 20}, nil
	}
	var found []upstream.Order
	for _, o := range f.orders {
		if len(filter.Keywords) == 0 || strings.Contains(o.ProjectName, filter.Keywords[0]) {
			found = append(found, o)
		}
	}
	return upstream.Page{Orders: found, TotalPages: 1, Total: len(found), Current: 1, PerPage: 20}, nil
}

func (f *forgetful) Fetch(_ context.Context, id string) (upstream.Order, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.down {
		return upstream.Order{}, &upstream.Error{Op: "fetch", Outcome: upstream.ErrUnavailable}
	}
	if o := f.find(id); o != nil {
		return *o, nil
	}
	return upstream.Order{}, &upstream.Error{Op: "fetch", Messages: []string{"invalid order id"}}
}

func (f *forgetful) find(id string) *upstream.Order {
	for i := range f.orders {
		if f.orders[i].ID == id {
			return &f.orders[i]
		}
	}
	return nil
}

func (f *forgetful) Approve(_ context.Context, id string, _ []string) (upstream.Order, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.approves++
	o := f.find(id)
	if o.Status != upstream.Reviewing {
		return upstream.Order{}, &upstream.Error{Op: "approve", Messages: []string{"invalid order status"}}
	}
	do := func() upstream.Order {
		o.Status, o.ClosedAt = upstream.Closed, time.Now()
		return *o
	}
	if len(f.approve) > 0 {
		next := f.approve[0]
		f.approve = f.approve[1:]
		return next(do)
	}
	return do(), nil
}

// next answers with the change, or as it was told to.
func (f *forgetful) next(answers *[]func(func() upstream.Order) (upstream.Order, error), do func() upstream.Order) (upstream.Order, error) {
	if len(*answers) == 0 {
		return do(), nil
	}
	answer := (*answers)[0]
	*answers = (*answers)[1:]
	return answer(do)
}

func (f *forgetful) Cancel(_ context.Context, id string, _ []string) (upstream.Order, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cancels++
	o := f.find(id)
	if o.Status != upstream.Editing {
		return upstream.Order{}, &upstream.Error{Op: "cancel", Messages: []string{"15 min deadline passed"}}
	}
	return f.next(&f.cancel, func() upstream.Order {
		o.Status, o.CanceledAt = upstream.Canceled, time.Now()
		return *o
	})
}

func (f *forgetful) Revise(_ context.Context, id string, words map[string][]string) (upstream.Order, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	o := f.find(id)
	if o.Status != upstream.Reviewing {
		return upstream.Order{}, &upstream.Error{Op: "revise", Messages: []string{"invalid order status"}}
	}
	return f.next(&f.revise, func() upstream.Order {
		f.revised = append(f.revised, words)
		revision := o.Rev() + 1
		o.Status, o.Revision, o.RevisionRequestedAt = upstream.Revising, &revision, time.Now()
		return *o
	})
}

func (f *forgetful) Message(_ context.Context, id, text string) (upstream.Order, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	o := f.find(id)
	for _, said := range o.Conversation {
		if said.Content == text {
			return upstream.Order{}, &upstream.Error{Op: "message", Messages: []string{"Please do not post duplicated message"}}
		}
	}
	return f.next(&f.message, func() upstream.Order {
		o.Conversation = append([]upstream.Entry{{From: "client", Content: text, CreatedAt: time.Now()}}, o.Conversation...)
		return *o
	})
}

func (f *forgetful) AddReferences(_ context.Context, id string, images []upstream.RefImage) (upstream.Order, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	o := f.find(id)
	for _, image := range images {
		for _, has := range f.references {
			if has.URL == image.URL {
				return upstream.Order{}, &upstream.Error{Op: "reference", Messages: []string{"Please do not post duplicated images"}}
			}
		}
	}
	return f.next(&f.reference, func() upstream.Order {
		f.references = append(f.references, images...)
		return *o
	})
}

// set changes how the service behaves.
func (f *forgetful) set(change func(f *forgetful)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f)
}

// edit changes an order as the service's own people would.
func (f *forgetful) edit(id string, change func(o *upstream.Order)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f.find(id))
}

func (f *forgetful) sent() (creates, approves int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.creates, f.approves
}
