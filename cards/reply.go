package cards

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Reply is one event in the order's thread. It begins with the event's name. A delivery of which
// nothing else is known is shown as [Review] shows the first, a pause as [Pause] does.
// While it is live it asks somebody to act, with buttons.
func Reply(t store.Tracked, e order.Event, live bool, thumbs Thumbs) kit.Message {
	switch e.Kind {
	case order.EventReady:
		return Review(t, e, Course{}, live, thumbs)
	case order.EventPaused:
		return Pause(t, e, nil, live)
	case order.EventReminder:
		return Reminder(t, e, nil, live, thumbs)
	}
	p := &kit.Page{}
	switch row, known := eventReplies()[e.Kind]; {
	case !known: // a newer release recorded it
		addSaid(p, "News of "+Project(t)+": "+kit.Inline(string(e.Kind), 80)+" "+kit.By(e.Actor), e.Words)
	case row.write != nil:
		row.write(p, t, e, thumbs)
	default:
		addSaid(p, cmp.Or(row.head, row.Name+" "+kit.By(e.Actor)+": ")+Project(t), e.Words).Say(Expand(row.then, t))
	}
	if live && e.Kind == order.EventMessage {
		p.Note(HeardWhenSent).Buttons(PressOf(t, LabelAsk, "Ask for an answer about", ActionAsk, AskValue(t, e)))
	}
	return post(p, t, e.ID)
}

// eventReply is what an event is called, and its reply: "Approved by @maria: project", or the
// project behind another head, with her words and what follows, as [Expand] completes it; or one
// that is written otherwise.
type eventReply struct {
	Name  string
	head  string
	then  string
	write func(*kit.Page, store.Tracked, order.Event, Thumbs)
}

func eventReplies() map[order.EventKind]eventReply {
	return map[order.EventKind]eventReply{
		order.EventPlaced:     {Name: "Placed", write: placedReply},
		order.EventReady:      {Name: "Ready for review"}, // see [Review]
		order.EventChanges:    {Name: "Changes requested", write: changesReply},
		order.EventApproved:   {Name: "Approved", write: approvedReply},
		order.EventCanceled:   {Name: "Canceled"},
		order.EventPaused:     {Name: "Paused"}, // see [Pause]
		order.EventResumed:    {Name: "Work goes on", write: resumedReply},
		order.EventMessage:    {Name: "Message sent", write: messageReply},
		order.EventEditor:     {Name: "Editor wrote", write: editorReply},
		order.EventReferences: {Name: "References added"},
		order.EventMoved:      {Name: "Moved", then: "This channel has the order now: its news comes here, and only here."},
		order.EventTaken:      {Name: "Taken over", then: "Who asked for it is no longer here: when it needs somebody, I call who took it over."},
		order.EventTracked:    {Name: "Tracked", then: "This channel has the order now: its news comes here."},
		order.EventUntracked:  {Name: "Untracked", then: "This channel gets no more news of it. The order itself goes on at the service."},
		order.EventReminder:   {Name: "Reminder"},         // see [Reminder]
		order.EventSnoozed:    {Name: "Reminder snoozed"}, // its reminder tells
		order.EventLate:       {Name: "Past its estimate", write: lateReply},
		order.EventGone:       {Name: "Gone at the service", write: goneReply},
		order.EventCut:        {Name: "Not all is shown", write: cutReply},
		order.EventBack: {
			Name: "Back at the service", head: "Back at the service: ",
			then: "The service knows this order again, and it goes on. What happened meanwhile is told below.",
		},
	}
}

// addSaid is a headline, and what somebody said under it.
func addSaid(p *kit.Page, headline string, lines []string) *kit.Page {
	return p.Say(headline).Quote(strings.Join(lines, "\n"), kit.MaxQuote)
}

// approvedReply says whose decision it was, and links to what was bought.
func approvedReply(p *kit.Page, t store.Tracked, e order.Event, thumbs Thumbs) {
	addSaid(p, "Approved "+kit.By(e.Actor)+": "+Project(t), e.Words)
	seen := reviewed(t, e)
	latest := order.Latest(seen.Order.EditedImages)
	p.Note(someLinks("Final images: ", latest)).Note(kit.OnlyIf(len(latest) > mostLinks, SeeAll(t)))
	p.Buttons(thumbs.download(seen)...)
}

func placedReply(p *kit.Page, t store.Tracked, e order.Event, _ Thumbs) {
	p.Say("Placed " + kit.By(cmp.Or(e.Actor, t.Owner.Requester)) + ": " + Project(t))
	reads := t.Owner.Generation <= 1 // of another channel nobody asked who does
	left := kit.OnlyIf(e.Credits.Valid && reads, kit.CreditCount(e.Credits.Decimal)+" left.")
	p.Say(kit.Join(" ", kit.FullStop(kit.Prefixed("Price: ", Price(e.Order))), left, Expected(e.Order)))
	if b := t.Brief; b != nil {
		addAsked(p.Say(kit.Dots(ordered(t), ServiceName(b.Service), kit.Prefixed("customer ", kit.Inline(t.CustomerID(), 40)))), *b, MaxAsked)
	}
}

// Expected says when the work on an order is to be done, "" when that is not known.
func Expected(o order.Order) string {
	return kit.FullStop(kit.Prefixed("Estimated delivery: ", Estimate(o)))
}

// SeeAll says how to see all images of an order.
func SeeAll(t store.Tracked) string {
	return "See all of them with `/order show " + Handle(t) + "`."
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

func changesReply(p *kit.Page, t store.Tracked, e order.Event, _ Thumbs) {
	p.Say("Changes requested " + kit.By(e.Actor) + ": " + Project(t))
	latest := order.Latest(e.Order.EditedImages)
	if len(latest) == 0 {
		latest = order.Latest(t.Order.EditedImages)
	}
	for i, image := range latest {
		if words := e.PerImage[image.ID]; len(words) > 0 {
			addSaid(p, strconv.Itoa(i+1)+" · "+kit.Inline(ImageName(image), 200), words)
		}
	}
	for _, id := range strangers(e.PerImage, latest) {
		addSaid(p, kit.Inline(id, 200), e.PerImage[id])
	}
	if len(e.Words) > 0 {
		addSaid(p, AllOthers, e.Words)
		p.Note(spared(len(e.Good)))
	}
	p.Say(Expected(e.Order))
}

// spared says of how many images the words for all others are not.
func spared(good int) string {
	return kit.OnlyIf(good > 0, kit.Count(good, "image is", "images are")+" good and "+kit.Plural(good, "stays as it is", "stay as they are")+".")
}

// Pause is the reply to a pause: while it is live it says whom that concerns and how to ask, else how
// the pause stands. events is what happened to the order, oldest first.
func Pause(t store.Tracked, e order.Event, events []order.Event, live bool) kit.Message {
	p := addSaid(&kit.Page{}, "Paused by the service: "+Project(t), e.Words)
	switch {
	case live:
		service := "the service"
		if t.Owner.Departed != "" {
			service = kit.Capital(service)
		}
		p.Say(kit.Join(" ", toWhom(t), service+" has paused this order. To ask the editor why, press *"+labelMessage+"* or type `/order message "+Handle(t)+" …`. "+HeardWhenSent+" This thread says when work goes on.")).
			Buttons(append([]slack.BlockElement{PressOf(t, labelMessage, labelMessage+" of", ActionMessage, Value(t.ID, t.Order.Rev()))}, takeOver(t)...)...)
	case PauseOver(t, e, events):
		p.Say("The pause is over.")
	case t.Untracked:
		p.Say(leftReview)
	case t.Gone:
		p.Say("The service no longer knows this order.")
	}
	return post(p, t, e.ID)
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

func resumedReply(p *kit.Page, t store.Tracked, e order.Event, _ Thumbs) {
	p.Say("Work goes on: " + Project(t) + kit.OnlyIf((order.Known{Order: e.Order}).Can(order.VerbApprove), " is ready for review again.")).Say(Expected(e.Order))
}

func goneReply(p *kit.Page, t store.Tracked, e order.Event, _ Thumbs) {
	p.Say("Gone at the service: " + Project(t))
	addSaid(p, gone+" If that surprises you, ask the service's support about order "+kit.Inline(t.ID, 100)+".", e.Words)
}

// cutReply says what is left out of what the service sent.
func cutReply(p *kit.Page, t store.Tracked, e order.Event, _ Thumbs) {
	says := "The photo service sends more than I can show of this order."
	switch e.ID {
	case order.CutEntries:
		says = fmt.Sprintf("The photo service sent more new messages at once than I show. I show the newest, %d at most.", order.MostTold)
	case order.CutImages:
		says = fmt.Sprintf("The photo service sent more edited photos than I keep. I keep the newest edits, %d at most.", order.MostKept)
	case order.CutEvents:
		says = fmt.Sprintf("This order has more than %d updates. From now on I show what people here do with it, and how it ends.", order.MostEvents)
	}
	p.Say("Not all is shown: " + Project(t)).Say(says + " The photo service can tell you the rest.")
}

// strangers are instructions whose image is not in the gallery, in a fixed order.
func strangers(perImage map[string][]string, gallery []order.EditedImage) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(perImage)), func(id string) bool { return HasImage(gallery, id) })
}
