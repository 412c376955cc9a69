package store

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"time"

	"darkroom/order"

	"github.com/redis/go-redis/v9"
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

	Attempt     int        `json:"Attempt"` // grows after a refusal or an explicit Try again, never otherwise
	State       DraftState `json:"State"`
	OrderID     string     `json:"OrderID"`
	Problems    []string   `json:"Problems"`    // the service's own words
	OpenedAt    time.Time  `json:"OpenedAt"`    // when its form was opened, never changed; zero = not known
	ReferenceAt time.Time  `json:"ReferenceAt"` // no order of ours with the reference is older
	Unpostable  string     `json:"Unpostable"`  // why its channel could not take it; "" = it could
	Run         string     `json:"Run"`         // the run of Redis in which its form was opened; "" = not known
	SentAt      time.Time  `json:"SentAt"`      // when an attempt that was not refused was last sent, by the clock of Redis; zero = nothing can be out
	Search      Search     `json:"Search"`      // what looking for its order came to
	SubmittedAt time.Time  `json:"SubmittedAt"`
	UpdatedAt   time.Time  `json:"UpdatedAt"`
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
}

// SaveDraft keeps a draft for seven days from now. It never takes a draft
// back: [ErrDraftMoved] says that what is kept has a later attempt, or is
// further within this attempt, or is placed, or is being placed while this one is
// discarded.
func (s *Store) SaveDraft(ctx context.Context, d Draft) error {
	d.UpdatedAt = time.Now()
	code, err := s.writeDraft(ctx, saveDraftScript, d)
	switch {
	case err != nil:
		return draftError(d.ID, err)
	case code == 0:
		return draftError(d.ID, ErrDraftMoved)
	}
	return nil
}

// Draft returns the draft that was kept, or [ErrNoDraft].
func (s *Store) Draft(ctx context.Context, id string) (Draft, error) {
	values, err := s.rdb.HMGet(ctx, draftKey(id), "doc").Result()
	if err != nil {
		return Draft{}, draftError(id, err)
	}
	doc, ok := values[0].(string)
	if !ok {
		return Draft{}, draftError(id, ErrNoDraft)
	}
	var d Draft
	if err := json.Unmarshal([]byte(doc), &d); err != nil {
		return Draft{}, draftError(id, err)
	}
	return d, nil
}

// Submit moves a draft to placing, once for each attempt: d must hold the
// attempt that its form was opened with, and what is kept must be open or
// refused at that attempt. Whoever keeps a refusal raises the Attempt with it,
// so that a repeat of the refused submission is not taken for a new one. It
// returns the draft as it is kept now and whether this call moved it. A draft
// that is no longer kept is submitted as it is.
func (s *Store) Submit(ctx context.Context, d Draft) (Draft, bool, error) {
	return s.place(ctx, d, DraftOpen, DraftRefused)
}

// TryAgain is an explicit Try again: it moves a draft whose outcome is unknown
// to placing under the next attempt, once for each attempt.
func (s *Store) TryAgain(ctx context.Context, d Draft) (Draft, bool, error) {
	return s.place(ctx, d, DraftUnknown, DraftUnknown)
}

// place moves the draft to placing when it is in one of two states.
func (s *Store) place(ctx context.Context, d Draft, from, or DraftState) (Draft, bool, error) {
	now := time.Now()
	next := d
	next.State, next.Problems, next.Unpostable, next.OrderID, next.Search = DraftPlacing, nil, "", "", Search{}
	next.SubmittedAt, next.UpdatedAt = now, now
	again := next
	again.Attempt++
	againDoc, err := json.Marshal(again)
	if err != nil {
		return d, false, draftError(d.ID, err)
	}
	code, err := s.writeDraft(ctx, placeDraftScript, next, string(from), string(or), againDoc)
	switch {
	case err != nil:
		return d, false, draftError(d.ID, err)
	case code == 2:
		return again, true, nil
	case code == 1:
		return next, true, nil
	}
	kept, err := s.Draft(ctx, d.ID)
	return kept, false, err
}

// writeDraft runs one of the scripts below.
func (s *Store) writeDraft(ctx context.Context, script *redis.Script, d Draft, more ...any) (int, error) {
	doc, err := json.Marshal(d)
	if err != nil {
		return 0, err
	}
	args := []any{
		doc, string(d.State), d.Attempt, rand.Text(), draftLife.Milliseconds(),
		d.ID, flag(d.unfinished()), d.UpdatedAt.UnixMilli(),
	}
	return s.run(ctx, script, []string{draftKey(d.ID), unfinishedKey(d.Team, d.User)}, append(args, more...)...)
}

// KEYS: 1 the draft, 2 the person's unfinished ones. ARGV: 1 document, 2 state,
// 3 attempt, 4 a nonce of this call, 5 ms to keep it, 6 draft id, 7 whether it is
// unfinished (0 or 1), 8 now in ms. Returns 1, or 0 when what is kept is further.
var saveDraftScript = redis.NewScript(unfinishedLua + `
local rank = {open = 1, placing = 2, refused = 3, unknown = 3, discarded = 3, placed = 4}
local kept = redis.call('HMGET', KEYS[1], 'state', 'attempt')
if kept[1] then
  local was, is = tonumber(kept[2]), tonumber(ARGV[3])
  if is < was or kept[1] == 'placed' and ARGV[2] ~= 'placed' then return 0 end
  if kept[1] == 'placing' and ARGV[2] == 'discarded' then return 0 end
  if is == was and (rank[ARGV[2]] or 0) < (rank[kept[1]] or 0) then return 0 end
end
redis.call('HSET', KEYS[1], 'doc', ARGV[1], 'state', ARGV[2], 'attempt', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
unfinished()
return 1
`)

// KEYS and the first 8 of ARGV: those of saveDraftScript, the document at this
// attempt; 9 and 10 the states to come from, 11 the document at the next attempt.
// Returns 1 when moved at this attempt, 2 at the next one, 0 when somebody else
// was first. A call that is sent again because its answer was lost gets the same
// answer.
var placeDraftScript = redis.NewScript(unfinishedLua + `
local kept = redis.call('HMGET', KEYS[1], 'state', 'attempt', 'nonce', 'moved')
if kept[3] == ARGV[4] then return tonumber(kept[4]) end
local state, attempt, doc, moved = kept[1] or ARGV[9], kept[2] or ARGV[3], ARGV[1], 1
if attempt ~= ARGV[3] or state ~= ARGV[9] and state ~= ARGV[10] then return 0 end
if state == 'unknown' then attempt, doc, moved = attempt + 1, ARGV[11], 2 end
redis.call('HSET', KEYS[1], 'doc', doc, 'state', ARGV[2], 'attempt', attempt, 'nonce', ARGV[4], 'moved', moved)
redis.call('PEXPIRE', KEYS[1], ARGV[5])
unfinished()
return moved
`)

func draftError(id string, err error) error { return fmt.Errorf("draft %s: %w", id, err) }
