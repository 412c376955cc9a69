package order

import (
	"fmt"
	"slices"
	"time"
)

// Diff returns the events that lead from the known state of an order to the state that an answer shows. It is
// pure. Event IDs depend only on the history of the order, so every observer of a change names it alike.
//
// The observer may have missed states in between. A grown revision means that changes were requested, even if
// nobody saw the order revising: reviewing r0, then reviewing r1, is "changes:r1" and "ready:r1".
//
// Changes are numbered by the requested revision, whether the service counts it at the request or at the
// delivery. A revision is ready once. If it returns to review with other images under the same number, their
// fingerprint makes another event, also for the next request for changes. An answer to another request, with a
// conversation and no images, does not make an order ready. The next fetch does, with its images.
//
// An event that the intent explains carries the intent's actor, words and job.
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

// entered reports whether the order changed to this status.
func (d *diff) entered(s Status) bool {
	return d.order.Status == s && d.old.Order.Status != s
}

// back adds the event of an order that was gone and exists again. The version makes its ID unique, since this
// can repeat.
func (d *diff) back() {
	if d.old.Gone {
		d.add(EventBack, fmt.Sprintf("back:v%d", d.old.Version), "")
	}
}

// changes adds the event of a requested revision.
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

// redelivered reports whether the latest delivery is not the first one under its revision number.
func (k Known) redelivered() bool {
	return k.Delivered != nil && k.Delivered.Images != "" && k.Delivered.Again
}

// review adds the event of a revision that is ready.
func (d *diff) review() {
	if d.order.Status != StatusReviewing || partial(d.seen, d.intent) {
		return
	}
	id := fmt.Sprintf("ready:r%d", d.order.Rev())
	// A revision is ready again if it comes back into review with other images.
	if last := d.old.Delivered; last != nil && last.Revision == d.order.Rev() {
		images := Fingerprint(d.order.EditedImages)
		if !d.entered(StatusReviewing) || images == "" || images == last.Images {
			return
		}
		id += ":" + images
	}
	d.add(EventReady, id, "")
	if d.seen.Cut {
		d.add(EventCut, CutImages, "")
	}
}

// partial reports whether the answer belongs to a write, which shows no images.
func partial(seen Order, intent *Intent) bool {
	answer := seen.Conversation != nil || intent != nil && intent.Answered
	return answer && seen.EditedImages == nil
}

func (d *diff) pause() {
	if d.entered(StatusPaused) {
		d.add(EventPaused, numbered("paused", d.old.Pauses+1), "")
	}
}

// resume adds the event of the end of a pause, unless changes were requested or a revision is ready: those events
// imply it. Zero pauses count as one, since an order may be tracked while it is paused.
func (d *diff) resume() {
	runs := d.order.Status.Works() || d.order.Status == StatusReviewing
	if d.old.Order.Status != StatusPaused || !runs || d.order.Rev() > d.old.Order.Rev() {
		return
	}
	if !slices.ContainsFunc(d.events, func(e Event) bool { return e.Kind == EventReady }) {
		d.add(EventResumed, numbered("resumed", d.old.Pauses), "")
	}
}

func (d *diff) end() {
	if d.entered(StatusClosed) {
		d.add(EventApproved, "approved", VerbApprove)
	}
	if d.entered(StatusCanceled) {
		d.add(EventCanceled, "canceled", VerbCancel)
	}
}

// add appends an event. The intent explains the event if it has this verb.
func (d *diff) add(kind EventKind, id, verb string) {
	e := Event{ID: id, Kind: kind, Order: Trim(d.order, kind), At: d.now}
	if verb != "" && d.intended(verb) {
		e.Actor, e.Job = d.intent.Actor, d.intent.Job
		e.Words, e.PerImage, e.Good, e.Ticked = d.intent.Words, d.intent.PerImage, d.intent.Good, d.intent.Ticked
	}
	d.events = append(d.events, e)
}

// intentLife is how long an intent can explain a change. A job that gave up leaves its intent, because the
// service may still carry out the request.
const intentLife = 24 * time.Hour

// intended reports whether the intent explains a change of this verb. An approval counts for its own revision
// only.
func (d *diff) intended(verb string) bool {
	i := d.intent
	if i == nil || i.Verb != verb || !i.At.IsZero() && d.now.Sub(i.At) > intentLife {
		return false
	}
	return verb != VerbApprove || i.Revision == d.order.Rev()
}

// Trim removes the parts of an event's order that the event does not need.
func Trim(o Order, kind EventKind) Order {
	o.Conversation = nil
	if kind != EventReady {
		o.EditedImages = nil
	}
	return o
}

// Fingerprint identifies a delivery by its image IDs, revisions and times; "" without images. URLs do not
// count, since each answer may sign them anew.
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

// Observe applies an answer to the known state of an order. It returns the next state, the new events, and
// whether they fulfill the intent. An untracked order has no events. It is pure.
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
