package poll

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"github.com/shopspring/decimal"

	"darkroom/cards/ops"
	"darkroom/store"
	"darkroom/store/queue"
)

// creditsKind is the kind of the job that notifies of a balance.
const creditsKind = "credits"

// putter puts a job that is due at once.
type putter interface {
	Put(ctx context.Context, job queue.Job) (bool, error)
}

// CreditNoticesConfig configures [CreditNotices]. All fields but Log are required.
type CreditNoticesConfig struct {
	Below decimal.Decimal // the threshold; zero: no notices
	Store store.Documents
	Queue putter
	Ops   func(ctx context.Context, sentence string) (sent bool, err error) // as in [Config]
	Log   *slog.Logger                                                      // nil: the default logger
}

// CreditNotices notifies once when a workspace's credits fall below a threshold, and once when they are
// well above it again, like [CreditWatch]. It never requests a balance itself. It uses the balances that
// people look up, so ten thousand workspaces cost their services no extra calls. A job sends the notice,
// so it is sent once, whichever replica saw the balance.
type CreditNotices struct {
	CreditNoticesConfig
	line creditLine
}

// NewCreditNotices returns the notices of one workspace.
func NewCreditNotices(c CreditNoticesConfig) *CreditNotices {
	c.Log = cmp.Or(c.Log, slog.Default())
	return &CreditNotices{CreditNoticesConfig: c, line: creditLine{below: c.Below}}
}

// creditsJob is the body of a creditsKind job.
type creditsJob struct {
	Balance decimal.Decimal `json:"left"`
}

// Kind returns the kind of the notifying job.
func (n *CreditNotices) Kind() queue.Declared {
	return queue.Kind[creditsJob]{Name: creditsKind, Unasked: true, Work: n.notify}.Declare()
}

// Observe takes a balance that a person looked up. It calls Redis only if the balance crossed the
// threshold since the last one.
func (n *CreditNotices) Observe(ctx context.Context, left decimal.Decimal) {
	level := n.line.level(left)
	if !n.line.on() || !n.line.moved(level) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second) // a person waits for the balance
	defer cancel()
	if err := n.putNotice(ctx, left); err != nil {
		n.line.moved("") // the next balance counts again
		n.Log.InfoContext(ctx, "low or new credits are seen later", "err", err)
	}
}

// putNotice puts the notifying job if the balance is news.
func (n *CreditNotices) putNotice(ctx context.Context, left decimal.Decimal) error {
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

// news returns the notice for a balance, and whether it says that low credits are over. "" means no
// notice.
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

// notify sends the notice, unless another job did. If nobody can be notified, the log has it, and it
// counts as sent.
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
