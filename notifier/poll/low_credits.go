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
	"darkroom/store"
)

const (
	creditsEvery = 10 * time.Minute // between two checks of the balance
	creditsAgain = time.Minute      // after a failed check or notice
	crossedLife  = time.Hour        // lifetime of crossedNote

	lowNote     = "credits-low"     // exists while the operations channel knows that credits are low
	crossedNote = "credits-crossed" // changes when a replica sees credits cross the threshold
)

// wellAbove is the factor above the threshold from which credits are well again. The margin of a tenth
// prevents a notice for each order or cancellation near the threshold.
var wellAbove = decimal.New(11, -1)

// CreditWatchConfig configures a [CreditWatch]. With a threshold, Balance and Store are required.
type CreditWatchConfig struct {
	Below   decimal.Decimal                                    // the threshold; zero: no checks and no notices
	Balance func(ctx context.Context) (decimal.Decimal, error) // requests the balance from the service
	Seen    func(left decimal.Decimal)                         // receives each balance that this process reads; may be nil
	Store   store.Documents
	Log     *slog.Logger // nil: the default logger
}

// CreditWatch notifies the operations channel once when credits fall below a threshold, and once when they
// are well above it again. The poller checks regularly, and soon after any replica saw a balance cross the
// threshold.
type CreditWatch struct {
	CreditWatchConfig
	line creditLine
}

// creditLevel is a balance relative to the threshold.
type creditLevel string

const (
	creditsLow  creditLevel = "low"
	creditsNear creditLevel = "near" // above the threshold, but not well above it
	creditsWell creditLevel = "well"
)

// NewCreditWatch returns a watch for a [Poller].
func NewCreditWatch(c CreditWatchConfig) *CreditWatch {
	c.Log = cmp.Or(c.Log, slog.Default())
	return &CreditWatch{CreditWatchConfig: c, line: creditLine{below: c.Below}}
}

// Observe takes a balance that a person looked up. It calls Redis only if the balance crossed the
// threshold since the last one.
func (w *CreditWatch) Observe(ctx context.Context, left decimal.Decimal) {
	if w.Seen != nil {
		w.Seen(left)
	}
	if !w.on() || !w.line.moved(w.line.level(left)) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second) // a person waits for the balance
	defer cancel()
	if err := w.Store.PutTTL(ctx, crossedNote, time.Now().UTC(), crossedLife); err != nil {
		w.Log.InfoContext(ctx, "low or new credits are seen later", "err", err)
	}
}

// on reports whether notices are wanted; a nil watch is off.
func (w *CreditWatch) on() bool { return w != nil && w.line.on() }

// creditLine compares balances with a threshold.
type creditLine struct {
	below decimal.Decimal // the threshold; zero: off

	mu   sync.Mutex
	last creditLevel // of the latest balance in this process; "": none yet
}

func (l *creditLine) on() bool { return l.below.IsPositive() }

// well returns the balance from which credits are well again.
func (l *creditLine) well() decimal.Decimal { return l.below.Mul(wellAbove) }

func (l *creditLine) level(left decimal.Decimal) creditLevel {
	switch {
	case left.LessThan(l.below):
		return creditsLow
	case left.LessThan(l.well()):
		return creditsNear
	}
	return creditsWell
}

// moved saves a balance's level and reports whether the last one was another.
func (l *creditLine) moved(level creditLevel) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	last := l.last
	l.last = level
	return level != last
}

// creditCheck schedules the poller's checks. The zero value is due at once.
type creditCheck struct {
	next    time.Time // time of the next regular check
	crossed time.Time // crossedNote at this poll; zero: absent
	handled time.Time // crossedNote at the last check
}

// watchCredits checks the credits if that is due, and notifies of a change.
func (p *Poller) watchCredits(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err // cut short
	}
	check := &p.credits
	if !p.Credits.on() || time.Now().Before(check.next) && check.crossed.Equal(check.handled) {
		return nil
	}
	check.next, check.handled = time.Now().Add(creditsAgain), check.crossed
	left, err := p.Credits.Balance(ctx)
	if err != nil {
		p.Log.InfoContext(ctx, "credits not known", "err", err)
		return nil // notifyHealth reports the service's outage
	}
	if err := p.notifyCredits(ctx, left); err != nil {
		return fmt.Errorf("credits: %w", err)
	}
	check.next = time.Now().Add(creditsEvery)
	return nil
}

// notifyCredits notifies the operations channel of a change.
func (p *Poller) notifyCredits(ctx context.Context, left decimal.Decimal) error {
	w := p.Credits
	w.line.moved(w.line.level(left)) // the poller's own check needs no document
	if w.Seen != nil {
		w.Seen(left)
	}
	known, err := p.saved(ctx, lowNote)
	if err != nil {
		return err
	}
	switch level := w.line.level(left); {
	case level == creditsLow && !known:
		return p.notify(ctx, lowNote, ops.CreditsLow(left, w.Below, w.line.well()), false)
	case level == creditsWell && known:
		return p.notify(ctx, lowNote, ops.CreditsWell(left), true)
	}
	return nil
}
