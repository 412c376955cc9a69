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

// Reply is one event in the order's thread. It begins with the event's name. A live reply asks somebody to
// act, with buttons. Deliveries, pauses and reminders are shown without their history; see [Review], [Pause]
// and [Reminder].
func Reply(t store.Tracked, e order.Event, live bool, thumbs Thumbs) kit.Message {
	switch e.Kind {
	case order.EventReady:
		return Review(t, e, RoundHistory{}, live, thumbs)
	case order.EventPaused:
		return Pause(t, e, nil, live)
	case order.EventReminder:
		return Reminder(t, e, nil, live, thumbs)
	}
	p := &kit.Page{}
	switch row, known := eventReplies()[e.Kind]; {
	case !known: // of a newer version
		addSaid(p, "Update of "+Project(t)+": "+kit.Inline(string(e.Kind), 80)+" "+by(t, e.Actor), e.Words)
	case row.write != nil:
		row.write(p, t, e, thumbs)
	default:
		addSaid(p, cmp.Or(row.head, row.Name+" "+by(t, e.Actor)+": ")+Project(t), e.Words).Say(Expand(row.then, t))
	}
	if live && e.Kind == order.EventMessage {
		p.Note(AnswerTiming).Buttons(OrderButton(t, LabelAsk, "Ask for an Answer about", ActionAsk, AskValue(t, e)))
	}
	return post(p, t, e.ID)
}

// eventReply describes the reply to an event. The default reply is "Approved by Maria: project", the event's
// text, and then.
type eventReply struct {
	Name  string
	head  string                                              // replaces "Approved by Maria: "
	then  string                                              // follows the event's text; see [Expand]
	write func(*kit.Page, store.Tracked, order.Event, Thumbs) // writes the reply instead
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
		order.EventMoved:      {Name: "Moved", then: "This channel tracks the order now. Its updates appear in this thread only."},
		order.EventTaken:      {Name: "Taken over", then: "Its former requester has left. I mention the new one when it needs somebody."},
		order.EventTracked:    {Name: "Tracked", then: "This channel tracks the order now. Its updates appear in this thread."},
		order.EventUntracked:  {Name: "Untracked", then: "This channel gets no more updates. The order continues at the photo service."},
		order.EventReminder:   {Name: "Reminder"},         // see [Reminder]
		order.EventSnoozed:    {Name: "Reminder snoozed"}, // the reminder itself shows it
		order.EventLate:       {Name: "Past its estimate", write: lateReply},
		order.EventGone:       {Name: "Gone at the photo service", write: goneReply},
		order.EventCut:        {Name: "Not all is shown", write: cutReply},
		order.EventBack: {
			Name: "Back at the photo service", head: "Back at the photo service: ",
			then: "The photo service has this order again. Missed updates follow in this thread.",
		},
	}
}

// addSaid adds a headline and quoted text.
func addSaid(p *kit.Page, headline string, lines []string) *kit.Page {
	return p.Say(headline).Quote(strings.Join(lines, "\n"), kit.MaxQuote)
}

// approvedReply names the approver and links to the final images.
func approvedReply(p *kit.Page, t store.Tracked, e order.Event, thumbs Thumbs) {
	addSaid(p, "Approved "+by(t, e.Actor)+": "+Project(t), e.Words)
	seen := reviewed(t, e)
	latest := order.Latest(seen.Order.EditedImages)
	p.Note(someLinks("Final photos: ", latest)).Note(kit.OnlyIf(len(latest) > mostLinks, SeeAll(t)))
	p.Buttons(thumbs.download(seen)...)
}

func placedReply(p *kit.Page, t store.Tracked, e order.Event, _ Thumbs) {
	p.Say("Placed " + by(t, cmp.Or(e.Actor, t.Owner.Requester)) + ": " + Project(t))
	reads := t.Owner.Generation <= 1 // a new channel's readers may not know the credits
	left := kit.OnlyIf(e.Credits.Valid && reads, kit.CreditCount(e.Credits.Decimal)+" left.")
	p.Say(kit.Join(" ", kit.FullStop(kit.Prefixed("Price: ", Price(e.Order))), left, Expected(e.Order)))
	if b := t.Brief; b != nil {
		addAsked(p.Say(kit.Dots(ordered(t), ServiceName(b.Service), kit.Prefixed("customer ", kit.Inline(t.CustomerID(), 40)))), *b, MaxAsked)
	}
}

// Expected says when the work should be done, or returns "".
func Expected(o order.Order) string {
	return kit.FullStop(kit.Prefixed("Estimated delivery: ", Estimate(o)))
}

// SeeAll says how to see all images of an order.
func SeeAll(t store.Tracked) string {
	return "See all of them with `/order show " + Handle(t) + "`."
}

// reviewed returns the order as it was at the event.
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
	p.Say("Changes requested " + by(t, e.Actor) + ": " + Project(t))
	latest := order.Latest(e.Order.EditedImages)
	if len(latest) == 0 {
		latest = order.Latest(t.Order.EditedImages)
	}
	for i, image := range latest {
		if words := e.PerImage[image.ID]; len(words) > 0 {
			addSaid(p, strconv.Itoa(i+1)+" · "+kit.Inline(ImageName(image), 200), words)
		}
	}
	for _, id := range unknownImages(e.PerImage, latest) {
		addSaid(p, kit.Inline(id, 200), e.PerImage[id])
	}
	if len(e.Words) > 0 {
		addSaid(p, AllOthers, e.Words)
		p.Note(goodNote(len(e.Good)))
	}
	p.Say(Expected(e.Order))
}

// goodNote says how many good images the general instructions skip.
func goodNote(good int) string {
	return kit.OnlyIf(good > 0, kit.Count(good, "photo is", "photos are")+" good and "+kit.Plural(good, "does", "do")+" not change.")
}

// Pause is the reply to a pause. A live reply mentions the requester and offers to ask the editor; otherwise it
// says how the pause ended. events is the order's history, oldest first.
func Pause(t store.Tracked, e order.Event, events []order.Event, live bool) kit.Message {
	p := addSaid(&kit.Page{}, "Paused by the photo service: "+Project(t), e.Words)
	switch {
	case live:
		service := kit.Either(t.Owner.Deactivated != "" || t.Owner.Direct, "The photo service", "the photo service")
		p.Say(kit.Join(" ", mentionRequester(t), service) + " has paused this order. The editor may have a question. Press *" + LabelAsk + "* to send a message and see it. This thread says when work goes on.").
			Buttons(append([]slack.BlockElement{OrderButton(t, LabelAsk, LabelAsk+" about", ActionAskPause, Value(t.ID, t.Order.Rev()))}, takeOver(t)...)...)
	case PauseOver(t, e, events):
		p.Say("The pause is over.")
	case t.Untracked:
		p.Say(leftReview)
	case t.Gone:
		p.Say("The photo service no longer knows this order.")
	}
	return post(p, t, e.ID)
}

// PauseOver reports whether a pause is over, as far as this channel may know.
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
	p.Say("Gone at the photo service: " + Project(t))
	addSaid(p, goneText+" Its support knows it as order "+kit.Inline(t.ID, 100)+".", e.Words)
}

// cutReply says which data of the service is left out.
func cutReply(p *kit.Page, t store.Tracked, e order.Event, _ Thumbs) {
	says := "The photo service sends more about this order than I can show."
	switch e.ID {
	case order.CutEntries:
		says = fmt.Sprintf("The photo service sent many new messages at once. I show the newest %d.", order.MaxAnnounced)
	case order.CutImages:
		says = fmt.Sprintf("The photo service sent very many edited photos. I save the newest %d.", order.MaxEntries)
	case order.CutEvents:
		says = fmt.Sprintf("This order has more than %d updates. From now on I show only what people here do, and how it ends.", order.MaxEvents)
	}
	p.Say("Not all is shown: " + Project(t)).Say(says + " The photo service has the rest.")
}

// unknownImages returns the ids of instructions whose image is not in the gallery, sorted.
func unknownImages(perImage map[string][]string, gallery []order.EditedImage) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(perImage)), func(id string) bool { return HasImage(gallery, id) })
}
