package chaos

import (
	"sync"
	"time"
)

// The kinds of acts that are compared.
const (
	actOrder     = "order"
	actMessage   = "message to the editor"
	actReference = "reference images"
	actRevise    = "revision"
	actApprove   = "approval"
	actPin       = "saved pin"
	actCancel    = "cancellation"
	actTicked    = "approval by a tick"
	actPreset    = "saved preset"
	actRow       = "order of a batch"
	actSetting   = "saved setting"
)

// act is one thing that one person asked for, with words of its own by which it is known
// at the service.
type act struct {
	kind    string
	token   string
	order   string // the service's id; "" for an order that is being placed
	channel string
	user    string

	elsewhere bool        // done at the service itself, not in Slack
	words     string      // an order's or a preset's instructions; "" is not compared
	content   string      // the images and references of an order of a batch, see [content]
	beside    string      // the pictures beside a tick
	holds     func() bool // a setting is what was chosen
	with      *act        // the request that a pin goes with
	parts     []*act      // of a form that does several things at once: those are in the ledger, not this

	mu    sync.Mutex
	began time.Time
	acked time.Time // Slack got its 200; zero: never
	done  time.Time // the service has it; zero: not seen
	told  string    // what the person read instead
	tries int       // how often it was submitted
}

// orders tells that it asks for an order.
func (a *act) orders() bool { return a.kind == actOrder || a.kind == actRow }

func (a *act) ack() {
	for _, part := range a.parts {
		part.ack()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.acked.IsZero() {
		a.acked = time.Now()
	}
}

// unconfirmed takes an acknowledgement back: the person reads that nobody knows whether it was taken, and does it again.
func (a *act) unconfirmed() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.acked = time.Time{}
}

func (a *act) finish(told string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if told != "" {
		a.told = told
	} else {
		a.done = time.Now()
	}
}

// ledger is all that people did.
type ledger struct {
	mu      sync.Mutex
	acts    []*act
	batches []*batch
	notes   map[string]int // what else happened, counted
}

func (l *ledger) begin(a *act) *act {
	l.mu.Lock()
	defer l.mu.Unlock()
	a.began = time.Now()
	l.acts = append(l.acts, a)
	return a
}

// file notes a batch that is about to be handed in.
func (l *ledger) file(b *batch) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.batches = append(l.batches, b)
}

func (l *ledger) note(what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.notes == nil {
		l.notes = map[string]int{}
	}
	l.notes[what]++
}
