package poll

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/shopspring/decimal"

	"darkroom/cards/ops"
)

const (
	creditsEvery = 10 * time.Minute // how often the elected poller asks for the balance by itself
	creditsAgain = time.Minute      // after it could not be read, or not be told
	crossedLife  = time.Hour        // of the note that a balance was seen on the other side of the line

	lowNote     = "credits-low"     // kept while the operations channel knows that they are low
	crossedNote = "credits-crossed" // changes when a replica sees them cross the line
)

// wellAbove is how far above the line the balance must be again before that is said: people who order,
// and cancel, around it must not make the channel hear of it each time. A tenth.
var wellAbove = decimal.New(11, -1)

// noteStore is where a watch leaves a note for the elected poller.
type noteStore interface {
	PutTTL(ctx context.Context, name string, doc any, life time.Duration) error
}

// CreditWatchConfig is what a [CreditWatch] works with; Balance and Store are required with a line.
type CreditWatchConfig struct {
	Below   decimal.Decimal                                    // the line; zero: nobody looks, and nothing is told
	Balance func(ctx context.Context) (decimal.Decimal, error) // asks the service
	Seen    func(left decimal.Decimal)                         // hears of each balance that this process reads; nil: nobody does
	Store   noteStore
	Log     *slog.Logger // nil: the default logger
}

// CreditWatch tells the operations channel once when the credits fall below a line, and once when they
// are well above it again. The elected poller looks: now and then, and soon after any replica was shown
// a balance on the other side of the line than the one before.
type CreditWatch struct {
	CreditWatchConfig

	mu   sync.Mutex
	last creditLevel // of the balance that this process read last; "" = none yet
}

// creditLevel is where a balance is.
type creditLevel string

const (
	creditsLow  creditLevel = "low"
	creditsNear creditLevel = "near" // above the line, but not well above it
	creditsWell creditLevel = "well"
)

// NewCreditWatch returns a watch that a [Poller] runs.
func NewCreditWatch(c CreditWatchConfig) *CreditWatch {
	c.Log = cmp.Or(c.Log, slog.Default())
	return &CreditWatch{CreditWatchConfig: c}
}

// Observe hears of a balance that somebody was shown anyway. It costs something only when the line was
// crossed since the last one.
func (w *CreditWatch) Observe(ctx context.Context, left decimal.Decimal) {
	if w.Seen != nil {
		w.Seen(left)
	}
	if !w.on() || !w.crosses(left) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second) // somebody waits for their balance
	defer cancel()
	if err := w.Store.PutTTL(ctx, crossedNote, time.Now().UTC(), crossedLife); err != nil {
		w.Log.InfoContext(ctx, "low or new credits are seen later", "err", err)
	}
}

// crosses notes a balance, and tells whether it is elsewhere than the last one was.
func (w *CreditWatch) crosses(left decimal.Decimal) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	was := w.last
	w.last = w.level(left)
	return w.last != was
}

// on tells whether somebody wants to know; a nil watch is off.
func (w *CreditWatch) on() bool { return w != nil && w.Below.IsPositive() }

// well is from where on the credits are well again.
func (w *CreditWatch) well() decimal.Decimal { return w.Below.Mul(wellAbove) }

func (w *CreditWatch) level(left decimal.Decimal) creditLevel {
	switch {
	case left.LessThan(w.Below):
		return creditsLow
	case left.LessThan(w.well()):
		return creditsNear
	}
	return creditsWell
}

// creditCheck is when the poller looks at the credits. The zero value: at once.
type creditCheck struct {
	next    time.Time // not before that by itself
	crossed time.Time // what the note said at this poll; zero: nothing
	heeded  time.Time // what it said when the poller last looked
}

// watchCredits looks at the credits when it is time to, and tells of what has changed.
func (p *Poller) watchCredits(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err // cut short
	}
	check := &p.credits
	if !p.Credits.on() || time.Now().Before(check.next) && check.crossed.Equal(check.heeded) {
		return nil
	}
	check.next, check.heeded = time.Now().Add(creditsAgain), check.crossed
	left, err := p.Credits.Balance(ctx)
	if err != nil {
		p.Log.InfoContext(ctx, "credits not known", "err", err)
		return nil // the service's outage is told elsewhere
	}
	if err := p.sayCredits(ctx, left); err != nil {
		return fmt.Errorf("credits: %w", err)
	}
	check.next = time.Now().Add(creditsEvery)
	return nil
}

// sayCredits tells the operations channel what it does not know yet.
func (p *Poller) sayCredits(ctx context.Context, left decimal.Decimal) error {
	w := p.Credits
	w.crosses(left) // the poller's own check needs no document
	if w.Seen != nil {
		w.Seen(left)
	}
	known, err := p.saved(ctx, lowNote)
	if err != nil {
		return err
	}
	switch level := w.level(left); {
	case level == creditsLow && !known:
		return p.notify(ctx, lowNote, ops.CreditsLow(left, w.Below, w.well()), false)
	case level == creditsWell && known:
		return p.notify(ctx, lowNote, ops.CreditsWell(left), true)
	}
	return nil
}
