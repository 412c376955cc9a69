package commands

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
)

// room is a channel with members of its own.
type room struct {
	private, archived bool
	away              bool // the app is not in it
	mute              bool // Slack does not answer in time
	shared            bool // with other organisations
	members           []string
	refuses           error // what Slack says instead of who is in it
}

func (r room) isMember(user string) (bool, error) {
	switch {
	case r.refuses != nil:
		return false, fmt.Errorf("conversations.members: %w", r.refuses)
	case r.mute:
		return false, fmt.Errorf("conversations.members: %w", bot.ErrTryLater)
	case r.away && r.private:
		return false, fmt.Errorf("conversations.members: %w", bot.ErrNoChannel)
	}
	return slices.Contains(r.members, user), nil
}

func (r room) info(id string) (slack.Channel, error) {
	if r.away && r.private {
		return slack.Channel{}, fmt.Errorf("conversations.info: %w", bot.ErrNoChannel)
	}
	var c slack.Channel
	c.ID, c.IsPrivate, c.IsArchived, c.IsMember = id, r.private, r.archived, !r.away
	c.IsExtShared = r.shared
	return c, nil
}

// roomsOf is users.conversations: what the app can see.
func (s *screen) roomsOf(user string) []string {
	var in []string
	for id, room := range s.rooms {
		if (!room.away || !room.private) && slices.Contains(room.members, user) {
			in = append(in, id)
		}
	}
	return in
}

// houses are #shoots, which everybody is in, the private #weddings of maria and boss, and
// the public #archive and #attic.
func (r *rig) houses() {
	all := []string{"maria", "tom", "boss", "ines"}
	r.screen.rooms = map[string]room{
		"C1":       {members: all},
		"CWEDDING": {private: true, members: []string{"maria", "boss"}},
		"CPUBLIC":  {members: all},
		"CATTIC":   {archived: true, members: all},
		"CAWAY":    {private: true, away: true, members: all},
	}
	r.screen.guests = map[string]bool{"ines": true}
	r.screen.admins = map[string]bool{"boss": true, "chief": true}
}

// owns gives a channel an order that was placed some minutes ago.
func (r *rig) owns(id, channel, requester string, change func(*order.Order)) store.Tracked {
	r.t.Helper()
	zero := 0
	o := order.Order{
		ID: id, ProjectName: "Project " + id, Status: order.StatusEditing, Revision: &zero, OrderedAt: time.Now().Add(-20 * time.Minute),
	}
	if change != nil {
		change(&o)
	}
	r.service.set(func(f *forgetful) { f.orders = append([]order.Order{o}, f.orders...) })
	t, err := r.store.Place(r.t.Context(), store.Placement{
		ID: id, Owner: store.Owner{Team: "T1", Channel: channel, Requester: requester}, Images: 2, Order: o,
	})
	require.NoError(r.t, err)
	return t
}

func inStatus(s order.Status) func(*order.Order) {
	return func(o *order.Order) { o.Status = s }
}

// says is somebody typing a command line somewhere.
func (r *rig) says(user, channel, line string) string {
	r.t.Helper()
	verb, args, _ := strings.Cut(line, " ")
	before := r.seen()
	r.click(bot.Request{Kind: bot.KindCommand, Name: Slash, Verb: verb, Args: args, Text: line, User: user, Channel: channel})
	return r.since(before)
}

// does is somebody pressing something.
func (r *rig) does(q bot.Request) string {
	r.t.Helper()
	q.Kind = bot.KindAction
	before := r.seen()
	r.click(q)
	return r.since(before)
}

// sight of everything that was shown so far.
type glance struct {
	told, dms int
	views     int
}

func (r *rig) seen() glance {
	r.screen.Lock()
	defer r.screen.Unlock()
	return glance{len(r.screen.told), len(r.screen.dms), len(r.screen.views)}
}

var windowIDs = regexp.MustCompile(`"external_id":"[^"]*"|words:[0-9a-f]{16}`)

// since is all that was shown after that glance, without what tells windows apart.
func (r *rig) since(g glance) string {
	r.screen.Lock()
	defer r.screen.Unlock()
	all := slices.Concat(r.screen.told[min(g.told, len(r.screen.told)):], r.screen.dms[g.dms:])
	for _, v := range r.screen.views[g.views:] {
		all = append(all, r.screen.shown[v])
	}
	return windowIDs.ReplaceAllString(readable(strings.Join(all, "\n")), "")
}

// readable undoes what only JSON needs.
func readable(s string) string {
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(s)
}

// suggests is what a picker offers.
func (r *rig) suggests(verb, typed string, q bot.Request) []string {
	r.t.Helper()
	q.Kind, q.Name, q.Value, q.Team = bot.KindOptions, cards.ActionPick+verb, typed, "T1"
	reply, err := r.handle(r.t.Context(), q)
	require.NoError(r.t, err)
	raw := text(reply.Body)
	var offered []string
	for _, match := range regexp.MustCompile(`"value":"([^"]*)"`).FindAllStringSubmatch(raw, -1) {
		offered = append(offered, match[1])
	}
	return offered
}

// atHome is an action in the Home.
func atHome() *slack.View { return &slack.View{Type: slack.VTHomeTab} }

// inWindow is an action in a modal that was opened in a channel.
func inWindow(channel string) *slack.View {
	return &slack.View{Type: slack.VTModal, ExternalID: "below", PrivateMetadata: `{"channel":"` + channel + `"}`}
}

// completed is the modal that was opened last, as somebody submits it.
func (r *rig) completed(fields map[string]slack.BlockAction) bot.Request {
	view := r.screen.view(r.screen.last())
	view.State = &slack.ViewState{Values: map[string]map[string]slack.BlockAction{}}
	for _, block := range view.Blocks.BlockSet {
		if input, ok := block.(*slack.InputBlock); ok {
			for _, action := range slices.Sorted(maps.Keys(fields)) {
				if strings.HasPrefix(input.BlockID, action) {
					view.State.Values[input.BlockID] = map[string]slack.BlockAction{action: fields[action]}
				}
			}
		}
	}
	r.clicks++
	return bot.Request{
		Kind: bot.KindSubmit, ID: fmt.Sprintf("submit%d", r.clicks), Name: view.CallbackID,
		Team: "T1", User: "maria", View: &view, At: time.Now(),
	}
}

// cutOut is what stands between two texts, first from the left.
func cutOut(s, before, after string) string {
	_, rest, _ := strings.Cut(s, before)
	found, _, _ := strings.Cut(rest, after)
	return found
}

func containsAll(s string, parts ...string) bool {
	return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(s, part) })
}
