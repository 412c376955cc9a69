// Package announce makes Slack channels show what the store knows of their orders.
//
// An [Announcer] posts each event once and keeps the order's card current. The watermark of an order
// moves only after the message is out. A message that may be out already is looked for before it is
// posted again: a crash neither loses nor repeats one.
//
// In the channel's lane the Announcer also marks people's messages, cleans up the place
// that an order left, and shows copies of previews that Slack cannot fetch.
//
// It knows no slash commands and no Redis; it sees both ends as interfaces.
package announce

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/conn"
	"darkroom/store/queue"
)

// Slack is what the stages call.
type Slack interface {
	cardSlack
	postingSlack
	editingSlack
	reader
	uploader
	takeoverSlack
	joiner
	deleter
	reactor
	newsSlack
	finalsSlack
}

// Store has the parts of the record that the stages read and write. Every write
// is refused with [store.ErrMoved] when the order's generation is another.
type Store struct {
	Orders        orders
	Announcements announcements
	Settings      *store.ChannelSettings
	Follows       *store.Follows
	Holds         *store.Holds
	Drafts        *store.Drafts
	OwnPosts      *store.OwnPosts
	Server        *conn.Server
	Documents     store.Documents
}

// StoreOf returns the parts of a store.
func StoreOf(s *store.Store) Store {
	return Store{s.Orders, s.Announcements, s.Settings, s.Follows, s.Holds, s.Drafts, s.OwnPosts, s.Server, s.Documents}
}

type orders interface {
	Order(ctx context.Context, id string) (store.Tracked, error)
	Find(ctx context.Context, idOrReference string) (store.Tracked, error)
	InChannels(ctx context.Context, team string, channels []string, where func(store.Tracked) bool, offset, limit int) ([]store.Tracked, int, error)
	eventReader
}

type eventReader interface {
	Events(ctx context.Context, id string) ([]order.Event, error)
}

type announcements interface {
	Pending(ctx context.Context, id string) (store.Tracked, []order.Event, error)
	BeginPost(ctx context.Context, id string, generation int, event int64) error
	CardPosted(ctx context.Context, id string, generation int, ts string, version int64) error
	EventPosted(ctx context.Context, id string, generation int, posted store.Posted) error
	ReviewSettled(ctx context.Context, id string, generation int, settled store.Posted) error
	PreviewsShown(ctx context.Context, id string, generation int, reply store.Posted) error
	Compared(ctx context.Context, id string, run conn.Run, told store.Told) error
	SkipPending(ctx context.Context, id string, generation int) error
}

// Defaults of [Config].
const (
	DefaultOutcomeAfter = 15 * time.Second // the bot client's ten seconds, and some for Slack
	DefaultDedupeAfter  = time.Minute
)

// Config is what an [Announcer] works with. Slack, Store and Queue
// are required.
type Config struct {
	Slack        Slack
	Store        Store
	Queue        Later
	Pictures     Pictures       // nil: a preview that Slack cannot fetch is left out, and a slow one holds its review up
	Previews     *PreviewLimits // what previews may take of the process; nil: nobody else shows any
	Sheets       Sheets         // nil: no contact sheets are made
	ZIP          cards.ZIPs     // nil: images cannot be had as a ZIP
	Finals       *Finals        // nil: final images stay links
	Access       Access         // nil: nobody who follows an order is told of it, and no reference is answered
	CheckTime    time.Duration  // what a preview may take to be in the first message; 0: a second
	CopyTime     time.Duration  // how long previews wait until there is room to copy them, and may then take; 0: half a minute
	OutcomeAfter time.Duration  // from a post's mark until its outcome can be read; 0: [DefaultOutcomeAfter]
	DedupeAfter  time.Duration  // from such a reading until doubles are deleted; 0: [DefaultDedupeAfter]
	Log          *slog.Logger   // nil: the default logger
	// Observe hears of each event whose message is out; nil: nobody does. It must return at once.
	Observe func(Announced)
	// Ops says something in the operations channel, and reports whether it was said; nil: no such channel.
	Ops func(ctx context.Context, sentence string) (bool, error)
}

// Announcer makes a channel match the record: one card for each order, edited
// in place, and one reply in its thread for each event, in order, once.
type Announcer struct{ kinds []queue.Declared }

// Kinds are the jobs that the announcer does. Nobody asks for them: their death is for operators
// alone. Each must run in the lane of its channel.
func (a *Announcer) Kinds() []queue.Declared { return a.kinds }

// New returns an announcer.
func New(c Config) *Announcer {
	log, after := cmp.Or(c.Log, slog.Default()), cmp.Or(c.OutcomeAfter, DefaultOutcomeAfter)
	later, from := later{c.Queue}, c.Store
	record := &record{from.Announcements, from.Orders}
	people := &people{c.Slack, log}
	posts := &ownPosts{c.Slack, from.OwnPosts}
	forms := &replyForms{people, c.ZIP}
	sender := &sender{c.Slack, from.Announcements, log}
	edits := &edits{c.Slack, later, log}
	once := &postOnce{c.Slack, posts, after, log}
	dedupe := &dedupe{slack: c.Slack, orders: from.Orders, posts: posts, later: later, after: cmp.Or(c.DedupeAfter, DefaultDedupeAfter), log: log}
	finals := &finals{slack: c.Slack, orders: from.Orders, settings: from.Settings, source: c.Finals, later: later, outcomeAfter: after, log: log}
	news := &news{slack: c.Slack, orders: from.Orders, follows: from.Follows, access: c.Access, posts: posts, later: later, outcomeAfter: after, log: log}
	hold := &hold{slack: c.Slack, holds: from.Holds, drafts: from.Drafts, docs: from.Documents, once: once, outcomeAfter: after, log: log}
	digest := &digest{slack: c.Slack, settings: from.Settings, orders: from.Orders, docs: from.Documents, once: once, later: later, log: log}
	unfurl := &unfurl{slack: c.Slack, settings: from.Settings, orders: from.Orders, docs: from.Documents, access: c.Access, once: once, later: later, log: log}
	mark := &mark{c.Slack, log}

	fill := &fillJobs{from.Settings, later, c.Pictures != nil, c.Sheets != nil}
	pictures := &pictureStage{docs: from.Documents, record: record, log: log}
	if c.Pictures != nil {
		pictures.checks = newImageChecks(c.Pictures, cmp.Or(c.CheckTime, checkTime), c.Previews.checks())
	}
	adoption := &adoption{announcements: from.Announcements, record: record, fill: fill, finals: finals, news: news, observe: c.Observe, log: log}
	recovery := &recoveryStage{posts, adoption, dedupe, after}
	reconcile := &reconcileStage{slack: c.Slack, announcements: from.Announcements, server: from.Server, posts: posts, adoption: adoption, log: log}
	card := &cardStage{slack: c.Slack, announcements: from.Announcements, sender: sender, edits: edits, later: later, outcomeAfter: after, log: log}
	events := &eventStage{
		announcements: from.Announcements, settings: from.Settings, record: record, reconcile: reconcile, people: people, pictures: pictures, forms: forms, sender: sender,
		fill: fill, finals: finals, news: news, observe: c.Observe, log: log,
	}
	settle := &settleStage{announcements: from.Announcements, record: record, pictures: pictures, forms: forms, edits: edits, fill: fill, log: log}
	filling := &filling{announcements: from.Announcements, record: record, forms: forms, edits: edits, settle: settle, outcomeAfter: after}
	takeover := &takeover{slack: c.Slack, orders: from.Orders, docs: from.Documents, people: people, ops: c.Ops, log: log}
	outcome := &outcome{from.Announcements, from.Documents, later, takeover, after, log}
	leave := &leave{from.Orders, recovery, forms, edits, later, log}
	announce := &pipeline{
		stages: []stage{recovery, reconcile, pictures, card, events},
		settle: settle, card: card, record: record, slack: c.Slack, log: log,
		previews: &previewFill{
			slack: c.Slack, pictures: c.Pictures, copyTime: cmp.Or(c.CopyTime, copyTime), copying: c.Previews.copies(),
			record: record, filling: filling, log: log,
		},
		sheets:  &sheetFill{slack: c.Slack, jobs: fill, maker: c.Sheets, record: record, filling: filling, settle: settle, log: log},
		outcome: outcome,
	}
	return &Announcer{[]queue.Declared{
		queue.Kind[store.AnnounceJob]{Name: store.AnnounceKind, Unasked: true, Work: announce.handle}.Declare(),
		queue.Kind[dedupeJob]{Name: DedupeKind, Unasked: true, Work: dedupe.handle}.Declare(),
		queue.Kind[newsJob]{Name: NewsKind, Unasked: true, Work: news.handle}.Declare(),
		queue.Kind[finalsJob]{Name: FinalsKind, Unasked: true, Work: finals.handle}.Declare(),
		queue.Kind[store.HoldJob]{Name: store.HoldKind, Unasked: true, Work: hold.handle}.Declare(),
		queue.Kind[store.LeaveJob]{Name: store.LeaveKind, Unasked: true, Work: leave.handle}.Declare(),
		queue.Kind[store.DigestJob]{Name: store.DigestKind, Unasked: true, Work: digest.handle}.Declare(),
		queue.Kind[store.UnfurlJob]{Name: store.UnfurlKind, Unasked: true, Work: unfurl.handle}.Declare(),
		queue.Kind[store.Mark]{Name: store.MarkKind, Unasked: true, Work: mark.handle}.Declare(),
	}}
}
