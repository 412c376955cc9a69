package order

import (
	"fmt"
	"slices"
	"time"
)

// Diff says what happened to an order between what was known and what an
// answer shows now. It is pure, and its event ids depend on nothing but the
// order's own course: whoever sees the change names it alike.
//
// The observer may have missed states in between. A revision that grew tells
// that changes were requested, though nobody saw the order revising:
// reviewing r0, then reviewing r1, is "changes:r1" and "ready:r1".
//
// Changes are numbered by the revision that was asked for, whether the service
// counts it when it is requested or when it is delivered. A revision is ready
// once; when it comes back to review with other pictures under the same number,
// their fingerprint makes it another event, and so it does the request for changes
// to them. An answer that tells of a review
// but belongs to another request (it has a conversation and no pictures) does
// not make an order ready: the next fetch does, with its pictures.
//
// An event that the intent explains is the intent's: it carries the actor, the
// words and the job.
func Diff(old Known, seen Order, intent *Intent, now time.Time) []Event {
	d := diff{old: old, seen: seen, order: Merge(old.Order, seen), intent: intent, now: now}
	d.back()
	d.conversation()
	d.references()
	d.changes()
	d.review()
	d.pause()
	d.resume()
	d.end()
	return d.events
}

type diff struct {
	old    Known
	seen   Order // the answer
	order  Order // merged
	intent *Intent
	now    time.Time
	events []Event
}

// entered says that the order has come into a status.
func (d *diff) entered(s Status) bool {
	return d.order.Status == s && d.old.Order.Status != s
}

// back sees an order again that was gone. It may go and come back more than once.
func (d *diff) back() {
	if d.old.Gone {
		d.add(EventBack, fmt.Sprintf("back:v%d", d.old.Version), "")
	}
}

// changes sees a revision that was asked for.
func (d *diff) changes() {
	grew := d.order.Rev() > d.old.Order.Rev()
	missed := grew && d.old.Order.Status != StatusRevising
	if !missed && !d.entered(StatusRevising) && (!grew || d.order.Status != StatusRevising) {
		return
	}
	asked := max(d.order.Rev(), 1)
	if d.old.Order.Status == StatusReviewing {
		asked = max(asked, d.old.Order.Rev()+1)
	}
	id := fmt.Sprintf("changes:r%d", asked)
	if d.old.redelivered() {
		id += ":" + d.old.Delivered.Images
	}
	d.add(EventChanges, id, VerbRevise)
}

// redelivered says that what is in review, or was last, is not the first delivery under its number.
func (k Known) redelivered() bool {
	return k.Delivered != nil && k.Delivered.Images != "" && k.Delivered.Again
}

// review sees a revision that is ready.
func (d *diff) review() {
	if d.order.Status != StatusReviewing || partial(d.seen, d.intent) {
		return
	}
	id := fmt.Sprintf("ready:r%d", d.order.Rev())
	if was := d.old.Delivered; was != nil && was.Revision == d.order.Rev() {
		print := Fingerprint(d.order.EditedImages)
		if !d.entered(StatusReviewing) || print == "" || print == was.Images {
			return
		}
		id += ":" + print
	}
	d.add(EventReady, id, "")
	if d.seen.Cut {
		d.add(EventCut, CutImages, "")
	}
}

// partial says that an answer belongs to a write that does not show pictures.
func partial(seen Order, intent *Intent) bool {
	answer := seen.Conversation != nil || intent != nil && intent.Answered
	return answer && seen.EditedImages == nil
}

func (d *diff) pause() {
	if !d.entered(StatusPaused) {
		return
	}
	d.add(EventPaused, ofPause("paused", d.old.Pauses+1), "")
}

// resume sees that a pause is over, unless what came after it says so: a new request for changes, or
// a revision that is ready.
func (d *diff) resume() {
	on := d.order.Status.Works() || d.order.Status == StatusReviewing
	if d.old.Order.Status != StatusPaused || !on || d.order.Rev() > d.old.Order.Rev() {
		return
	}
	if !slices.ContainsFunc(d.events, func(e Event) bool { return e.Kind == EventReady }) {
		d.add(EventResumed, ofPause("resumed", d.old.Pauses), "")
	}
}

// ofPause names an event of an order's nth pause. One that was never told, of an order that was
// tracked while it was paused, is the first.
func ofPause(name string, n int) string {
	if n <= 1 {
		return name
	}
	return fmt.Sprintf("%s:%d", name, n)
}

func (d *diff) end() {
	if d.entered(StatusClosed) {
		d.add(EventApproved, "approved", VerbApprove)
	}
	if d.entered(StatusCanceled) {
		d.add(EventCanceled, "canceled", VerbCancel)
	}
}

// add appends an event, attributed to the intent when it is of that verb.
func (d *diff) add(kind EventKind, id, verb string) {
	e := Event{ID: id, Kind: kind, Order: Trim(d.order, kind), At: d.now}
	if verb != "" && d.intended(verb) {
		e.Actor, e.Job = d.intent.Actor, d.intent.Job
		e.Words, e.PerImage, e.Good = d.intent.Words, d.intent.PerImage, d.intent.Good
	}
	d.events = append(d.events, e)
}

// intentLife is how long an intent can explain a change: a job that gave up leaves its
// intent behind, because the service may still carry it out.
const intentLife = 24 * time.Hour

// intended tells whether somebody here is about to do this. An approval is of one
// revision; that of another was somebody else's.
func (d *diff) intended(verb string) bool {
	i := d.intent
	if i == nil || i.Verb != verb || !i.At.IsZero() && d.now.Sub(i.At) > intentLife {
		return false
	}
	return verb != VerbApprove || i.Revision == d.order.Rev()
}

// Trim leaves in an event's order what the event needs.
func Trim(o Order, kind EventKind) Order {
	o.Conversation = nil
	if kind != EventReady {
		o.EditedImages = nil
	}
	return o
}

// Fingerprint tells deliveries apart: which pictures, and when they came; "" = none. Their
// URLs do not count, as they may be signed anew with every answer.
func Fingerprint(images []EditedImage) string {
	if len(images) == 0 {
		return ""
	}
	parts := make([]string, 0, len(images))
	for _, i := range images {
		parts = append(parts, fmt.Sprintf("%s\x00%d\x00%d", i.ID, i.Revision, i.UploadedAt.Unix()))
	}
	slices.Sort(parts)
	return hash(parts...)
}

// Observe is what an answer makes of what was known of an order, what happened to it
// meanwhile, and whether the intent is fulfilled by that. Of an order that was untracked
// nobody is told. It is pure.
func Observe(old Known, seen Order, intent *Intent, now time.Time) (next Known, events []Event, fulfilled bool) {
	events = Diff(old, seen, intent, now)
	next = old
	next.Gone = false
	next.Order = Merge(old.Order, seen)
	next.Order.Conversation = withUnshown(next.Order.Conversation, events, intent)
	if old.Untracked {
		return next, nil, false
	}
	for _, e := range events {
		next.Milestones = next.Milestones.After(e)
		switch e.Kind {
		case EventReady:
			next.Delivered = &Delivered{Revision: next.Order.Rev(), Images: Fingerprint(next.Order.EditedImages)}
			next.Delivered.Again = old.Delivered != nil && old.Delivered.Revision == next.Delivered.Revision
		case EventPaused:
			next.Pauses++
		case EventResumed:
			next.Pauses = max(old.Pauses, 1)
		}
		fulfilled = fulfilled || intent.explains(e)
	}
	return next, events, fulfilled
}
