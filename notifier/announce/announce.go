// Package announce makes Slack channels show the current state of their orders.
//
// An [Announcer] posts each event once and keeps the order's card current. An order's watermark moves only
// after the message was delivered. A message that may have been delivered already is verified before it is
// posted again. So a crash neither loses nor repeats a message.
//
// In the channel's lane the Announcer also adds reactions to people's messages, cleans up the channel that
// an order left, and shows copies of previews that Slack cannot fetch.
//
// It knows no slash commands and no Redis; it uses both ends through interfaces.
package announce

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"darkroom/cards"
	"darkroom/files/inspect"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/conn"
	"darkroom/store/queue"
)

// Slack is the part of the Slack client that the stages use.
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

// Store has the parts of the store that the stages use. A write fails with [store.ErrMoved] if the order's
// generation has changed.
type Store struct {
	Orders        orders
	Announcements announcements
	Settings      *store.ChannelSettings
	Presets       *store.Presets
	Follows       *store.Follows
	Holds         *store.Holds
	Drafts        *store.Drafts
	OwnPosts      *store.OwnPosts
	BatchCards    *store.BatchCards
	Server        *conn.Server
	Documents     store.Documents
}

// StoreOf returns the parts of a store.
func StoreOf(s *store.Store) Store {
	return Store{s.Orders, s.Announcements, s.Settings, s.Presets, s.Follows, s.Holds, s.Drafts, s.OwnPosts, s.BatchCards, s.Server, s.Documents}
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
	CountInspection(ctx context.Context, id string, generation, round int, found order.Inspected) error
	Compared(ctx context.Context, id string, run conn.Run, unrecorded store.Told) error
	SkipPending(ctx context.Context, id string, generation int) error
	RefreshCards(ctx context.Context, team, channel, change string) error
	InThread(ctx context.Context, id string, generation int, root string) error
}

// Defaults of [Config].
const (
	defaultOutcomeAfter = 15 * time.Second // the bot client's ten seconds, and some for Slack
	defaultDedupeAfter  = time.Minute
)

// Config configures an [Announcer]. Slack, Store and Queue are required.
type Config struct {
	Slack        Slack
	Store        Store
	Queue        Later
	Pictures     Pictures           // nil: previews are not checked or copied
	Previews     *PreviewLimits     // the process's limits for previews; nil: limits of its own
	Sheets       Sheets             // nil: no contact sheets
	Inspector    *inspect.Inspector // nil: deliveries are not inspected
	ZIP          cards.RoundURL     // nil: no ZIP downloads
	Compare      cards.RoundURL     // nil: no page that compares
	Finals       *Finals            // nil: final images stay links
	Access       Access             // nil: followers are not notified and references not answered
	CheckTime    time.Duration      // time for a preview to be in the first message; 0: a second
	CopyTime     time.Duration      // time to wait for copy slots, and again for copying; 0: half a minute
	OutcomeAfter time.Duration      // from a post's mark until its outcome can be read; 0: [defaultOutcomeAfter]
	DedupeAfter  time.Duration      // from reading the outcome until doubles are deleted; 0: [defaultDedupeAfter]
	Log          *slog.Logger       // nil: the default logger
	// Observe receives each event whose message was delivered. It must return at once, and may be nil.
	Observe func(Announced)
	// Ops posts to the operations channel and reports whether it did; nil: no such channel.
	Ops func(ctx context.Context, sentence string) (bool, error)
}

// Announcer makes a channel match the store: one card for each order, edited in place, and one reply in
// its thread for each event, in order, once.
type Announcer struct{ kinds []queue.Declared }

// Kinds returns the announcer's kinds of job. No person asked for them, so only operators learn of their
// failure. Each job must run in the lane of its channel.
func (a *Announcer) Kinds() []queue.Declared { return a.kinds }

// New returns an announcer.
func New(c Config) *Announcer {
	log, after := cmp.Or(c.Log, slog.Default()), cmp.Or(c.OutcomeAfter, defaultOutcomeAfter)
	later, from := later{c.Queue}, c.Store
	record := &record{from.Announcements, from.Orders}
	people := &people{c.Slack, log}
	posts := &ownPosts{c.Slack, from.OwnPosts}
	forms := &replyForms{people, c.ZIP, c.Compare}
	sender := &sender{c.Slack, from.Announcements, log}
	edits := &edits{c.Slack, later, log}
	once := &postOnce{c.Slack, posts, after, log}
	dedupe := &dedupe{slack: c.Slack, orders: from.Orders, posts: posts, later: later, after: cmp.Or(c.DedupeAfter, defaultDedupeAfter), log: log}
	finals := &finals{slack: c.Slack, orders: from.Orders, settings: from.Settings, source: c.Finals, later: later, outcomeAfter: after, log: log}
	news := &news{slack: c.Slack, orders: from.Orders, follows: from.Follows, settings: from.Settings, access: c.Access, posts: posts, later: later, outcomeAfter: after, log: log}
	hold := &hold{slack: c.Slack, holds: from.Holds, drafts: from.Drafts, docs: from.Documents, people: people, once: once, outcomeAfter: after, log: log}
	digest := &digest{slack: c.Slack, settings: from.Settings, orders: from.Orders, docs: from.Documents, once: once, later: later, log: log}
	unfurl := &unfurl{slack: c.Slack, settings: from.Settings, orders: from.Orders, docs: from.Documents, access: c.Access, once: once, later: later, log: log}
	settings := &settingsChange{slack: c.Slack, people: people, cards: from.Announcements, once: once, later: later, log: log}
	reaction := &reaction{c.Slack, log}

	fill := &fillJobs{from.Settings, later, c.Pictures != nil, c.Sheets != nil, c.Inspector != nil}
	pictures := &pictureStage{docs: from.Documents, record: record, log: log}
	if c.Pictures != nil {
		pictures.checks = newImageChecks(c.Pictures, cmp.Or(c.CheckTime, checkTime), c.Previews.checks())
	}
	adoption := &adoption{announcements: from.Announcements, record: record, fill: fill, finals: finals, news: news, observe: c.Observe, log: log}
	recovery := &recoveryStage{posts, adoption, dedupe, after}
	reconcile := &reconcileStage{slack: c.Slack, announcements: from.Announcements, server: from.Server, posts: posts, adoption: adoption, log: log}
	card := &cardStage{slack: c.Slack, announcements: from.Announcements, settings: from.Settings, people: people, sender: sender, edits: edits, later: later, outcomeAfter: after, log: log}
	events := &eventStage{
		announcements: from.Announcements, settings: from.Settings, record: record, reconcile: reconcile, people: people, pictures: pictures, forms: forms, sender: sender,
		fill: fill, finals: finals, news: news, observe: c.Observe, log: log,
	}
	settle := &settleStage{announcements: from.Announcements, record: record, pictures: pictures, forms: forms, edits: edits, fill: fill, log: log}
	filling := &filling{announcements: from.Announcements, record: record, forms: forms, edits: edits, settle: settle, outcomeAfter: after}
	takeover := &takeover{slack: c.Slack, orders: from.Orders, docs: from.Documents, people: people, ops: c.Ops, log: log}
	outcome := &outcome{from.Announcements, from.Documents, later, takeover, after, log}
	batchNews := &batchNews{c.Slack, from.BatchCards, c.Access, once, later, log}
	batches := &batches{
		slack: c.Slack, store: from.BatchCards, announcements: from.Announcements, settings: from.Settings, server: from.Server, people: people, posts: posts, news: batchNews,
		later: later, outcomeAfter: after, dedupeAfter: cmp.Or(c.DedupeAfter, defaultDedupeAfter), log: log,
	}
	copying, leave := c.Previews.copies(), &leave{from.Orders, recovery, forms, edits, later, log}
	announce := &pipeline{
		stages: []stage{batches, recovery, reconcile, pictures, card, events},
		settle: settle, card: card, record: record, slack: c.Slack, log: log,
		previews: &previewFill{
			slack: c.Slack, pictures: c.Pictures, copyTime: cmp.Or(c.CopyTime, copyTime), copying: copying,
			record: record, filling: filling, log: log,
		},
		sheets:  &sheetFill{slack: c.Slack, jobs: fill, maker: c.Sheets, record: record, filling: filling, settle: settle, log: log},
		inspect: &inspection{filling, c.Inspector, copying, from.Settings, from.Presets, log},
		outcome: outcome,
	}
	return &Announcer{[]queue.Declared{
		kind(store.AnnounceKind, announce.handle), kind(DedupeKind, dedupe.handle), kind(NewsKind, news.handle), kind(FinalsKind, finals.handle),
		kind(store.HoldKind, hold.handle), kind(store.LeaveKind, leave.handle), kind(store.BatchKind, batches.handle), kind(BatchNewsKind, batchNews.handle), kind(store.DigestKind, digest.handle),
		kind(store.RefreshKind, (&refresh{from.Orders, later}).handle), kind(store.UnfurlKind, unfurl.handle),
		kind(store.SettingsKind, settings.handle), kind(store.MarkKind, reaction.handle),
	}}
}

// kind declares a kind of job that no person asked for.
func kind[Args any](name string, work func(context.Context, *queue.Delivery, Args) error) queue.Declared {
	return queue.Kind[Args]{Name: name, Unasked: true, Work: work}.Declare()
}
