package access_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/storetest"
)

// The methods of Slack behind [access.Slack].
const (
	authTest             = "auth.test"
	usersInfo            = "users.info"
	usersConversations   = "users.conversations"
	conversationsInfo    = "conversations.info"
	conversationsMembers = "conversations.members"
	conversationsJoin    = "conversations.join"
	usergroupsUsersList  = "usergroups.users.list"
)

// The failures that pass by themselves, and those that need an operator. After any of them, the answer
// is not known.
var (
	outages = map[string]error{
		"slack says later":        client.ErrTryLater,
		"slack broke down midway": client.ErrUnknownOutcome,
		"slack is slow":           context.DeadlineExceeded,
		"redis is away":           queue.ErrUnconfirmed,
	}
	mendable = map[string]error{
		"the token is refused": client.ErrToken,
		"a scope is missing":   client.ErrMissingScope,
	}
)

// unanswered returns both.
func unanswered() map[string]error {
	all := maps.Clone(outages)
	maps.Copy(all, mendable)
	return all
}

// workspace is a fake Slack: T1 of the organisation E1, with the app as UDARKROOM. Like Slack, it does
// not list the members of a private channel that the app is not in.
type workspace struct {
	us       client.Identity
	people   map[string]slack.User
	changed  map[string]slack.User // users that changed within the last minute
	channels map[string]*channel
	broken   map[string]error    // by method: the error
	groups   map[string][]string // user groups and their members
	lasts    int                 // how many answers come before the errors

	mu    sync.Mutex
	asked map[string]int // by method
}

// channel is a channel of the workspace.
type channel struct {
	slack.Channel
	members []string
	left    []string // members until a moment ago
	crowd   bool     // too many members to list
}

// newWorkspace has a user of each status and four channels: the public C1 with all users, the public
// CDOOR without the app, the private CWEDDING of Maria and the admin, and the private CAWAY without
// the app.
func newWorkspace() *workspace {
	w := &workspace{
		us:       client.Identity{Team: "T1", Enterprise: "E1", BotUser: "UDARKROOM"},
		people:   map[string]slack.User{},
		changed:  map[string]slack.User{},
		channels: map[string]*channel{},
		broken:   map[string]error{},
		asked:    map[string]int{},
	}
	for id, is := range map[string]slack.User{
		"maria":    {TeamID: "T1"},
		"tom":      {TeamID: "T1"},
		"sibling":  {TeamID: "T2", Enterprise: slack.EnterpriseUser{EnterpriseID: "E1"}},
		"guest":    {TeamID: "T1", IsRestricted: true},
		"visitor":  {TeamID: "T1", IsRestricted: true, IsUltraRestricted: true}, // of one channel only
		"stranger": {TeamID: "T9", IsStranger: true},
		"partner":  {TeamID: "T9"}, // shares a channel with us
		"former":   {TeamID: "T1", Deleted: true},
		"robot":    {TeamID: "T1", IsBot: true},
		"nameless": {},
		"admin":    {TeamID: "T1", IsAdmin: true},
		"chief":    {TeamID: "T1", IsAdmin: true},
	} {
		is.ID = id
		w.people[id] = is
	}
	w.open("C1", slices.Sorted(maps.Keys(w.people))...)
	w.open("CDOOR", "maria", "guest").IsMember = false
	w.open("CWEDDING", "maria", "admin").IsPrivate = true
	away := w.open("CAWAY", "maria", "tom")
	away.IsPrivate, away.IsMember = true, false
	return w
}

// open adds a public channel that the app is in.
func (w *workspace) open(id string, members ...string) *channel {
	c := &channel{members: members}
	c.ID, c.IsMember = id, true
	w.channels[id] = c
	return c
}

// breaks makes a method fail from now on; nil repairs it.
func (w *workspace) breaks(method string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.broken[method] = err
}

// questions returns how often the methods were called since its last call.
func (w *workspace) questions() map[string]int {
	w.mu.Lock()
	defer w.mu.Unlock()
	asked := w.asked
	w.asked = map[string]int{}
	return asked
}

// ask counts a call, and fails it when the method is broken.
func (w *workspace) ask(method string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked[method]++
	err := w.broken[method]
	if err == nil || w.asked[method] <= w.lasts {
		return nil
	}
	return fmt.Errorf("%s: %w", method, err)
}

func (w *workspace) Identity(context.Context) (client.Identity, error) {
	if err := w.ask(authTest); err != nil {
		return client.Identity{}, err
	}
	return w.us, nil
}

func (w *workspace) User(_ context.Context, id string) (slack.User, error) {
	if err := w.ask(usersInfo); err != nil {
		return slack.User{}, err
	}
	who, known := w.people[id]
	if !known {
		return slack.User{}, fmt.Errorf("%s: %w", usersInfo, client.ErrNoUser)
	}
	return who, nil
}

// UserKnown remembers nobody.
func (w *workspace) UserKnown(string) (slack.User, bool) { return slack.User{}, false }

func (w *workspace) UserLately(ctx context.Context, id string) (slack.User, error) {
	return w.UserNow(ctx, id)
}

func (w *workspace) UserNow(ctx context.Context, id string) (slack.User, error) {
	if who, changed := w.changed[id]; changed {
		return who, w.ask(usersInfo)
	}
	return w.User(ctx, id)
}

func (w *workspace) IsMember(_ context.Context, id, user string) (bool, error) {
	c, err := w.look(conversationsMembers, id)
	return err == nil && slices.Contains(slices.Concat(c.members, c.left), user), err
}

func (w *workspace) IsMemberNow(_ context.Context, id, user string) (bool, error) {
	c, err := w.look(conversationsMembers, id)
	return err == nil && slices.Contains(c.members, user), err
}

func (w *workspace) Members(ctx context.Context, id string) (map[string]bool, bool, error) {
	return w.MembersNow(ctx, id)
}

func (w *workspace) MembersNow(_ context.Context, id string) (map[string]bool, bool, error) {
	c, err := w.look(conversationsMembers, id)
	if err != nil || c.crowd {
		return nil, false, err
	}
	in := map[string]bool{}
	for _, user := range c.members {
		in[user] = true
	}
	return in, true, nil
}

func (w *workspace) UserChannels(_ context.Context, user string) ([]string, error) {
	if err := w.ask(usersConversations); err != nil {
		return nil, err
	}
	var in []string
	for id, c := range w.channels {
		if c.visible() && slices.Contains(slices.Concat(c.members, c.left), user) {
			in = append(in, id)
		}
	}
	return in, nil
}

func (w *workspace) Channel(_ context.Context, id string) (slack.Channel, error) {
	c, err := w.look(conversationsInfo, id)
	if err != nil {
		return slack.Channel{}, err
	}
	return c.Channel, nil
}

func (w *workspace) Join(_ context.Context, id string) error {
	c, err := w.look(conversationsJoin, id)
	if err == nil {
		c.IsMember = true
	}
	return err
}

func (w *workspace) UserGroups(context.Context) ([]client.UserGroup, error) {
	return []client.UserGroup{{ID: "S1", Name: "Leads"}}, nil
}

func (w *workspace) GroupMembers(_ context.Context, group string) (map[string]bool, error) {
	if err := w.ask(usergroupsUsersList); err != nil {
		return nil, err
	}
	in := map[string]bool{}
	for _, user := range w.groups[group] {
		in[user] = true
	}
	return in, nil
}

// look asks a method about a channel. Slack denies channels that the app cannot see.
func (w *workspace) look(method, id string) (*channel, error) {
	if err := w.ask(method); err != nil {
		return nil, err
	}
	c, known := w.channels[id]
	if !known || !c.visible() {
		return nil, fmt.Errorf("%s: %w", method, client.ErrNoChannel)
	}
	return c, nil
}

func (c *channel) visible() bool { return c.IsMember || !c.IsPrivate }

// house is a control over a workspace, and over a store if the rules need one.
type house struct {
	*access.Control
	slack *workspace
	store *store.Store
	log   *strings.Builder
}

// newHouse returns a house without a store: most rules ask only Slack.
func newHouse(operators ...string) *house { return houseOver(&store.Store{}, operators...) }

// newStored returns a house with a store; hangUp ends its connection to Redis.
func newStored(t *testing.T) (h *house, hangUp func()) {
	t.Helper()
	rdb := storetest.Client(t)
	q := queue.New(rdb, queue.Options{Logger: slog.New(slog.DiscardHandler)})
	return houseOver(store.New(rdb, q)), func() { require.NoError(t, rdb.Close()) }
}

func houseOver(s *store.Store, operators ...string) *house {
	h := &house{slack: newWorkspace(), store: s, log: &strings.Builder{}}
	h.Control = access.New(access.Config{
		Slack: h.slack, Orders: s.Orders, Settings: s.Settings, Operators: operators, Log: slog.New(slog.NewTextHandler(h.log, nil)),
	})
	return h
}

// telling is a workspace that describes channels without the app.
type telling struct{ *workspace }

func (w telling) Channel(_ context.Context, id string) (slack.Channel, error) {
	return w.channels[id].Channel, nil
}

// controlOver returns a control over another Slack, without a store.
func controlOver(s access.Slack) *access.Control {
	return access.New(access.Config{Slack: s, Log: slog.New(slog.DiscardHandler)})
}

// gone returns a canceled context.
func gone(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// by is a request of a user in a channel of our workspace; "": outside a channel.
func by(user, channel string) bot.Request {
	return bot.Request{Team: "T1", User: user, Channel: channel}
}

// of returns an order that Maria requested in a channel of our workspace.
func of(channel string) store.Tracked {
	return store.Tracked{ID: "order1", Owner: store.Owner{Team: "T1", Channel: channel, Requester: "maria", Generation: 1}}
}

// errOdd is an unknown error of Slack.
var errOdd = errors.New("odd")
