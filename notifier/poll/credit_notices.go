package poll

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/shopspring/decimal"

	"darkroom/cards/ops"
	"darkroom/store"
	"darkroom/store/queue"
)

// creditsKind is the job that tells of a balance.
const creditsKind = "credits"

// putter puts a job that is due at once.
type putter interface {
	Put(ctx context.Context, job queue.Job) (bool, error)
}

// CreditNoticesConfig is what [CreditNotices] work with; all but the logger are required.
type CreditNoticesConfig struct {
	Below decimal.Decimal // the line; zero: nothing is told
	Store store.Documents
	Queue putter
	Ops   func(ctx context.Context, sentence string) (said bool, err error) // as in [Config]
	Log   *slog.Logger                                                      // nil: the default logger
}

// CreditNotices tell once that a workspace's credits are below a line, and once that they are well above it again, as a
// [CreditWatch] does. But they ask for no balance: they hear of those that somebody is shown anyway, so that ten
// thousand workspaces cost their services nothing. A job tells, so that it is said once, whichever replica saw it.
type CreditNotices struct {
	CreditNoticesConfig
	line CreditWatch

	mu   sync.Mutex
	last creditLevel // of the balance that was heeded last; "" = none yet
}

// NewCreditNotices returns notices for one workspace.
func NewCreditNotices(c CreditNoticesConfig) *CreditNotices {
	c.Log = cmp.Or(c.Log, slog.Default())
	return &CreditNotices{CreditNoticesConfig: c, line: CreditWatch{CreditWatchConfig: CreditWatchConfig{Below: c.Below}}}
}

// creditsJob is the body of a job of creditsKind.
type creditsJob struct {
	Balance decimal.Decimal `json:"left"`
}

// Kind is the job that tells.
func (n *CreditNotices) Kind() queue.Declared {
	return queue.Kind[creditsJob]{Name: creditsKind, Unasked: true, Work: n.notify}.Declare()
}

// Observe hears of a balance that somebody was shown. It costs something only when it is on another side of the line than
// the last one.
func (n *CreditNotices) Observe(ctx context.Context, left decimal.Decimal) {
	level := n.line.level(left)
	if !n.line.on() || !n.moves(level) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second) // somebody waits for their balance
	defer cancel()
	if err := n.heed(ctx, left); err != nil {
		n.moves("") // the next one is heeded again
		n.Log.InfoContext(ctx, "low or new credits are seen later", "err", err)
	}
}

// moves notes where a balance is, and tells whether the last one was elsewhere.
func (n *CreditNotices) moves(level creditLevel) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	was := n.last
	n.last = level
	return level != was
}

// heed puts the job that tells of a balance, when it is news.
func (n *CreditNotices) heed(ctx context.Context, left decimal.Decimal) error {
	if sentence, _, err := n.news(ctx, left); sentence == "" || err != nil {
		return err
	}
	body, err := json.Marshal(creditsJob{left})
	if err != nil {
		return err
	}
	id := fmt.Sprintf("%s:%d", creditsKind, time.Now().UnixNano())
	_, err = n.Queue.Put(ctx, queue.Job{ID: id, Lane: "ops", Kind: creditsKind, Body: body})
	return err
}

// news is what is to be said of a balance, and whether it says that low credits are over; "": nothing.
func (n *CreditNotices) news(ctx context.Context, left decimal.Decimal) (sentence string, over bool, err error) {
	_, known, err := store.Saved[time.Time](ctx, n.Store, lowNote)
	if err != nil {
		return "", false, err
	}
	switch level := n.line.level(left); {
	case level == creditsLow && !known:
		return ops.CreditsLowHere(left, n.Below, n.line.well()), false, nil
	case level == creditsWell && known:
		return ops.CreditsWellHere(left), true, nil
	}
	return "", false, nil
}

// notify says it, unless another job has. When nobody can be told, it is remembered all the same, as what the log has.
func (n *CreditNotices) notify(ctx context.Context, _ *queue.Delivery, b creditsJob) error {
	sentence, over, err := n.news(ctx, b.Balance)
	if sentence == "" || err != nil {
		return err
	}
	if _, err := n.Ops(ctx, sentence); err != nil {
		return err
	}
	if over {
		return n.Store.Delete(ctx, lowNote)
	}
	return n.Store.PutTTL(ctx, lowNote, time.Now().UTC(), troubleLife)
}
