package announce

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/slack-go/slack"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/files"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// Slack is the announcer's mouth, and its eyes for what may be out already.
type Slack interface {
	Identity(ctx context.Context) (bot.Identity, error)
	// Turn says how long until the channel takes a message; 0: now.
	Turn(ctx context.Context, channel string) time.Duration
	Post(ctx context.Context, p bot.Post) (ts string, err error)
	Edit(ctx context.Context, ts string, p bot.Post) error
	Delete(ctx context.Context, channel, ts string) error
	React(ctx context.Context, channel, ts, emoji string) error
	UploadImage(ctx context.Context, name string, data []byte) (file string, err error)
	UploadFile(ctx context.Context, name string, size int64, body io.Reader) (file string, err error)
	ShareFiles(ctx context.Context, channel, thread, comment string, files []slack.FileSummary) error
	Read(ctx context.Context, r bot.Reading) ([]slack.Message, error)
	Root(ctx context.Context, channel, thread string) (slack.Message, error)
	Answers(ctx context.Context) error
	Join(ctx context.Context, channel string) error
	DM(ctx context.Context, user string, p bot.Post) (channel, ts string, err error)
	UserNow(ctx context.Context, id string) (slack.User, error)
	IsMemberNow(ctx context.Context, channel, user string) (bool, error)
	Direct(ctx context.Context, user string) (channel string, err error)
}

// Store is what the announcer reads and writes of the record. Every write
// is refused with [store.ErrMoved] when the order's generation is another.
type Store interface {
	Order(ctx context.Context, id string) (store.Tracked, error)
	Find(ctx context.Context, idOrReference string) (store.Tracked, error)
	Pending(ctx context.Context, id string) (store.Tracked, []order.Event, error)
	Events(ctx context.Context, id string) ([]order.Event, error)
	BeginPost(ctx context.Context, id string, generation int, event int64) error
	CardPosted(ctx context.Context, id string, generation int, ts string, version int64) error
	EventPosted(ctx context.Context, id string, generation int, posted store.Posted) error
	ReviewSettled(ctx context.Context, id string, generation int, settled store.Posted) error
	PreviewsShown(ctx context.Context, id string, generation int, reply store.Posted) error
	Run(ctx context.Context) (store.Run, error)
	Compared(ctx context.Context, id string, run store.Run, told store.Told) error
	SkipPending(ctx context.Context, id string, generation int) error
	InChannels(ctx context.Context, team string, channels []string, where func(store.Tracked) bool, offset, limit int) ([]store.Tracked, int, error)
	Settings(ctx context.Context, team, channel string) (store.Settings, error)
	Hold(ctx context.Context, id string) (store.Hold, *store.HoldDecision, error)
	Draft(ctx context.Context, id string) (store.Draft, error)
	FollowerTold(ctx context.Context, id string, was, is store.Follower) (now store.Follower, follows bool, err error)
	DropFollower(ctx context.Context, id string, was store.Follower) error
	OwnPosts(ctx context.Context, channel string, since time.Time) ([]store.OwnPost, error)
	store.Documents
}

// Later puts a job that becomes due later.
type Later interface {
	PutAfter(ctx context.Context, job queue.Job, delay time.Duration) (bool, error)
}

// Pictures fetches a preview from the service's address, for Slack which could not.
type Pictures interface {
	Fetch(ctx context.Context, url string) ([]byte, error)
	// Look fetches it and keeps nothing: is it there, and how soon?
	Look(ctx context.Context, url string) error
}

// Sheets makes contact sheets.
type Sheets interface {
	// Begin claims the only place there is for one to be made; false: another one is, or somebody else's turn it is. Whoever got it calls done.
	Begin() (done func(), ok bool)
	Make(ctx context.Context, rows []files.SheetRow) (jpeg []byte, err error)
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
	GlanceTime   time.Duration  // what a preview may take to be in the first message; 0: a second
	CopyTime     time.Duration  // how long previews wait until there is room to copy them, and may then take; 0: half a minute
	OutcomeAfter time.Duration  // from a post's mark until its outcome can be read; 0: [DefaultOutcomeAfter]
	DedupeAfter  time.Duration  // from such a reading until the look for doubles; 0: [DefaultDedupeAfter]
	Log          *slog.Logger   // nil: the default logger
	// Observe hears of each event whose message is out; nil: nobody does. It must return at once.
	Observe func(Announced)
	// Ops says something in the operations channel, and tells whether it was said; nil: there is none.
	Ops func(ctx context.Context, sentence string) (bool, error)
}

// Announcer makes a channel match the record: one card for each order, edited
// in place, and one reply in its thread for each event, in order, once.
type Announcer struct {
	Config
	glances *glances // nil: no previews are looked at
	copying places   // for pictures in memory, of all reviews
}

// New returns an announcer.
func New(c Config) *Announcer {
	c.OutcomeAfter = cmp.Or(c.OutcomeAfter, DefaultOutcomeAfter)
	c.DedupeAfter = cmp.Or(c.DedupeAfter, DefaultDedupeAfter)
	c.CopyTime = cmp.Or(c.CopyTime, copyTime)
	c.Log = cmp.Or(c.Log, slog.Default())
	a := &Announcer{Config: c, copying: allOf(mostCopying)}
	if c.Pictures != nil {
		a.glances = newGlances(c.Pictures, cmp.Or(c.GlanceTime, glanceTime))
	}
	if c.Previews != nil {
		a.copying = someOf(c.Previews.copying, mostCopying)
		if a.glances != nil {
			a.glances.slots = someOf(c.Previews.looking, mostGlances)
		}
	}
	return a
}

// Kinds are the jobs that the announcer does. Nobody asks for them: their death is for operators
// alone. Each must run in the lane of its channel.
func (a *Announcer) Kinds() []queue.Declared {
	return []queue.Declared{
		queue.Kind[store.AnnounceJob]{Name: store.AnnounceKind, Unasked: true, Work: a.announce}.Declare(),
		queue.Kind[dedupeJob]{Name: DedupeKind, Unasked: true, Work: a.dedupe}.Declare(),
		queue.Kind[newsJob]{Name: NewsKind, Unasked: true, Work: a.news}.Declare(),
		queue.Kind[finalsJob]{Name: FinalsKind, Unasked: true, Work: a.finals}.Declare(),
		queue.Kind[store.HoldJob]{Name: store.HoldKind, Unasked: true, Work: a.hold}.Declare(),
		queue.Kind[store.LeaveJob]{Name: store.LeaveKind, Unasked: true, Work: a.leave}.Declare(),
		queue.Kind[store.DigestJob]{Name: store.DigestKind, Unasked: true, Work: a.digest}.Declare(),
		queue.Kind[store.UnfurlJob]{Name: store.UnfurlKind, Unasked: true, Work: a.unfurl}.Declare(),
		queue.Kind[store.Mark]{Name: store.MarkKind, Unasked: true, Work: a.mark}.Declare(),
	}
}

// announce handles a job of the kind [store.AnnounceKind]: it brings one
// order's card and thread up to date. It must run in the lane of the order's
// channel.
func (a *Announcer) announce(ctx context.Context, d *queue.Delivery, job store.AnnounceJob) error {
	if span := trace.SpanFromContext(ctx); span.IsRecording() {
		span.SetAttributes(attribute.String("darkroom.order", job.Order))
	}
	memory, err := left[memory](d)
	if err != nil {
		return err
	}
	memory.Unsent = cmp.Or(memory.Unsent, job.Unsent)
	v := &announceRun{
		Announcer: a, d: d, id: job.Order, generation: job.Generation, memory: memory,
		refresh: job.Refresh || memory.Refresh, reach: job.Reach, chain: job.Chain, deleted: job.Deleted,
	}
	if job.Previews > 0 { // in a lane of its own, and no edit of the card
		return v.filled(ctx, v.fillPreviews(ctx, job))
	}
	if job.Sheets > 0 {
		return v.filled(ctx, v.fillSheets(ctx, job.Sheets))
	}
	if v.memory.Unasked == nil {
		v.memory.Unasked = job.Unasked
	}
	if err := v.interrupted(ctx); err != nil {
		return err // the queue says of the next delivery, too, that this one was interrupted
	}
	err = v.work(ctx)
	if errors.Is(err, bot.ErrNotInChannel) && a.join(ctx, v.t.Owner.Channel) {
		err = v.work(ctx)
	}
	if err == nil {
		err = v.reached(ctx)
	}
	return v.jobResult(ctx, err)
}

// mark handles a job of the kind [store.MarkKind]: an emoji on a person's message that
// tells whether it reached the editor. A message that is gone, or a channel out of reach,
// needs none.
func (a *Announcer) mark(ctx context.Context, _ *queue.Delivery, m store.Mark) error {
	err := a.Slack.React(ctx, m.Channel, m.TS, m.Emoji)
	if _, out := outOfReach(err); out || errors.Is(err, bot.ErrGone) {
		a.Log.InfoContext(ctx, "message not marked", "channel", m.Channel, "ts", m.TS, "err", err)
		return nil
	}
	return a.postponed(ctx, err)
}
