package commandstest

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/commands"
	"darkroom/order"
	"darkroom/store"
)

// Button returns the value of the button with that action, "" without one.
func Button(page, action string) string {
	match := regexp.MustCompile(`"action_id":"` + action + `","value":"((?:[^"\\]|\\.)*)"`).FindStringSubmatch(page)
	if match == nil {
		return ""
	}
	return strings.ReplaceAll(match[1], `\"`, `"`)
}

// Owns gives a channel an order that was placed twenty minutes ago.
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

// InStatus returns a change that sets an order's status.
func InStatus(s order.Status) func(*order.Order) {
	return func(o *order.Order) { o.Status = s }
}

// Says types a command line and returns all that it shows.
func (r *Rig) Says(user, channel, line string) string {
	r.T.Helper()
	verb, args, _ := strings.Cut(line, " ")
	before := r.Seen()
	r.Click(bot.Request{Kind: bot.KindCommand, Name: commands.Slash, Verb: verb, Args: args, Text: line, User: user, Channel: channel})
	return r.Since(before)
}

// Does presses a button and returns all that it shows.
func (r *Rig) Does(q bot.Request) string {
	r.T.Helper()
	q.Kind = bot.KindAction
	before := r.Seen()
	r.Click(q)
	return r.Since(before)
}

// Position is a position in everything shown so far: see [Rig.Since].
type Position struct {
	ephemerals, dms int
	views           int
}

// Seen returns the current position for [Rig.Since].
func (r *Rig) Seen() Position {
	r.Screen.Lock()
	defer r.Screen.Unlock()
	return Position{len(r.Screen.Ephemerals), len(r.Screen.DMs), len(r.Screen.Views)}
}

// WindowIDs matches the ids that differ between two windows with the same content.
var WindowIDs = regexp.MustCompile(`"external_id":"[^"]*"|words:[0-9a-f]{16}`)

// Since returns everything shown after g, without the ids of windows.
func (r *Rig) Since(g Position) string {
	r.Screen.Lock()
	defer r.Screen.Unlock()
	all := slices.Concat(r.Screen.Ephemerals[min(g.ephemerals, len(r.Screen.Ephemerals)):], r.Screen.DMs[g.dms:])
	for _, v := range r.Screen.Views[g.views:] {
		all = append(all, r.Screen.Shown[v])
	}
	return WindowIDs.ReplaceAllString(Readable(strings.Join(all, "\n")), "")
}

// Readable undoes JSON's escapes of <, > and &.
func Readable(s string) string {
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(s)
}

// Suggests returns the values that a picker offers.
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

// AtHome is the view of an action in the Home tab.
func AtHome() *slack.View { return &slack.View{Type: slack.VTHomeTab} }

// InWindow is the view of an action in a modal that was opened in that channel.
func InWindow(channel string) *slack.View {
	return &slack.View{Type: slack.VTModal, ExternalID: "below", PrivateMetadata: `{"channel":"` + channel + `"}`}
}

// Completed returns the submission of the last opened modal with these fields.
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
	return r.submission("maria", &view)
}

// CutOut returns the first text between before and after.
func CutOut(s, before, after string) string {
	_, rest, _ := strings.Cut(s, before)
	found, _, _ := strings.Cut(rest, after)
	return found
}

// ContainsAll reports whether s contains every part.
func ContainsAll(s string, parts ...string) bool {
	return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(s, part) })
}
