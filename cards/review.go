package cards

import (
	"slices"
	"strconv"
	"strings"

	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Course is what happened around one delivery, as its review shows it.
type Course struct {
	Before *order.Event // the delivery before; nil: it is the first
	Asked  *order.Event // the changes that were requested of that one; nil: none are known
	Ended  *order.Event // what ended the review; nil: nothing yet, or nobody told
}

// CourseOf finds them among all that happened to the order, oldest first. That the order left its channel
// ends a review only where it left: an order that is tracked may have been told at its new place alone.
func CourseOf(t store.Tracked, events []order.Event, e order.Event) Course {
	var c Course
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

// CourseNow is the course of the newest delivery; its zero value when there is none.
func CourseNow(events []order.Event) Course {
	for _, e := range slices.Backward(events) {
		if e.Kind == order.EventReady {
			return CourseOf(store.Tracked{}, events, e)
		}
	}
	return Course{}
}

// changed are the images that are new since the delivery before, and those that are there no longer;
// none when there was none before.
func (c Course) changed(latest []order.EditedImage) (changed []change, lost []order.EditedImage) {
	if c.Before == nil {
		return nil, nil
	}
	return changedSince(Latest(c.Before.Order.EditedImages), latest)
}

// endings are what ends a review, and how it says so.
var endings = map[order.EventKind]string{
	order.EventApproved:  ":white_check_mark: *Approved* ",
	order.EventChanges:   ":pencil2: *Changes requested* ",
	order.EventCanceled:  ":no_entry_sign: *Canceled* ",
	order.EventReady:     "Newer images of it are ready.",
	order.EventMoved:     leftReview,
	order.EventUntracked: leftReview,
}

const leftReview = "This channel no longer follows the order."

// Review is the reply to a delivery. Live, it shows what there is to judge: of the first round all
// images, later only those that are new, before and after, with what was asked for them. Else it
// says how it ended, and asks for nothing.
func Review(t store.Tracked, e order.Event, c Course, live bool, thumbs Thumbs) Message {
	p, seen := &builder{}, reviewed(t, e)
	latest := Latest(seen.Order.EditedImages)
	head := "Ready for review: " + project(t) + ofRound(seen)
	switch {
	case !live:
		p.decided(t, seen, c, thumbs)
		m := p.post(t, e.ID)
		m.Text = cut(head+"\n"+m.Text, maxFallback) // what was announced, and then how it ended
		return m
	case c.Before == nil:
		p.judge(t, seen, p.say(asksFor(t, thumbs, head, allReady(len(latest)))).contactSheets(thumbs.Sheets).asOrdered(t, latest, thumbs), thumbs)
	default:
		p.newRound(t, seen, c, head, thumbs)
	}
	return p.post(t, e.ID)
}

// asksFor puts under a headline whom it is for, and what there is to see.
func asksFor(t store.Tracked, thumbs Thumbs, head, what string) string {
	return joined("\n", head, joined(" ", whoLooks(t, thumbs), what))
}

// whoLooks mentions whom a review asks: those who alone may approve, else who ordered. Of who ordered it says too
// that they are no longer here.
func whoLooks(t store.Tracked, thumbs Thumbs) string {
	if len(thumbs.Asks) == 0 {
		return toWhom(t)
	}
	if t.Owner.Departed != "" {
		return isGoneFromHere(t) + " " + mentions(thumbs.Asks)
	}
	return mentions(thumbs.Asks)
}

func allReady(images int) string {
	if images == 0 {
		return "*The edited images are ready.*"
	}
	return "*" + count(images, "image is", "images are") + " ready.*"
}

// judge adds the buttons of a review that waits: the two that decide. The rest is the card's. Of all
// images those that are not shown here can be looked at, too, and all can be downloaded.
func (p *builder) judge(t, seen store.Tracked, hidden int, thumbs Thumbs) {
	if said := goodNote(seen); said != "" { // there is room: see [builder.roomFor]
		p.add(slack.NewContextBlock("", mrkdwn(said)), said)
	}
	row := pressable(seen, slices.DeleteFunc(orderButtons(), func(b button) bool { return !b.isReview() }))
	if hidden > 0 {
		row = append(row, seeAllOf(seen, len(Latest(seen.Order.EditedImages))))
	}
	p.buttons(slices.Concat(row, thumbs.download(seen), takeOver(t))...)
}

// seeAllOf is the button to all images of an order.
func seeAllOf(t store.Tracked, images int) slack.BlockElement {
	return pressOf(t, seeAllLabel(images), seeAllLabel(images)+" images of", ActionShow, Value(t.ID, t.Order.Rev()))
}

func seeAllLabel(images int) string { return "See all " + strconv.Itoa(images) }

// newRound shows what a later delivery brought.
func (p *builder) newRound(t, seen store.Tracked, c Course, head string, thumbs Thumbs) {
	latest := Latest(seen.Order.EditedImages)
	changed, lost := c.changed(latest)
	if len(changed) == 0 {
		hidden := p.say(asksFor(t, thumbs, head, allReady(len(latest)))).gallery(album{images: latest}, thumbs, seeAll(t))
		p.note("The service marks none of them as new in this round.").judge(t, seen, hidden, thumbs)
		return
	}
	p.say(asksFor(t, thumbs, head, someNew(len(changed), len(latest)))).contactSheets(thumbs.Sheets)
	p.judge(t, seen, p.whatChanged(seen, c, changed, lost, thumbs), thumbs)
}

// whatChanged shows the images that are new since the delivery before, before and after, with what was
// asked for them, and says what of the others. It tells how many images it does not show. What is said
// at the end always finds room.
func (p *builder) whatChanged(seen store.Tracked, c Course, changed []change, lost []order.EditedImage, thumbs Thumbs) (hidden int) {
	latest, asked := Latest(seen.Order.EditedImages), requestOf(c)
	others := len(latest) - len(changed)
	end := func(unshown int) *builder {
		rest := asked.rest(others, asBefore(c, seen), asked.unmet(latest, changed))
		return new(builder).note(joined(" ", moreNew(unshown, len(latest)), rest, noLonger(lost), guessed(changed)))
	}
	p.say(asked.general())
	p.hold(end(len(changed)))
	unshown := p.changes(changed, asked, thumbs)
	p.hold(end(unshown))
	p.release()
	return others + unshown
}

// moreNew says that there is more to judge than is shown.
func moreNew(unshown, all int) string {
	if unshown == 0 {
		return ""
	}
	return "*" + count(unshown, "more new image is", "more new images are") + " not shown here*: look at " + plural(unshown, "it", "them") + " with *" + seeAllLabel(all) + "* before you approve."
}

func someNew(changed, all int) string {
	switch {
	case changed < all:
		return "*" + strconv.Itoa(changed) + " of " + count(all, "image", "images") + " " + plural(changed, "is", "are") + " new.*"
	case all == 1:
		return "*The image is new.*"
	}
	return "*All " + strconv.Itoa(all) + " images are new.*"
}

// asBefore names the round that an image which is not new is from.
func asBefore(c Course, seen store.Tracked) string {
	if rev := c.Before.Order.Rev(); rev < seen.Order.Rev() {
		return "in " + Round(rev)
	}
	return "before"
}

func noLonger(lost []order.EditedImage) string {
	if len(lost) == 0 {
		return ""
	}
	return "No longer there: " + cut(strings.Join(each(lost, func(_ int, i order.EditedImage) string { return inline(imageName(i), maxCaption) }), ", "), 400) + "."
}

// guessed says that it is not sure which image was which.
func guessed(changed []change) string {
	i := slices.IndexFunc(changed, func(c change) bool { return c.unsure })
	if i < 0 {
		return ""
	}
	return "Several images are called " + inline(imageName(changed[i].after), maxCaption) + ": which one was which before is a guess."
}

// decided says how a review ended, in a few lines: its images are links now.
func (p *builder) decided(t, seen store.Tracked, c Course, thumbs Thumbs) {
	p.say(ending(t, seen, c))
	latest := Latest(seen.Order.EditedImages)
	approved := c.Ended != nil && c.Ended.Kind == order.EventApproved
	p.note(someLinks(onlyIf(approved, "Final images: ")+onlyIf(!approved, "Its images: "), latest))
	if approved {
		label := "Open the " + onlyIf(len(latest) > 1, strconv.Itoa(len(latest))+" final images") + onlyIf(len(latest) <= 1, "final image")
		open := pressOf(t, label, label+" of", ActionShow, Value(t.ID, seen.Order.Rev()))
		p.buttons(append([]slack.BlockElement{open}, thumbs.download(seen)...)...)
	}
}

// ending is how a review ended: a decision comes first, with whose it was; why else nobody can judge the
// images any more, after their name.
func ending(t, seen store.Tracked, c Course) string {
	why := ""
	switch {
	case c.Ended == nil:
		why = standsNow(t)
	case slices.Contains([]order.EventKind{order.EventApproved, order.EventChanges, order.EventCanceled}, c.Ended.Kind):
		decision := endings[c.Ended.Kind] + by(c.Ended.Actor)
		return dots(decision, laterRound(seen.Order.Rev()), whenKnown(c.Ended.At)) + "\n" + project(t) + " was ready for review."
	default:
		why = endings[c.Ended.Kind]
	}
	round := ofRound(seen)
	return project(t) + onlyIf(round != "", round+",") + " was ready for review.\n" + why
}

// standsNow is why nobody can judge the images just now.
func standsNow(t store.Tracked) string {
	switch {
	case t.Gone:
		return "The service no longer knows this order."
	case t.Untracked:
		return leftReview
	case t.Can(order.VerbApprove):
		return orElse(changeWaits(t), "This review is over.")
	case t.Order.Status.Works():
		return "The editor works on it again."
	}
	return "*" + statusWords(t.Order.Status) + "*"
}

// mostLinks is how many images a decided review links to.
const mostLinks = 15

// someLinks are links to the first images, as many as a line holds.
func someLinks(lead string, images []order.EditedImage) string {
	some := images[:min(mostLinks, len(images))]
	for ; len(some) > 0; some = some[:len(some)-1] {
		left := len(images) - len(some)
		lines := lines(lead, each(some, func(i int, image order.EditedImage) string { return imageLink(i+1, image) }))
		if line := lines[0] + onlyIf(left > 0, ", and "+strconv.Itoa(left)+" more"); len(lines) == 1 && units(line) <= maxSection {
			return line
		}
	}
	return ""
}

// ReviewPictures are the images whose previews a live review shows.
func ReviewPictures(t store.Tracked, e order.Event, c Course) []order.EditedImage {
	images := Latest(reviewed(t, e).Order.EditedImages)
	if c.Before != nil {
		if changed, _ := c.changed(images); len(changed) > 0 {
			images = nil
			for _, one := range changed {
				if one.before != nil {
					images = append(images, *one.before)
				}
				images = append(images, one.after)
			}
		}
	}
	images = images[:min(maxSheet, len(images))]
	return slices.DeleteFunc(slices.Clone(images), func(i order.EditedImage) bool { return !isWeb(i.Thumb) })
}
