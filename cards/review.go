package cards

import (
	"slices"
	"strconv"
	"strings"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// WhatIsNew returns "12 photos, 1 new in round 2".
func WhatIsNew(t store.Tracked, c RoundHistory) string {
	latest := order.Latest(t.Order.EditedImages)
	changed, _ := c.Changed(latest)
	if len(latest) == 0 {
		return laterRound(t.Order.Rev())
	}
	return kit.Count(len(latest), "photo", "photos") + kit.OnlyIf(len(changed) > 0, ", "+kit.Either(len(changed) == len(latest), "all", strconv.Itoa(len(changed)))+" new") +
		kit.OnlyIf(t.Order.Rev() > 0, " in "+Round(t.Order.Rev()))
}

// RoundHistory holds the events around one delivery, as its review shows them.
type RoundHistory struct {
	Before *order.Event // the delivery before; nil: this is the first
	Asked  *order.Event // the changes requested before this delivery; nil: unknown
	Ended  *order.Event // the event that ended the review; nil: still open, or unknown
}

// RoundHistoryOf finds the events around delivery e; events are oldest first. A move or untracking ends only
// reviews of an order that is untracked: a tracked order's channel may be newer than the event.
func RoundHistoryOf(t store.Tracked, events []order.Event, e order.Event) RoundHistory {
	var c RoundHistory
	for i := range events {
		switch other := &events[i]; {
		case other.Seq < e.Seq && other.Kind == order.EventReady:
			c.Before, c.Asked = other, nil
		case other.Seq < e.Seq && other.Kind == order.EventChanges:
			c.Asked = other
		case !t.Untracked && endings[other.Kind] == leftReview:
		case other.Seq > e.Seq && c.Ended == nil && endings[other.Kind] != "":
			c.Ended = other
		}
	}
	return c
}

// CurrentRound returns the history of the newest delivery, or the zero value without deliveries.
func CurrentRound(events []order.Event) RoundHistory {
	for _, e := range slices.Backward(events) {
		if e.Kind == order.EventReady {
			return RoundHistoryOf(store.Tracked{}, events, e)
		}
	}
	return RoundHistory{}
}

// Changed returns the images that are new since the delivery before, and those that it lost. Both are nil for
// the first delivery.
func (c RoundHistory) Changed(latest []order.EditedImage) (changed []Change, lost []order.EditedImage) {
	if c.Before == nil {
		return nil, nil
	}
	return changedSince(order.Latest(c.Before.Order.EditedImages), latest)
}

// endings maps the events that end a review to their texts.
var endings = map[order.EventKind]string{
	order.EventApproved:  ":white_check_mark: *Approved* ",
	order.EventChanges:   ":pencil2: *Changes requested* ",
	order.EventCanceled:  ":no_entry_sign: *Canceled* ",
	order.EventReady:     "Newer edited photos are ready.",
	order.EventMoved:     leftReview,
	order.EventUntracked: leftReview,
}

const leftReview = "This channel no longer tracks the order."

// Review is the reply to a delivery. A live review shows the images to judge: all of the first round, later
// the new ones before and after, with their instructions. Otherwise it says how the review ended.
func Review(t store.Tracked, e order.Event, c RoundHistory, live bool, thumbs Thumbs) kit.Message {
	p, seen := &kit.Page{}, reviewed(t, e)
	latest := order.Latest(seen.Order.EditedImages)
	head := "Ready for review: " + Project(t) + OfRound(seen)
	switch {
	case !live:
		addDecided(p, t, seen, c, thumbs)
		m := post(p, t, e.ID)
		m.Text = kit.Cut(head+"\n"+m.Text, kit.MaxFallback) // the announcement, then the end
		return m
	case c.Before == nil:
		addContactSheets(addHead(p, t, thumbs, head, editedPhotos(len(latest))), thumbs.Sheets)
		hidden := AddAsOrdered(p, t, latest, thumbs)
		addJudge(p, t, seen, c, hidden, hidden, thumbs)
	default:
		addNewRound(p, t, seen, c, head, thumbs)
	}
	return post(p, t, e.ID)
}

// addHead says what is ready, who is asked, and what was found about the delivery.
func addHead(p *kit.Page, t store.Tracked, thumbs Thumbs, head, what string) *kit.Page {
	return p.Say(headline(t, thumbs, head, what)).Say(Inspected(thumbs.Found))
}

// headline says once what is ready, and calls the people who are asked.
func headline(t store.Tracked, thumbs Thumbs, head, what string) string {
	return kit.Join(kit.Either(t.Owner.Deactivated != "", "\n", " · "), kit.Dots(head, what), whoLooks(t, thumbs))
}

// calls returns a headline, then the people who are asked and why.
func calls(t store.Tracked, thumbs Thumbs, head, why string) string {
	return kit.Join("\n", head, kit.Join(" ", whoLooks(t, thumbs), why))
}

// whoLooks mentions the people whom a review asks: approvers, else the requester. It names a requester whom it
// does not ask, and says if the requester has left.
func whoLooks(t store.Tracked, thumbs Thumbs) string {
	if t.Root != "" { // one message calls for all deliveries of a batch
		return ""
	}
	if len(thumbs.Asks) == 0 {
		return mentionRequester(t)
	}
	if t.Owner.Deactivated != "" {
		return kit.Join(" ", requesterLeft(t), kit.MentionAll(thumbs.Asks))
	}
	return kit.MentionAll(thumbs.Asks) + kit.OnlyIf(!slices.Contains(thumbs.Asks, t.Owner.Requester), kit.Prefixed(" (for ", requester(t))+")")
}

func editedPhotos(n int) string {
	return kit.OnlyIf(n > 0, "*"+kit.Count(n, "edited photo", "edited photos")+"*")
}

// addJudge adds the buttons of a live review: the two decisions, the page that compares, all photos if some are
// hidden, the download, and a menu for the rest. *Approve* asks and acts at once. unseen is how many photos nobody saw before.
func addJudge(p *kit.Page, t, seen store.Tracked, c RoundHistory, hidden, unseen int, thumbs Thumbs) {
	if said := GoodNote(seen); said != "" { // always fits: see [kit.Page.RoomFor]
		p.Add(slack.NewContextBlock("", kit.Mrkdwn(said)), said)
	}
	row := elements(seen, slices.DeleteFunc(orderButtons(), func(b button) bool { return !b.isReview() }))
	if approve := approveShown(seen, c, unseen); approve != nil {
		row[0] = approve
	}
	row = append(row, thumbs.compare(seen)...)
	if hidden > 0 {
		row = append(row, SeeAllOf(seen, len(order.Latest(seen.Order.EditedImages))))
	}
	row = slices.Concat(row, thumbs.download(seen), takeOver(t))
	if more := menuOf(seen, []button{
		{verb: order.VerbApprove, label: "Approve with feedback", action: ActionApprove},
		{verb: order.VerbMessage, label: optionMessage},
	}); more != nil {
		row = append(row, more)
	}
	p.Buttons(row...)
}

// approveShown returns the button that approves the photos beside it. It is nil if a value cannot carry their
// fingerprint.
func approveShown(seen store.Tracked, c RoundHistory, unseen int) slack.BlockElement {
	value := SeenValue(seen)
	if kit.Units(value) > kit.MaxValue {
		return nil
	}
	all := len(order.Latest(seen.Order.EditedImages))
	name, _ := ProjectName(seen)
	what := kit.OnlyIf(all > 0, kit.Count(all, "photo", "photos")+" of ")
	end := OfRound(seen) + "?"
	question := "Approve " + what + kit.Plain(name, kit.MaxConfirmTitle-kit.Units("Approve "+what+end)) + end
	good, _ := seen.Good()
	why := kit.Join(" ", "This closes the order. No more changes after it.",
		kit.OnlyIf(Undecided(seen), strconv.Itoa(good)+" of "+strconv.Itoa(all)+" photos are marked Good."),
		kit.OnlyIf(unseen > 0, kit.Count(unseen, "photo is", "photos are")+" not in this message. See "+kit.Plural(unseen, "it", "them")+" first with "+seeAllLabel(all)+"."),
		DoneNote(seen.Names, DoneOf(seen, c)))
	button := OrderButton(seen, "Approve", "Approve", ActionApproveShown, value)
	return button.WithStyle(kit.Either(Undecided(seen), slack.StyleDefault, slack.StylePrimary)).WithConfirm(kit.Confirm(question, why, "Approve", "Not Yet"))
}

// SeeAllOf returns the button that shows all images of an order.
func SeeAllOf(t store.Tracked, images int) slack.BlockElement {
	return OrderButton(t, seeAllLabel(images), seeAllLabel(images)+" photos of", ActionShow, Value(t.ID, t.Order.Rev()))
}

func seeAllLabel(images int) string { return "See All " + strconv.Itoa(images) }

// addNewRound shows the changes of a later delivery.
func addNewRound(p *kit.Page, t, seen store.Tracked, c RoundHistory, head string, thumbs Thumbs) {
	latest := order.Latest(seen.Order.EditedImages)
	changed, lost := c.Changed(latest)
	if len(changed) == 0 {
		hidden := AddGallery(addHead(p, t, thumbs, head, editedPhotos(len(latest))), Album{Images: latest}, thumbs, SeeAll(t))
		addJudge(p.Note("The photo service marks none of them as new in this round."), t, seen, c, hidden, hidden, thumbs)
		return
	}
	hidden := AddWhatChanged(addHead(p, t, thumbs, head, SomeNew(len(changed), len(latest))), seen, c, changed, lost, thumbs)
	addJudge(p, t, seen, c, hidden, hidden-(len(latest)-len(changed)), thumbs)
}

// AddWhatChanged shows the new images before and after, with their instructions, and describes the others. Contact
// sheets show only what was asked for. It returns how many images it does not show. The description at the end always
// has room.
func AddWhatChanged(p *kit.Page, seen store.Tracked, c RoundHistory, changed []Change, lost []order.EditedImage, thumbs Thumbs) (hidden int) {
	latest, asked := order.Latest(seen.Order.EditedImages), RequestOf(c, seen.Names)
	others := len(latest) - len(changed)
	end := func(unshown int) *kit.Page {
		rest := asked.rest(others, asBefore(c, seen), asked.unmet(latest, changed))
		return new(kit.Page).Note(kit.Join(" ", moreNew(unshown, len(latest)), rest, noLonger(lost), guessed(changed)))
	}
	onSheets := changed
	if len(thumbs.Sheets) > 0 {
		onSheets = c.requested(latest, changed)
		onSheets = onSheets[:min(addContactSheets(p, thumbs.Sheets), len(onSheets))]
	}
	p.Say(asked.general())
	p.Reserve(end(len(changed)))
	unshown := addChanges(p, changed, asked, thumbs)
	unshown += kit.CountFunc(changed[:len(changed)-unshown], func(one Change) bool {
		return !slices.ContainsFunc(onSheets, func(on Change) bool { return on.Number == one.Number })
	})
	p.Reserve(end(unshown))
	p.Release()
	return others + unshown
}

// moreNew warns that some new photos are not shown.
func moreNew(unshown, all int) string {
	return kit.OnlyIf(unshown > 0, "*"+kit.Count(unshown, "more photo is", "more photos are")+" new.* See "+kit.Plural(unshown, "it", "them")+" with *"+seeAllLabel(all)+"* before you approve.")
}

// SomeNew says how many of the images are new.
func SomeNew(changed, all int) string {
	switch {
	case changed < all:
		return "*" + strconv.Itoa(changed) + " of " + kit.Count(all, "photo", "photos") + " " + kit.Plural(changed, "is", "are") + " new*"
	case all == 1:
		return "*1 new photo*"
	}
	return "*All " + strconv.Itoa(all) + " photos are new*"
}

// asBefore names the round that unchanged images are from.
func asBefore(c RoundHistory, seen store.Tracked) string {
	if rev := c.Before.Order.Rev(); rev < seen.Order.Rev() {
		return "in " + Round(rev)
	}
	return "before"
}

func noLonger(lost []order.EditedImage) string {
	names := kit.Map(lost, func(_ int, i order.EditedImage) string { return kit.Inline(ImageName(i), MaxCaption) })
	return kit.OnlyIf(len(lost) > 0, "No longer delivered: "+kit.Cut(strings.Join(names, ", "), 400)+".")
}

// guessed says that equal names make the comparison a guess.
func guessed(changed []Change) string {
	i := slices.IndexFunc(changed, func(c Change) bool { return c.Unsure })
	if i < 0 {
		return ""
	}
	return "Several photos are called " + kit.Inline(ImageName(changed[i].After), MaxCaption) + ". I can only guess which was which before."
}

// addDecided says in a few lines how a review ended. Its images become links.
func addDecided(p *kit.Page, t, seen store.Tracked, c RoundHistory, thumbs Thumbs) {
	p.Say(ending(t, seen, c))
	if c.Ended != nil {
		p.Note(DoneNote(t.Names, c.Ended.Ticked))
	}
	latest := order.Latest(seen.Order.EditedImages)
	approved := c.Ended != nil && c.Ended.Kind == order.EventApproved
	p.Note(someLinks(kit.Either(approved, "Final photos: ", "Edited photos: "), latest))
	if approved {
		open := OrderButton(t, labelFinals, labelFinals+" of", ActionShow, Value(t.ID, seen.Order.Rev()))
		p.Buttons(append([]slack.BlockElement{open}, thumbs.download(seen)...)...)
	}
}

// ending says how a review ended: a decision with its actor first, other reasons last.
func ending(t, seen store.Tracked, c RoundHistory) string {
	which := Project(t)
	if round := OfRound(seen); round != "" {
		which += round + ","
	}
	over := "The review of " + which + " is over."
	if c.Ended == nil {
		if why := whyNotReviewable(t); why != "" { // it may go on
			return "Nobody can review " + which + " now.\n" + why
		}
		return over
	}
	if slices.Contains([]order.EventKind{order.EventApproved, order.EventChanges, order.EventCanceled}, c.Ended.Kind) {
		decision := endings[c.Ended.Kind] + by(t, c.Ended.Actor)
		return kit.Dots(decision, laterRound(seen.Order.Rev()), kit.WhenKnown(c.Ended.At)) + "\nThe review of " + Project(t) + " is over."
	}
	return over + "\n" + endings[c.Ended.Kind]
}

// whyNotReviewable says why nobody can review the images now; "": a newer review takes the place of this one.
func whyNotReviewable(t store.Tracked) string {
	switch {
	case t.Gone:
		return "The photo service no longer has this order."
	case t.Untracked:
		return leftReview
	case t.Can(order.VerbApprove):
		return ChangeWaits(t)
	case t.Order.Status.Works():
		return "The editor is working on it again."
	}
	return "*" + statusWords(t.Order.Status) + "*"
}

// mostLinks bounds how many images a decided review links to.
const mostLinks = 15

// someLinks links to the first images, as many as fit one line.
func someLinks(lead string, images []order.EditedImage) string {
	some := images[:min(mostLinks, len(images))]
	for ; len(some) > 0; some = some[:len(some)-1] {
		left := len(images) - len(some)
		lines := lines(lead, kit.Map(some, func(i int, image order.EditedImage) string { return imageLink(i+1, image) }))
		if line := lines[0] + kit.OnlyIf(left > 0, ", and "+strconv.Itoa(left)+" more"); len(lines) == 1 && kit.Units(line) <= kit.MaxSection {
			return line
		}
	}
	return ""
}

// ReviewPictures returns the images whose previews a live review shows.
func ReviewPictures(t store.Tracked, e order.Event, c RoundHistory) []order.EditedImage {
	images := order.Latest(reviewed(t, e).Order.EditedImages)
	if changed, _ := c.Changed(images); len(changed) > 0 {
		images = nil
		for _, one := range changed {
			if one.Before != nil {
				images = append(images, *one.Before)
			}
			images = append(images, one.After)
		}
	}
	images = images[:min(maxSheet, len(images))]
	return slices.DeleteFunc(slices.Clone(images), func(i order.EditedImage) bool { return !order.WebAddress(i.Thumb) })
}
