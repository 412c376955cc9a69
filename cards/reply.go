package cards

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// The service takes messages of 5,000 characters; escaped they may be longer.
const maxQuote = 8000

// Reply is one event in the order's thread. It begins with the event's name. A delivery of which
// nothing else is known is shown as [Review] shows the first, a pause as [Pause] does.
// While it is live it asks somebody to act, with buttons.
func Reply(t store.Tracked, e order.Event, live bool, thumbs Thumbs) Message {
	switch e.Kind {
	case order.EventReady:
		return Review(t, e, Course{}, live, thumbs)
	case order.EventPaused:
		return Pause(t, e, nil, live)
	case order.EventReminder:
		return Reminder(t, e, nil, live, thumbs)
	}
	p := &builder{}
	switch row, known := eventReplies()[e.Kind]; {
	case !known: // a newer release recorded it
		p.said("News of "+project(t)+": "+inline(string(e.Kind), 80)+" "+by(e.Actor), e.Words)
	case row.write != nil:
		row.write(p, t, e, thumbs)
	default:
		p.said(orElse(row.head, row.name+" "+by(e.Actor)+": ")+project(t), e.Words).say(expand(row.then, t))
	}
	if live && e.Kind == order.EventMessage {
		p.note(heardWhenSent).buttons(pressOf(t, labelAsk, "Ask for an answer about", ActionAsk, AskValue(t, e)))
	}
	return p.post(t, e.ID)
}

// eventReply is what an event is called, and its reply: "Approved by @maria: project", or the
// project behind another head, with her words and what follows, as [expand] completes it; or one
// that is written otherwise.
type eventReply struct {
	name  string
	head  string
	then  string
	write func(*builder, store.Tracked, order.Event, Thumbs)
}

func eventReplies() map[order.EventKind]eventReply {
	return map[order.EventKind]eventReply{
		order.EventPlaced:     {name: "Placed", write: placedReply},
		order.EventReady:      {name: "Ready for review"}, // see [Review]
		order.EventChanges:    {name: "Changes requested", write: changesReply},
		order.EventApproved:   {name: "Approved", write: approvedReply},
		order.EventCanceled:   {name: "Canceled"},
		order.EventPaused:     {name: "Paused"}, // see [Pause]
		order.EventResumed:    {name: "Work goes on", write: resumedReply},
		order.EventMessage:    {name: "Message sent", write: messageReply},
		order.EventEditor:     {name: "Editor wrote", write: editorReply},
		order.EventReferences: {name: "References added"},
		order.EventMoved:      {name: "Moved", then: "This channel has the order now: its news comes here, and only here."},
		order.EventTaken:      {name: "Taken over", then: "Who asked for it is no longer here: when it needs somebody, I call who took it over."},
		order.EventTracked:    {name: "Tracked", then: "This channel has the order now: its news comes here."},
		order.EventUntracked:  {name: "Untracked", then: "This channel gets no more news of it. The order itself goes on at the service."},
		order.EventReminder:   {name: "Reminder"},         // see [Reminder]
		order.EventSnoozed:    {name: "Reminder snoozed"}, // its reminder tells
		order.EventLate:       {name: "Past its estimate", write: lateReply},
		order.EventGone:       {name: "Gone at the service", write: goneReply},
		order.EventCut:        {name: "Not all is shown", write: cutReply},
		order.EventBack: {
			name: "Back at the service", head: "Back at the service: ",
			then: "The service knows this order again, and it goes on. What happened meanwhile is told below.",
		},
	}
}

// said is a headline, and what somebody said under it.
func (p *builder) said(headline string, lines []string) *builder {
	return p.say(headline).quote(strings.Join(lines, "\n"), maxQuote)
}

// approvedReply says whose decision it was, and links to what was bought.
func approvedReply(p *builder, t store.Tracked, e order.Event, thumbs Thumbs) {
	p.said("Approved "+by(e.Actor)+": "+project(t), e.Words)
	seen := reviewed(t, e)
	latest := Latest(seen.Order.EditedImages)
	p.note(someLinks("Final images: ", latest)).note(onlyIf(len(latest) > mostLinks, seeAll(t)))
	p.buttons(thumbs.download(seen)...)
}

func placedReply(p *builder, t store.Tracked, e order.Event, _ Thumbs) {
	p.say("Placed " + by(orElse(e.Actor, t.Owner.Requester)) + ": " + project(t))
	reads := t.Owner.Generation <= 1 // of another channel nobody asked who does
	left := onlyIf(e.Credits.Valid && reads, credits(e.Credits.Decimal)+" left.")
	p.say(joined(" ", finished(led("Price: ", price(e.Order))), left, expected(e.Order)))
	if b := t.Brief; b != nil {
		p.say(dots(ordered(t), serviceName(b.Service), led("customer ", inline(t.CustomerID(), 40)))).asked(*b, maxAsked)
	}
}

// expected says when the work on an order is to be done, "" when that is not known.
func expected(o order.Order) string { return finished(led("Estimated delivery: ", estimate(o))) }

func seeAll(t store.Tracked) string {
	return "See all of them with `/order show " + handle(t) + "`."
}

// reviewed is the order as it was at the event: what a person sees in this reply.
func reviewed(t store.Tracked, e order.Event) store.Tracked {
	if e.Order.Status == "" {
		return t
	}
	known := t.Order
	t.Order = e.Order
	if t.Order.EditedImages == nil && t.Order.Rev() == known.Rev() {
		t.Order.EditedImages = known.EditedImages
	}
	return t
}

func changesReply(p *builder, t store.Tracked, e order.Event, _ Thumbs) {
	p.say("Changes requested " + by(e.Actor) + ": " + project(t))
	latest := Latest(e.Order.EditedImages)
	if len(latest) == 0 {
		latest = Latest(t.Order.EditedImages)
	}
	for i, image := range latest {
		if words := e.PerImage[image.ID]; len(words) > 0 {
			p.said(strconv.Itoa(i+1)+" · "+inline(imageName(image), 200), words)
		}
	}
	for _, id := range strangers(e.PerImage, latest) {
		p.said(inline(id, 200), e.PerImage[id])
	}
	if len(e.Words) > 0 {
		p.said(allOthers, e.Words)
		p.note(spared(len(e.Good)))
	}
	p.say(expected(e.Order))
}

// spared says of how many images the words for all others are not.
func spared(good int) string {
	return onlyIf(good > 0, count(good, "image is", "images are")+" good and "+plural(good, "stays as it is", "stay as they are")+".")
}

// Pause is the reply to a pause: while it is live it says whom that concerns and how to ask, else how
// the pause stands. events is what happened to the order, oldest first.
func Pause(t store.Tracked, e order.Event, events []order.Event, live bool) Message {
	p := (&builder{}).said("Paused by the service: "+project(t), e.Words)
	switch {
	case live:
		service := "the service"
		if t.Owner.Departed != "" {
			service = capital(service)
		}
		p.say(joined(" ", toWhom(t), service+" has paused this order. To ask the editor why, press *"+labelMessage+"* or type `/order message "+handle(t)+" …`. "+heardWhenSent+" This thread says when work goes on.")).
			buttons(append([]slack.BlockElement{pressOf(t, labelMessage, labelMessage+" of", ActionMessage, Value(t.ID, t.Order.Rev()))}, takeOver(t)...)...)
	case PauseOver(t, e, events):
		p.say("The pause is over.")
	case t.Untracked:
		p.say(leftReview)
	case t.Gone:
		p.say("The service no longer knows this order.")
	}
	return p.post(t, e.ID)
}

// PauseOver says whether a pause is over, as far as the channel that has the order, or had it, is to know.
func PauseOver(t store.Tracked, e order.Event, events []order.Event) bool {
	for _, other := range events {
		switch left := other.Kind == order.EventMoved || other.Kind == order.EventUntracked; {
		case other.Seq <= e.Seq:
		case t.Untracked && left:
			return false
		case slices.Contains([]order.EventKind{
			order.EventPaused, order.EventResumed, order.EventReady, order.EventChanges, order.EventApproved, order.EventCanceled,
		}, other.Kind):
			return true
		}
	}
	return !t.Untracked && !t.Gone && !t.Paused()
}

func resumedReply(p *builder, t store.Tracked, e order.Event, _ Thumbs) {
	p.say("Work goes on: " + project(t) + onlyIf((order.Known{Order: e.Order}).Can(order.VerbApprove), " is ready for review again.")).say(expected(e.Order))
}

func goneReply(p *builder, t store.Tracked, e order.Event, _ Thumbs) {
	p.say("Gone at the service: " + project(t))
	p.said(gone+" If that surprises you, ask the service's support about order "+inline(t.ID, 100)+".", e.Words)
}

// cutReply says what is left out of what the service sent.
func cutReply(p *builder, t store.Tracked, e order.Event, _ Thumbs) {
	says := "The photo service sends more than I can show of this order."
	switch e.ID {
	case order.CutEntries:
		says = fmt.Sprintf("The photo service sent more new messages at once than I show. I show the newest, %d at most.", order.MostTold)
	case order.CutImages:
		says = fmt.Sprintf("The photo service sent more edited photos than I keep. I keep the newest edits, %d at most.", order.MostKept)
	case order.CutEvents:
		says = fmt.Sprintf("This order has more than %d updates. From now on I show what people here do with it, and how it ends.", order.MostEvents)
	}
	p.say("Not all is shown: " + project(t)).say(says + " The photo service can tell you the rest.")
}

// strangers are instructions whose image is not in the gallery, in a fixed order.
func strangers(perImage map[string][]string, gallery []order.EditedImage) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(perImage)), func(id string) bool { return hasImage(gallery, id) })
}
