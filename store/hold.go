package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"darkroom/order"
	"darkroom/store/kv"
	"darkroom/store/queue"
)

// HoldWhy is why an order is asked of an approver.
type HoldWhy string

// The reasons.
const (
	HoldSpender HoldWhy = "spender" // the requester may not spend
	HoldOrder   HoldWhy = "order"   // it costs more than one order may
	HoldMonth   HoldWhy = "month"   // it costs more than is left of the month
	HoldAccount HoldWhy = "account" // it costs more than is left of the month to the whole account: an operator decides
)

// Hold is an order that was not placed, because an approver of its channel is asked first. The draft stays as
// it was submitted; what is decided is good for exactly that. One about several orders of a batch has the sums of all
// that is counted.
type Hold struct {
	Draft   string `json:"draft"`   // of several, what stands for them
	Attempt int    `json:"attempt"` // the one that places it; of several, the latest
	Print   string `json:"print"`   // of what would be placed: see [Draft.Print]
	Team    string `json:"team"`
	Channel string `json:"channel"`
	User    string `json:"user"` // who ordered
	View    string `json:"view"` // external id of the window that they submitted

	Why     HoldWhy         `json:"why"`
	Name    string          `json:"name,omitempty"`
	Images  int             `json:"images"`
	Cost    decimal.Decimal `json:"cost"`              // credits, as far as can be said before
	Guessed bool            `json:"guessed,omitempty"` // nobody knows the channel's prices: an image is counted as a credit
	Spent   decimal.Decimal `json:"spent"`             // credits, this month, before it
	Limit   int             `json:"limit,omitempty"`   // credits; 0: none is concerned
	Asks    []string        `json:"asks"`              // the approvers
	At      time.Time       `json:"at"`

	// Hides says that not everybody who reads the channel may read the account's credits: the question names none.
	Hides bool `json:"hides,omitempty"`
	// Batch is the batch that asks about the order together with others; "": it is asked about alone.
	Batch string `json:"batch,omitempty"`
	// Orders are the drafts of the batch that are asked about; nil: it is Draft alone.
	Orders []string `json:"orders,omitempty"`
	// Answer is how the question ended, as the draft keeps it; nil: it is open, or what was allowed is on its way.
	Answer *HoldDecision `json:"answer,omitempty"`
}

// Drafts are those that are asked about.
func (h Hold) Drafts() []string {
	if len(h.Orders) == 0 {
		return []string{h.Draft}
	}
	return h.Orders
}

// SpentOf is what the month has cost that the question is about: the channel's, or the whole account's.
func (h Hold) SpentOf(l order.Ledger) decimal.Decimal {
	if h.Why == HoldAccount {
		return l.Spent("")
	}
	return l.Spent(h.Channel)
}

// ID names the question; each submission that is held asks one of its own.
func (h Hold) ID() string { return fmt.Sprintf("%s.%d", h.Draft, h.Attempt) }

// IsHeld reports whether the draft waits for an approver, as long as who ordered leaves it at that.
func (d Draft) IsHeld() bool {
	return d.State == DraftRefused && d.Hold != nil && d.Hold.Attempt == d.Attempt && d.Hold.Answer == nil
}

// Allowed is who let a draft be placed.
type Allowed struct {
	By    string    `json:"by"`
	At    time.Time `json:"at"`
	Print string    `json:"print"` // what it is good for
	// Account says that an operator let it go over the limit of the whole account.
	Account bool   `json:"account,omitempty"`
	Hold    string `json:"hold,omitempty"`  // the question that was answered
	First   string `json:"first,omitempty"` // the channel's question that was answered before an operator's
}

// Questions are those that were answered so.
func (a *Allowed) Questions() []string {
	if a == nil {
		return nil
	}
	return slices.DeleteFunc([]string{a.Hold, a.First}, func(id string) bool { return id == "" })
}

// Covers reports whether it is good for the draft as it is now.
func (a *Allowed) Covers(d Draft) bool { return a != nil && a.Print == d.Print() }

// Print is another for each other thing that the draft would have placed, and for no other reason.
func (d Draft) Print() string {
	parts := []string{d.Channel, string(d.Service), d.ProjectName, d.CustomerID, strings.Join(d.Instructions, "\n"), strings.Join(d.URLs, "\n")}
	for _, f := range d.Files {
		parts = append(parts, f.ID)
	}
	for _, address := range slices.Sorted(maps.Keys(d.Each)) {
		parts = append(parts, address, string(d.Each[address].Service), d.Each[address].Instruction)
	}
	sum := sha256.Sum256([]byte(kv.Encode(parts)))
	return hex.EncodeToString(sum[:12])
}

// HoldDecision is how such a question was answered.
type HoldDecision struct {
	By      string    `json:"by"`
	At      time.Time `json:"at"`
	Allowed bool      `json:"allowed"`
	Anew    bool      `json:"anew,omitempty"`  // by nobody: who ordered submitted again, and it is asked anew
	Ended   bool      `json:"ended,omitempty"` // by nobody: its time was over
	// Became is what became of the order before anybody answered: it was placed, or discarded.
	Became DraftState `json:"became,omitempty"`

	// Spent is what the month had cost by then, where the limit of a month is concerned.
	Spent decimal.NullDecimal `json:"spent,omitzero"`
}

// HoldKind is the kind of the job that shows a channel a question to its approvers, as it stands.
const HoldKind = "hold"

// HoldJob is the body of such a job.
type HoldJob struct {
	Hold string `json:"hold"`
}

func holdNote(id string) string { return "hold:" + id }

func holdDecidedNote(id string) string { return "hold-decided:" + id }

// HoldPostedNote is the name of the document that says where the question stands in its channel.
func HoldPostedNote(id string) string { return "hold-posted:" + id }

// HoldLife is how long a question can be answered.
const HoldLife = draftLife

// HeldLife is how long all that belongs to a question is kept: who ordered is told of its end.
const HeldLife = HoldLife + 24*time.Hour

// Holds keeps the questions to approvers, and their answers.
type Holds struct {
	docs  *DocumentStore
	queue *queue.Queue
}

// AskHold keeps a question and puts the job that shows it, once.
func (s *Holds) AskHold(ctx context.Context, h Hold) error {
	if err := s.docs.PutPersonal(ctx, h.User, holdNote(h.ID()), h, HeldLife); err != nil {
		return err
	}
	return s.ShowHold(ctx, h.ID(), "asked")
}

// ShowHold puts the job that shows a question as it stands, once for each stage.
func (s *Holds) ShowHold(ctx context.Context, id, stage string) error {
	job := queue.Job{ID: "hold:" + id + ":" + stage, Lane: "hold:" + id, Kind: HoldKind, Body: []byte(kv.Encode(HoldJob{id}))}
	_, err := s.queue.Put(ctx, job)
	return kv.About("question", id, err)
}

// Hold returns a question, or [ErrAbsent], and how it was answered; nil: not yet.
func (s *Holds) Hold(ctx context.Context, id string) (Hold, *HoldDecision, error) {
	var h Hold
	if err := s.docs.Get(ctx, holdNote(id), &h); err != nil {
		return h, nil, err
	}
	var decision HoldDecision
	err := s.docs.GetIfThere(ctx, holdDecidedNote(id), &decision)
	if err != nil || decision.At.IsZero() {
		return h, nil, err
	}
	return h, &decision, nil
}

// DecideHold answers a question, once: it returns the answer that holds, of whoever was first.
func (s *Holds) DecideHold(ctx context.Context, id string, decision HoldDecision) (HoldDecision, error) {
	first, err := s.docs.PutIfAbsent(ctx, holdDecidedNote(id), decision, HeldLife)
	if err != nil || first {
		return decision, err
	}
	err = s.docs.Get(ctx, holdDecidedNote(id), &decision)
	return decision, err
}
