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

// DraftState is the progress of a draft.
type DraftState string

// The states of a draft, in their order; the last four end an attempt.
const (
	DraftOpen      DraftState = "open"
	DraftPlacing   DraftState = "placing" // a job places it
	DraftPlaced    DraftState = "placed"
	DraftRefused   DraftState = "refused"
	DraftUnknown   DraftState = "unknown" // nobody knows whether the order exists
	DraftDiscarded DraftState = "discarded"
)

// draftLife is how long a draft lives after it was last saved. A reference
// outlives its draft.
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
	Typed string              `json:"Typed"` // Slack's time of the last saved input

	Filling *Filling `json:"Filling,omitempty"` // what filled its form in; nil: only the person

	Batch   string   `json:"Batch,omitempty"`   // id of its batch; "": no batch
	Hold    *Hold    `json:"Held,omitempty"`    // the last question to an approver; nil: no question
	Allowed *Allowed `json:"Allowed,omitempty"` // an approver's permission; nil: no permission

	Attempt     int        `json:"Attempt"` // grows after a refusal or an explicit Try again, never otherwise
	State       DraftState `json:"State"`
	OrderID     string     `json:"OrderID"`
	Problems    []string   `json:"Problems"`          // the service's own words
	OpenedAt    time.Time  `json:"OpenedAt"`          // when its form was opened; zero = not known
	ReferenceAt time.Time  `json:"ReferenceAt"`       // no order of ours with the reference is older
	Unpostable  string     `json:"Unpostable"`        // why its channel could not take it; "" = it could
	Run         string     `json:"Run"`               // the run of Redis in which its form was opened; "" = not known
	Absent      string     `json:"Absent,omitempty"`  // the run of Redis in which the service surely has no order of it; "" = look before sending
	Warned      int        `json:"Warned,omitempty"`  // the attempt for which the person read that another may cost twice; 0 = no attempt
	SentAt      time.Time  `json:"SentAt"`            // when an attempt that was not refused was last sent, by the clock of Redis; zero = no order can be out
	SentTo      SentTo     `json:"SentTo,omitzero"`   // the account it was sent to; zero = no order can be out, or not recorded
	Search      Search     `json:"Search"`            // the result of looking for its order
	SpentIn     string     `json:"SpentIn,omitempty"` // the month of its reservation: see [Ledgers.Reserve]
	SubmittedAt time.Time  `json:"SubmittedAt"`
	UpdatedAt   time.Time  `json:"UpdatedAt"`
}

// SentTo is the account that may have an order. Other accounts prove nothing about it.
type SentTo struct {
	Account string `json:"account,omitempty"` // [tenants.ServiceAccount.ID]
	Host    string `json:"host,omitempty"`
}

// DraftFile is a photo in Slack that the order will hold. URL is its signed public
// address. It is made once: a new address for each attempt would look like another photo.
type DraftFile struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Size int64  `json:"size,omitempty"` // bytes
	URL  string `json:"url"`
}

// PerImage has the settings of one image; zero values mean the draft's.
type PerImage struct {
	Service     order.ServiceType `json:"service,omitempty"` // "reference" in the form is [order.ServiceReference]
	Instruction string            `json:"instruction,omitempty"`
}

// Search is the result of looking for a draft's order at the service without finding it.
type Search struct {
	Readings   int       `json:"readings,omitempty"`    // of the whole list since the submission, late enough to count as proof
	Orders     int       `json:"orders,omitempty"`      // the most that one reading saw
	Back       time.Time `json:"back,omitzero"`         // when the oldest of them was placed; zero = no order was read
	NoKeywords bool      `json:"no_keywords,omitempty"` // the service did not search for the reference
	Stopped    bool      `json:"stopped,omitempty"`     // the job ended before it could find out
	Elsewhere  string    `json:"elsewhere,omitempty"`   // the host of its account, if another account is connected now
	Unproven   bool      `json:"unproven,omitempty"`    // the service may change names, so that a search by name proves nothing

	Cost decimal.NullDecimal `json:"cost,omitzero"` // what it may have cost, in credits, if known
}

// Drafts saves drafts, and the references that are reserved for them.
type Drafts part

// SaveDraft saves a draft for seven days from now. It never overwrites a draft that
// is further along. It returns [ErrDraftMoved] if the saved draft has a later
// attempt or state, is placed, or is being placed while d is discarded.
func (s *Drafts) SaveDraft(ctx context.Context, d Draft) error {
	d.UpdatedAt = time.Now()
	code, err := s.write(ctx, "save_draft", d, script.Args{})
	if err == nil && code == 0 {
		err = ErrDraftMoved
	}
	return draftError(d.ID, err)
}

// Draft returns a saved draft, or [ErrNoDraft].
func (s *Drafts) Draft(ctx context.Context, id string) (Draft, error) {
	d, _, err := s.Read(ctx, id)
	return d, err
}

// Read returns a draft, and its document as Redis has it.
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

// Submit moves a draft to placing, once for each attempt. d must have the attempt
// that its form was opened with, and the saved draft must be open or refused at
// that attempt. Saving a refusal raises Attempt, so that a repeated submission does
// not count as a new one. Submit returns the saved draft and whether this call
// moved it. An expired draft is submitted as d.
func (s *Drafts) Submit(ctx context.Context, d Draft) (Draft, bool, error) {
	return s.startAttempt(ctx, d, DraftOpen, DraftRefused)
}

// TryAgain moves a draft with an unknown outcome to placing under the next attempt,
// once for each attempt, when a person presses Try again.
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
	saved, err := s.Draft(ctx, d.ID)
	return saved, false, err
}

// placing returns the draft as it is submitted now.
func (d Draft) placing() Draft {
	d.State, d.Problems, d.Unpostable, d.OrderID, d.Search = DraftPlacing, nil, "", "", Search{}
	d.SubmittedAt = time.Now()
	d.UpdatedAt = d.SubmittedAt
	return d
}

// SubmitUnread is [Drafts.Submit] for a form that holds the whole draft. It puts the placing job in the
// same step, and needs no read before. It requires that the saved draft is open, has the attempt of d, and
// has the same origin: person, conversation, time and run of Redis. Otherwise it changes nothing and
// returns false. It also deletes the document named over.
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

// origin returns how a draft was begun; it never changes.
func (d Draft) origin() string {
	return strings.Join([]string{d.Team, d.User, d.From, d.Run, strconv.FormatInt(d.OpenedAt.UnixMicro(), 10)}, " ")
}

// write runs a script that saves a draft, with additional arguments.
func (s *Drafts) write(ctx context.Context, name string, d Draft, args script.Args) (int, error) {
	args["id"], args["doc"], args["state"], args["attempt"], args["origin"] = d.ID, kv.Encode(d), string(d.State), d.Attempt, d.origin()
	if args["life"] = draftLife; d.IsHeld() {
		args["life"] = HeldLife
	}
	args["now"], args["unfinished"] = d.UpdatedAt.UnixMilli(), d.unfinished()
	return s.db.Run(ctx, name, s.Keys(d), args)
}

// Keys returns the keys of a draft and its indexes, by the names that scripts use.
func (s *Drafts) Keys(d Draft) script.Keys {
	return script.Keys{"draft": s.db.Key("draft", d.ID), "unfinished": s.db.Key("unfinished", d.Team, d.User), "outstanding": s.db.Key("outstanding")}
}

func draftError(id string, err error) error { return kv.About("draft", id, err) }

// EditDraft changes a draft that can still be filled in, in one step. It calls change
// again after a concurrent edit. It returns the saved draft. [ErrDraftMoved] says that
// the returned draft is being placed, or over. EditDraft returns change's error, too.
func (s *Drafts) EditDraft(ctx context.Context, id string, change func(d *Draft) error) (Draft, error) {
	var d Draft
	err := kv.RetryOnConflict(draftError(id, kv.ErrBusy), func() (r kv.Result, err error) {
		d, r, err = s.editDraft(ctx, id, change)
		return r, err
	})
	return d, err
}

// editDraft is one try of [Drafts.EditDraft].
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

// ReserveReference reserves a reference for a draft, until its order is placed. It
// returns false if another draft or order has it. Calling it again is safe.
func (s *Drafts) ReserveReference(ctx context.Context, reference, draftID string) (bool, error) {
	ours, err := s.db.Acquire(ctx, referenceKey(s.db, reference), "draft:"+draftID, referenceLife)
	return ours, kv.About("reference", reference, err)
}

// Reserved reports whether a draft or an order has the reference, as far as Redis remembers.
func (s *Drafts) Reserved(ctx context.Context, reference string) (bool, error) {
	n, err := s.db.Redis.Exists(ctx, referenceKey(s.db, reference)).Result()
	return n > 0, kv.About("reference", reference, err)
}
