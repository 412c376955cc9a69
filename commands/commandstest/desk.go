package commandstest

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
	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/commands"
	"darkroom/order"
	"darkroom/store"
)

// Button is the value of a button of that action, "" when it is not there.
func Button(page, action string) string {
	match := regexp.MustCompile(`"action_id":"` + action + `","value":"((?:[^"\\]|\\.)*)"`).FindStringSubmatch(page)
	if match == nil {
		return ""
	}
	return strings.ReplaceAll(match[1], `\"`, `"`)
}

// Room is a channel with members of its own.
type Room struct {
	Private, archived bool
	away              bool // the app is not in it
	Mute              bool // Slack does not answer in time
	Shared            bool // with other organisations
	Members           []string
	Refuses           error // what Slack says instead of who is in it
}

func (r Room) isMember(user string) (bool, error) {
	switch {
	case r.Refuses != nil:
		return false, fmt.Errorf("conversations.members: %w", r.Refuses)
	case r.Mute:
		return false, fmt.Errorf("conversations.members: %w", client.ErrTryLater)
	case r.away && r.Private:
		return false, fmt.Errorf("conversations.members: %w", client.ErrNoChannel)
	}
	return slices.Contains(r.Members, user), nil
}

func (r Room) info(id string) (slack.Channel, error) {
	if r.away && r.Private {
		return slack.Channel{}, fmt.Errorf("conversations.info: %w", client.ErrNoChannel)
	}
	var c slack.Channel
	c.ID, c.IsPrivate, c.IsArchived, c.IsMember = id, r.Private, r.archived, !r.away
	c.IsExtShared = r.Shared
	return c, nil
}

// roomsOf is users.conversations: what the app can see.
func (s *Screen) roomsOf(user string) []string {
	var in []string
	for id, room := range s.Rooms {
		if (!room.away || !room.Private) && slices.Contains(room.Members, user) {
			in = append(in, id)
		}
	}
	return in
}

// Houses are #shoots, which everybody is in, the private #weddings of maria and boss, and
// the public #archive and #attic.
func (r *Rig) Houses() {
	all := []string{"maria", "tom", "boss", "ines"}
	r.Screen.Rooms = map[string]Room{
		"C1":       {Members: all},
		"CWEDDING": {Private: true, Members: []string{"maria", "boss"}},
		"CPUBLIC":  {Members: all},
		"CATTIC":   {archived: true, Members: all},
		"CAWAY":    {Private: true, away: true, Members: all},
	}
	r.Screen.Guests = map[string]bool{"ines": true}
	r.Screen.admins = map[string]bool{"boss": true, "chief": true}
}

// Owns gives a channel an order that was placed some minutes ago.
func (r *Rig) Owns(id, channel, requester string, change func(*order.Order)) store.Tracked {
	r.T.Helper()
	zero := 0
	o := order.Order{
		ID: id, ProjectName: "Project " + id, Status: order.StatusEditing, Revision: &zero, OrderedAt: time.Now().Add(-20 * time.Minute),
	}
	if change != nil {
		change(&o)
	}
	r.Service.Set(func(f *Service) { f.Orders = append([]order.Order{o}, f.Orders...) })
	t, err := r.Store.Changes.AddOrder(r.T.Context(), store.NewOrder{
		ID: id, Owner: store.Owner{Team: "T1", Channel: channel, Requester: requester}, Images: 2, Order: o,
	})
	require.NoError(r.T, err)
	return t
}

// InStatus is a change of an order to that status.
func InStatus(s order.Status) func(*order.Order) {
	return func(o *order.Order) { o.Status = s }
}

// Says is somebody typing a command line somewhere.
func (r *Rig) Says(user, channel, line string) string {
	r.T.Helper()
	verb, args, _ := strings.Cut(line, " ")
	before := r.Seen()
	r.Click(bot.Request{Kind: bot.KindCommand, Name: commands.Slash, Verb: verb, Args: args, Text: line, User: user, Channel: channel})
	return r.Since(before)
}

// Does is somebody pressing something.
func (r *Rig) Does(q bot.Request) string {
	r.T.Helper()
	q.Kind = bot.KindAction
	before := r.Seen()
	r.Click(q)
	return r.Since(before)
}

// Glance is a look at everything that was shown so far.
type Glance struct {
	told, dms int
	views     int
}

// Seen is a look at everything that was shown so far: see [Rig.Since].
func (r *Rig) Seen() Glance {
	r.Screen.Lock()
	defer r.Screen.Unlock()
	return Glance{len(r.Screen.Told), len(r.Screen.DMs), len(r.Screen.Views)}
}

// WindowIDs finds what tells apart two windows that show the same.
var WindowIDs = regexp.MustCompile(`"external_id":"[^"]*"|words:[0-9a-f]{16}`)

// Since is all that was shown after that glance, without what tells windows apart.
func (r *Rig) Since(g Glance) string {
	r.Screen.Lock()
	defer r.Screen.Unlock()
	all := slices.Concat(r.Screen.Told[min(g.told, len(r.Screen.Told)):], r.Screen.DMs[g.dms:])
	for _, v := range r.Screen.Views[g.views:] {
		all = append(all, r.Screen.Shown[v])
	}
	return WindowIDs.ReplaceAllString(Readable(strings.Join(all, "\n")), "")
}

// Readable undoes what only JSON needs.
func Readable(s string) string {
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(s)
}

// Suggests is what a picker offers.
func (r *Rig) Suggests(verb, typed string, q bot.Request) []string {
	r.T.Helper()
	q.Kind, q.Name, q.Value, q.Team = bot.KindOptions, cards.ActionPick+verb, typed, "T1"
	reply, err := r.Handle(r.T.Context(), q)
	require.NoError(r.T, err)
	raw := Text(reply.Body)
	var offered []string
	for _, match := range regexp.MustCompile(`"value":"([^"]*)"`).FindAllStringSubmatch(raw, -1) {
		offered = append(offered, match[1])
	}
	return offered
}

// AtHome is an action in the Home.
func AtHome() *slack.View { return &slack.View{Type: slack.VTHomeTab} }

// InWindow is an action in a modal that was opened in a channel.
func InWindow(channel string) *slack.View {
	return &slack.View{Type: slack.VTModal, ExternalID: "below", PrivateMetadata: `{"channel":"` + channel + `"}`}
}

// Completed is the modal that was opened last, as somebody submits it.
func (r *Rig) Completed(fields map[string]slack.BlockAction) bot.Request {
	view := r.Screen.View(r.Screen.Last())
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
	r.Clicks++
	return bot.Request{
		Kind: bot.KindSubmit, ID: fmt.Sprintf("submit%d", r.Clicks), Name: view.CallbackID,
		Team: "T1", User: "maria", View: &view, At: time.Now(),
	}
}

// CutOut is what stands between two texts, first from the left.
func CutOut(s, before, after string) string {
	_, rest, _ := strings.Cut(s, before)
	found, _, _ := strings.Cut(rest, after)
	return found
}

// ContainsAll tells whether every part stands in it.
func ContainsAll(s string, parts ...string) bool {
	return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(s, part) })
}
