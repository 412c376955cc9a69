package store

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/shopspring/decimal"

	"darkroom/order"
	"darkroom/store/kv"
	"darkroom/store/queue"
	"darkroom/store/script"
)

// DraftState is how far a draft has come.
type DraftState string

// The states of a draft, in the order in which they follow; the last four end
// an attempt.
const (
	DraftOpen      DraftState = "open"
	DraftPlacing   DraftState = "placing" // a job is at work
	DraftPlaced    DraftState = "placed"
	DraftRefused   DraftState = "refused"
	DraftUnknown   DraftState = "unknown" // nobody knows whether the order exists
	DraftDiscarded DraftState = "discarded"
)

// draftLife is how long a draft is kept after it was last saved; a reference
// outlives the draft it was reserved for.
const (
	draftLife     = 7 * 24 * time.Hour
	referenceLife = draftLife + 24*time.Hour
)

// Draft is an order form, from the moment it opens until its order is placed.
type Draft struct {
	ID      string `json:"ID"`
	Team    string `json:"Team"`
	User    string `json:"User"`
	Channel string `json:"Channel"` // Post to
	From    string `json:"From"`    // where the form was opened

	URLs         []string          `json:"URLs"`
	Service      order.ServiceType `json:"Service"`
	Instructions []string          `json:"Instructions"`
	ProjectName  string            `json:"ProjectName"`
	CustomerID   string            `json:"CustomerID"`
	Reference    string            `json:"Reference"`

	Files []DraftFile         `json:"Files"` // photos uploaded to Slack; the order's first images
	Each  map[string]PerImage `json:"Each"`  // by address: what differs from Service and Instructions
	Typed string              `json:"Typed"` // Slack's time of the last thing typed that was kept

	Filling *Filling `json:"Filling,omitempty"` // what its form was filled from; nil: from nothing

	Batch   string   `json:"Batch,omitempty"`   // that it is an order of; "": it is of none
	Hold    *Hold    `json:"Held,omitempty"`    // the last thing that was asked of an approver; nil: nothing was
	Allowed *Allowed `json:"Allowed,omitempty"` // what an approver allowed; nil: nothing

	Attempt     int        `json:"Attempt"` // grows after a refusal or an explicit Try again, never otherwise
	State       DraftState `json:"State"`
	OrderID     string     `json:"OrderID"`
	Problems    []string   `json:"Problems"`          // the service's own words
	OpenedAt    time.Time  `json:"OpenedAt"`          // when its form was opened, never changed; zero = not known
	ReferenceAt time.Time  `json:"ReferenceAt"`       // no order of ours with the reference is older
	Unpostable  string     `json:"Unpostable"`        // why its channel could not take it; "" = it could
	Run         string     `json:"Run"`               // the run of Redis in which its form was opened; "" = not known
	Absent      string     `json:"Absent,omitempty"`  // the run of Redis in which it is known that the service has no order of it; "" = it is looked for before it is sent
	Warned      int        `json:"Warned,omitempty"`  // the attempt of which its person was told that another may cost twice; 0 = none
	SentAt      time.Time  `json:"SentAt"`            // when an attempt that was not refused was last sent, by the clock of Redis; zero = nothing can be out
	SentTo      SentTo     `json:"SentTo,omitzero"`   // where that was; zero = nothing can be out, or it was not noted
	Search      Search     `json:"Search"`            // what looking for its order came to
	SpentIn     string     `json:"SpentIn,omitempty"` // the month in which it counts since before it was sent: see [Ledgers.Reserve]
	SubmittedAt time.Time  `json:"SubmittedAt"`
	UpdatedAt   time.Time  `json:"UpdatedAt"`
}

// SentTo is the account at which an order may be. Another account says nothing of it.
type SentTo struct {
	Account string `json:"account,omitempty"` // [tenants.ServiceAccount.ID]
	Host    string `json:"host,omitempty"`
}

// DraftFile is a photo in Slack that the order will hold. URL is its signed public
// address, made once: another for each attempt would look like another photo.
type DraftFile struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Size int64  `json:"size,omitempty"` // bytes
	URL  string `json:"url"`
}

// PerImage is what one image has of its own; zero values mean the draft's.
type PerImage struct {
	Service     order.ServiceType `json:"service,omitempty"` // "reference" in the form is [order.ServiceReference]
	Instruction string            `json:"instruction,omitempty"`
}

// Search is what looking for a draft's order at the service came to, when it was not found.
type Search struct {
	Readings   int       `json:"readings,omitempty"`    // of the whole list since the submission, late enough to prove something
	Orders     int       `json:"orders,omitempty"`      // the most that one reading saw
	Back       time.Time `json:"back,omitzero"`         // when the oldest of them was placed; zero = none was read
	NoKeywords bool      `json:"no_keywords,omitempty"` // the service did not search for the reference
	Stopped    bool      `json:"stopped,omitempty"`     // the job ended before it could find out
	Elsewhere  string    `json:"elsewhere,omitempty"`   // the host of its account, when another one is connected now
	Unproven   bool      `json:"unproven,omitempty"`    // the service may keep names of its own: not to be found proves nothing

	Cost decimal.NullDecimal `json:"cost,omitzero"` // what it may have cost, in credits, where that is known
}

// Drafts keeps drafts, and the references that are reserved for them.
type Drafts part

// SaveDraft keeps a draft for seven days from now. It never takes a draft
// back: [ErrDraftMoved] says that what is kept has a later attempt, or is
// further within this attempt, or is placed, or is being placed while this one is
// discarded.
func (s *Drafts) SaveDraft(ctx context.Context, d Draft) error {
	d.UpdatedAt = time.Now()
	code, err := s.write(ctx, "save_draft", d, script.Args{})
	if err == nil && code == 0 {
		err = ErrDraftMoved
	}
	return draftError(d.ID, err)
}

// Draft returns the draft that was kept, or [ErrNoDraft].
func (s *Drafts) Draft(ctx context.Context, id string) (Draft, error) {
	d, _, err := s.Read(ctx, id)
	return d, err
}

// Read returns a draft and the very document that is kept of it.
func (s *Drafts) Read(ctx context.Context, id string) (d Draft, doc string, err error) {
	doc, err = s.db.Redis.HGet(ctx, s.db.Key("draft", id), "doc").Result()
	if errors.Is(err, redis.Nil) {
		err = ErrNoDraft
	}
	if err == nil {
		err = json.Unmarshal([]byte(doc), &d)
	}
	return d, doc, draftError(id, err)
}

// Submit moves a draft to placing, once for each attempt: d must hold the
// attempt that its form was opened with, and what is kept must be open or
// refused at that attempt. Whoever keeps a refusal raises the Attempt with it,
// so that a repeat of the refused submission is not taken for a new one. It
// returns the draft as it is kept now and whether this call moved it. A draft
// that is no longer kept is submitted as it is.
func (s *Drafts) Submit(ctx context.Context, d Draft) (Draft, bool, error) {
	return s.startAttempt(ctx, d, DraftOpen, DraftRefused)
}

// TryAgain is an explicit Try again: it moves a draft whose outcome is unknown
// to placing under the next attempt, once for each attempt.
func (s *Drafts) TryAgain(ctx context.Context, d Draft) (Draft, bool, error) {
	return s.startAttempt(ctx, d, DraftUnknown, DraftUnknown)
}

// startAttempt moves the draft to placing, under its attempt or under the next one, when it is in one of
// two states.
func (s *Drafts) startAttempt(ctx context.Context, d Draft, from, or DraftState) (Draft, bool, error) {
	next := d.placing()
	if from == DraftUnknown {
		next.Attempt++
	}
	args := script.Args{"from": string(from), "from_too": string(or), "was": d.Attempt, "nonce": rand.Text()}
	code, err := s.write(ctx, "start_attempt", next, args)
	switch {
	case err != nil:
		return d, false, draftError(d.ID, err)
	case code == 1:
		return next, true, nil
	}
	kept, err := s.Draft(ctx, d.ID)
	return kept, false, err
}

// placing is the draft as it is submitted now.
func (d Draft) placing() Draft {
	d.State, d.Problems, d.Unpostable, d.OrderID, d.Search = DraftPlacing, nil, "", "", Search{}
	d.SubmittedAt = time.Now()
	d.UpdatedAt = d.SubmittedAt
	return d
}

// SubmitUnread is [Drafts.Submit] of a form that holds all there is to its draft, and of the job that
// places it, in one step: nobody need have read the draft. It does so only where what is kept is open,
// of the attempt of d, and was begun as d says it was: by whom, where, when, and in which run of Redis.
// Otherwise it says false, and nothing was changed. The document named over is forgotten in the same
// step.
func (s *Drafts) SubmitUnread(ctx context.Context, d Draft, job queue.Job, over string) (bool, error) {
	next := d.placing()
	code, err := s.db.Run(ctx, "submit_unread",
		script.Keys{
			"draft": s.db.Key("draft", d.ID), "unfinished": s.db.Key("unfinished", d.Team, d.User), "outstanding": s.db.Key("outstanding"), "over": s.db.Key("note", over),
		},
		script.Args{
			"id": d.ID, "doc": kv.Encode(next), "state": string(next.State), "attempt": d.Attempt, "origin": d.origin(), "life": draftLife,
			"now": next.UpdatedAt.UnixMilli(), "nonce": rand.Text(), "job": s.records.queue.PutArgs(ctx, job),
		})
	return code == 1, draftError(d.ID, err)
}

// origin is how a draft was begun, which never changes.
func (d Draft) origin() string {
	return strings.Join([]string{d.Team, d.User, d.From, d.Run, strconv.FormatInt(d.OpenedAt.UnixMicro(), 10)}, " ")
}

// write runs one of the scripts that keep a draft; args is what its argument has besides.
func (s *Drafts) write(ctx context.Context, name string, d Draft, args script.Args) (int, error) {
	args["id"], args["doc"], args["state"], args["attempt"], args["origin"] = d.ID, kv.Encode(d), string(d.State), d.Attempt, d.origin()
	if args["life"] = draftLife; d.IsHeld() {
		args["life"] = HeldLife
	}
	args["now"], args["unfinished"] = d.UpdatedAt.UnixMilli(), d.unfinished()
	return s.db.Run(ctx, name, s.Keys(d), args)
}

// Keys are the keys of a draft and of what leads to it, as the scripts know them.
func (s *Drafts) Keys(d Draft) script.Keys {
	return script.Keys{"draft": s.db.Key("draft", d.ID), "unfinished": s.db.Key("unfinished", d.Team, d.User), "outstanding": s.db.Key("outstanding")}
}

func draftError(id string, err error) error { return kv.About("draft", id, err) }

// EditDraft changes a draft that can still be filled in, in one step: what somebody
// else changes at the same time is not lost, so change may be called again. It returns
// the draft as it is kept then. [ErrDraftMoved] comes with the draft as it is: it is
// being placed, or over. An error of change's ends it and is returned.
func (s *Drafts) EditDraft(ctx context.Context, id string, change func(d *Draft) error) (Draft, error) {
	var d Draft
	err := kv.RetryOnConflict(draftError(id, kv.ErrBusy), func() (r kv.Result, err error) {
		d, r, err = s.editDraft(ctx, id, change)
		return r, err
	})
	return d, err
}

// editDraft is one round.
func (s *Drafts) editDraft(ctx context.Context, id string, change func(d *Draft) error) (Draft, kv.Result, error) {
	d, before, err := s.Read(ctx, id)
	if err != nil {
		return Draft{}, kv.Stale, err
	}
	if d.State != DraftOpen && d.State != DraftRefused {
		return d, kv.Stale, draftError(id, ErrDraftMoved)
	}
	if err := change(&d); err != nil {
		return d, kv.Stale, err
	}
	d.UpdatedAt = time.Now()
	code, err := s.write(ctx, "edit_draft", d, script.Args{"before": before})
	if err != nil {
		return Draft{}, kv.Stale, draftError(id, err)
	}
	return d, kv.Result(code), nil
}

// ReserveReference keeps a reference for a draft, until its order is placed
// under it. False: another draft or order has it. Asking again is safe.
func (s *Drafts) ReserveReference(ctx context.Context, reference, draftID string) (bool, error) {
	ours, err := s.db.Acquire(ctx, referenceKey(s.db, reference), "draft:"+draftID, referenceLife)
	return ours, kv.About("reference", reference, err)
}

// Reserved tells whether anybody ever reserved a reference, as far as Redis remembers.
func (s *Drafts) Reserved(ctx context.Context, reference string) (bool, error) {
	n, err := s.db.Redis.Exists(ctx, referenceKey(s.db, reference)).Result()
	return n > 0, kv.About("reference", reference, err)
}
