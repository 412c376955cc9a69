package chaos

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"darkroom/cards"
	"darkroom/cards/settings"
	"darkroom/sandbox/workspace"
	"darkroom/store"
)

// monthLimit is what orders of a channel with a limit may cost in a month before an approver is asked, in credits. Every order of one
// basic image costs one: the first is placed unasked.
const monthLimit = 1

// limited tells whether the nth channel gets a limit. Its person and its approver save the settings at the same time.
func (w *world) limited(n int) bool { return w.o.Errands && (n%10 == 6 || n%20 == 14) }

// approverID is who alone approves in the nth channel, if it gets a limit.
func approverID(channel int) string { return fmt.Sprintf("U0A%04d", channel) }

// spends places three orders. The month's limit lets one of them pass unasked.
func (p *player) spends() []step {
	return []step{p.setLimits, p.placeAsked, p.another(1).placeAsked, p.another(2).placeAsked}
}

// placeAsked places an order that an approver is asked about. One that is declined ends there.
func (p *player) placeAsked(ctx context.Context) bool {
	return !p.place(ctx) || p.shown("Placed", 1)(ctx)
}

// setLimits saves a limit and who approves, while the approver saves another setting in a form that was opened at the same time.
func (p *player) setLimits(ctx context.Context) bool {
	other := p.approver()
	met := make(chan struct{}, 2)
	done := make(chan bool)
	go func() {
		done <- other.saves(ctx, met, "links", settings.Orders, other.answersLinks, func(s store.Settings) bool { return s.Unfurl })
	}()
	limit := func(v workspace.View) bool {
		people, found := field(v, "Who approves")
		users := workspace.StateOf(people.kind, []any{other.user})
		return found && p.win.Act(people.Target, users, workspace.Once) == nil && p.fill(v, map[string]string{"Credits for a month": "1"})
	}
	saved := p.saves(ctx, met, "limit", settings.Approval, limit, func(s store.Settings) bool { return s.Decides.MonthLimit == monthLimit })
	return <-done && saved
}

// approver is whoever approves in the person's channel, with a window of their own.
func (p *player) approver() *player {
	one := *p
	one.user = approverID(p.n % p.o.Channels)
	one.win = p.ws.Window(one.user)
	return &one
}

func (p *player) answersLinks(v workspace.View) bool {
	threads, found := field(v, "Threads")
	return found && p.choose(threads, "Answer codes such as [K7Q2XM]")
}

// saves changes one setting of the channel, in a form of a part that is open while somebody else has theirs open.
func (p *player) saves(ctx context.Context, met chan struct{}, what string, part settings.Part, change func(workspace.View) bool, holds func(store.Settings) bool) bool {
	a := p.act(actSetting, what+" of "+p.channel)
	a.holds = func() bool { return holds(p.settings(p.channel)) }
	waited := time.Time{}
	return p.submit(ctx, a, form{
		open: func() bool { return p.win.Command(p.channel, "/order settings") == nil && p.opensPart(ctx, part) },
		ready: func(v workspace.View) bool {
			if waited.IsZero() {
				waited = time.Now()
				met <- struct{}{}
			}
			return (len(met) == cap(met) || time.Since(waited) > openingTime/2) && change(v)
		},
		arrived: a.holds,
	})
}

// opensPart opens a part's form from the overview, once that is there.
func (p *player) opensPart(ctx context.Context, part settings.Part) bool {
	for began := time.Now(); ctx.Err() == nil && time.Since(began) < openingTime; pause(ctx, look) {
		v, _ := p.win.Modal()
		for _, b := range v.Blocks {
			button, _ := b["accessory"].(object)
			if action, _ := button["action_id"].(string); action == settings.ActionChangePart && button["value"] == part.Value() {
				block, _ := b["block_id"].(string)
				return p.win.Act(workspace.Target{View: v.ID, Block: block, Action: action}, nil, workspace.Once) == nil
			}
		}
	}
	return false
}

// settings are those that Redis keeps of a channel; none when Redis cannot be asked.
func (w *world) settings(channel string) (s store.Settings) {
	doc, err := w.redis.rdb.Get(context.Background(), "{darkroom}:settings:T0SANDBOX:"+channel).Bytes()
	if err == nil {
		_ = json.Unmarshal(doc, &s)
	}
	return s
}

var (
	// question is how an approver is asked.
	question = regexp.MustCompile(`May (this order|these orders) be placed\?`)
	// ordersAsked is how many orders a question is about, where it is not one.
	ordersAsked = regexp.MustCompile(`\b(\d+) orders?,`)
)

// decideHolds has the approvers answer what they are asked, until ctx ends: one question of four is declined.
func (w *world) decideHolds(ctx context.Context) {
	var all []*player
	for n := range w.o.Channels {
		if w.limited(n) {
			all = append(all, w.player(n).approver())
		}
	}
	for ctx.Err() == nil {
		for _, p := range all {
			p.decide()
		}
		pause(ctx, 3*look)
	}
}

// decide answers each open question of the channel.
func (p *player) decide() {
	for _, m := range p.ws.Messages(p.channel) {
		if m.BotID == "" || !question.MatchString(m.Text+words(m.Blocks)) {
			continue
		}
		label := "Allow"
		if strings.HasSuffix(m.TS, "3") || strings.HasSuffix(m.TS, "6") {
			label = "Decline"
		}
		p.pressOn(m, label, p.times())
	}
}

// declined is how people are told that an approver did not allow it.
var declined = regexp.MustCompile(`declined your order`)

// held is how people are told that an approver is asked first.
var held = regexp.MustCompile(`I ask an approver first`)

// isQuestion tells a question to approvers from an order's card.
func isQuestion(m workspace.Message) bool { return m.Metadata["event_type"] == "darkroom_hold" }

// asksFor is how many orders a question is about.
func asksFor(m workspace.Message) int {
	if found := ordersAsked.FindStringSubmatch(m.Text); found != nil {
		n, _ := strconv.Atoi(found[1]) // digits
		return n
	}
	return 1
}

// overLimit wants no more orders in a channel than its limit lets pass, and those that were allowed.
func (c *comparison) overLimit(w *world) {
	for n := range w.o.Channels {
		channel := channelID(n)
		if !w.limited(n) || w.settings(channel).Decides.MonthLimit == 0 {
			continue
		}
		row := c.row(rowLimits)
		row.did++
		allowed, placed := 0, 0
		for _, m := range w.Workspace.Messages(channel) {
			if isQuestion(m) && strings.Contains(m.Text, "Allowed by") {
				allowed += asksFor(m)
			}
		}
		for _, o := range w.Photos.Orders() {
			if place, _, known := w.placedFor(o); known && place == channel {
				placed++
			}
		}
		row.doubled += doublesOf(w.Workspace.Messages(channel))
		if placed > monthLimit+allowed {
			row.doubled += placed - monthLimit - allowed
			c.say("channel %s has %d orders, its limit lets %d pass, and %d were allowed", channel, placed, monthLimit, allowed)
		}
	}
}

// doublesOf counts messages about changed settings that repeat another.
func doublesOf(messages []workspace.Message) (n int) {
	told := map[string]bool{}
	for _, m := range messages {
		if payload, _ := m.Metadata["event_payload"].(object); m.Metadata["event_type"] == cards.MetadataSettings {
			edit, _ := payload["edit"].(string)
			if told[edit] {
				n++
			}
			told[edit] = true
		}
	}
	return n
}
