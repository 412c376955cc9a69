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

// HoldWhy is the reason to ask an approver about an order.
type HoldWhy string

// The reasons.
const (
	HoldSpender HoldWhy = "spender" // the requester may not spend
	HoldOrder   HoldWhy = "order"   // it costs more than one order may
	HoldMonth   HoldWhy = "month"   // it costs more than the rest of the channel's month
	HoldAccount HoldWhy = "account" // it costs more than the rest of the account's month: an operator decides
)

// Hold is a question to an approver of a channel about an order that is not placed yet. The draft stays as it was
// submitted; the decision is valid only for that content. A hold for several orders of a batch has their sums.
type Hold struct {
	Draft   string `json:"draft"`   // for several orders: an id that stands for them
	Attempt int    `json:"attempt"` // the attempt that places it; for several orders: the latest
	Print   string `json:"print"`   // of the content that would be placed: see [Draft.Print]
	Team    string `json:"team"`
	Channel string `json:"channel"`
	User    string `json:"user"` // who ordered
	View    string `json:"view"` // external id of the window that they submitted

	Why     HoldWhy         `json:"why"`
	Name    string          `json:"name,omitempty"`
	Images  int             `json:"images"`
	Cost    decimal.Decimal `json:"cost"`              // credits, by estimate
	Guessed bool            `json:"guessed,omitempty"` // the channel's prices are unknown: an image counts as one credit
	Listed  bool            `json:"listed,omitempty"`  // the cost is by the operator's price list
	Spent   decimal.Decimal `json:"spent"`             // credits, this month, before it
	Limit   int             `json:"limit,omitempty"`   // credits; 0: no limit is concerned
	Asks    []string        `json:"asks"`              // the approvers
	At      time.Time       `json:"at"`

	// Hides says that the question must not name the account's credits: some readers of the channel may not read them.
	Hides bool `json:"hides,omitempty"`
	// Batch is the batch that asks about several orders at once; "": the question is about one order.
	Batch string `json:"batch,omitempty"`
	// Orders are the batch's drafts that the question is about; nil: only Draft.
	Orders []string `json:"orders,omitempty"`
	// Answer is the answer, saved with the draft; nil: the question is open, or the allowed order is being placed.
	Answer *HoldDecision `json:"answer,omitempty"`

	// Names are display names by user id, for the question in its channel: see [Tracked].
	Names map[string]string `json:"-"`
}

// Drafts returns the drafts that the question is about.
func (h Hold) Drafts() []string {
	if len(h.Orders) == 0 {
		return []string{h.Draft}
	}
	return h.Orders
}

// SpentOf returns the month's cost that the question is about: the channel's, or the whole account's.
func (h Hold) SpentOf(l order.Ledger) decimal.Decimal {
	if h.Why == HoldAccount {
		return l.Spent("")
	}
	return l.Spent(h.Channel)
}

// ID names the question; each held submission asks its own.
func (h Hold) ID() string { return fmt.Sprintf("%s.%d", h.Draft, h.Attempt) }

// IsHeld reports whether the draft waits for an approver's answer.
func (d Draft) IsHeld() bool {
	return d.State == DraftRefused && d.Hold != nil && d.Hold.Attempt == d.Attempt && d.Hold.Answer == nil
}

// Allowed is the permission to place a draft.
type Allowed struct {
	By    string    `json:"by"`
	At    time.Time `json:"at"`
	Print string    `json:"print"` // the content that it is valid for: see [Draft.Print]
	// Account says that an operator allowed it to exceed the limit of the whole account.
	Account bool   `json:"account,omitempty"`
	Hold    string `json:"hold,omitempty"`  // the question that was answered
	First   string `json:"first,omitempty"` // the channel's question that was answered before an operator's
}

// Questions returns the ids of the answered questions.
func (a *Allowed) Questions() []string {
	if a == nil {
		return nil
	}
	return slices.DeleteFunc([]string{a.Hold, a.First}, func(id string) bool { return id == "" })
}

// Covers reports whether the permission is valid for the draft as it is now.
func (a *Allowed) Covers(d Draft) bool { return a != nil && a.Print == d.Print() }

// Print returns a fingerprint of the content that the draft would place. Nothing else changes it.
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

// HoldDecision is the answer to a [Hold].
type HoldDecision struct {
	By      string    `json:"by"`
	At      time.Time `json:"at"`
	Allowed bool      `json:"allowed"`
	Anew    bool      `json:"anew,omitempty"`  // nobody answered: the requester submitted again, which asks anew
	Ended   bool      `json:"ended,omitempty"` // nobody answered in time
	// Became is the state of the order when it was placed or discarded before anybody answered.
	Became DraftState `json:"became,omitempty"`

	// Spent is the month's cost at that time, if the question is about a month's limit.
	Spent decimal.NullDecimal `json:"spent,omitzero"`
}

// HoldKind is the kind of the job that shows a channel a question to its approvers.
const HoldKind = "hold"

// HoldJob is the body of such a job.
type HoldJob struct {
	Hold string `json:"hold"`
}

func holdDoc(id string) string { return "hold:" + id }

func holdDecidedDoc(id string) string { return "hold-decided:" + id }

// HoldPostedDoc returns the name of the document that says which message shows the question.
func HoldPostedDoc(id string) string { return "hold-posted:" + id }

// HoldLife is how long a question can be answered.
const HoldLife = draftLife

// HeldLife is how long a question's documents live. They outlive the question, so that the requester is notified of
// its end.
const HeldLife = HoldLife + 24*time.Hour

// Holds saves the questions to approvers, and their answers.
type Holds struct {
	docs  *DocumentStore
	queue *queue.Queue
}

// AskHold saves a question and puts the job that shows it, once.
func (s *Holds) AskHold(ctx context.Context, h Hold) error {
	if err := s.docs.PutPersonal(ctx, h.User, holdDoc(h.ID()), h, HeldLife); err != nil {
		return err
	}
	return s.ShowHold(ctx, h.ID(), "asked")
}

// ShowHold puts the job that shows the state of a question, once for each stage.
func (s *Holds) ShowHold(ctx context.Context, id, stage string) error {
	job := queue.Job{ID: "hold:" + id + ":" + stage, Lane: "hold:" + id, Kind: HoldKind, Body: []byte(kv.Encode(HoldJob{id}))}
	_, err := s.queue.Put(ctx, job)
	return kv.About("question", id, err)
}

// Hold returns a question, or [ErrAbsent], and its answer; nil: no answer yet.
func (s *Holds) Hold(ctx context.Context, id string) (Hold, *HoldDecision, error) {
	var h Hold
	if err := s.docs.Get(ctx, holdDoc(id), &h); err != nil {
		return h, nil, err
	}
	var decision HoldDecision
	err := s.docs.GetIfThere(ctx, holdDecidedDoc(id), &decision)
	if err != nil || decision.At.IsZero() {
		return h, nil, err
	}
	return h, &decision, nil
}

// DecideHold answers a question. It returns the first answer: only that one counts.
func (s *Holds) DecideHold(ctx context.Context, id string, decision HoldDecision) (HoldDecision, error) {
	first, err := s.docs.PutIfAbsent(ctx, holdDecidedDoc(id), decision, HeldLife)
	if err != nil || first {
		return decision, err
	}
	err = s.docs.Get(ctx, holdDecidedDoc(id), &decision)
	return decision, err
}
