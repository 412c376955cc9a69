// Package batch shows a file of many orders before it is placed, and its progress afterwards. A row that is
// several orders is shown as one.
package batch

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Callback is the callback id of the form that places a batch.
const Callback = "batch"

// Titles of the package's windows.
const (
	Title         = "Place orders"
	titleChecking = "Checking file"
	titleWrong    = "Fix the file"
	titleRefused  = "Orders not placed"
)

// IsFile reports whether a file may be a batch, by its name and MIME type.
func IsFile(name, mimetype string) bool {
	return strings.HasSuffix(strings.ToLower(name), ".csv") || strings.HasPrefix(mimetype, "text/csv")
}

// Reasons that a file is not read as a batch.
const (
	NeedChannel = "An order needs a channel. Choose *Order these photos* on the file in a channel, or upload it to the form of `/order new`."
	Unread      = "I cannot read this file. Upload it to the form of `/order new`, or invite me to its channel."
	Gone        = "I no longer have this order file. Nothing was sent. Upload the file again."
)

// CardGone is said in place of a list that is no longer saved.
const CardGone = "I no longer have the list of these orders. `/order list` shows this channel's orders."

// mostProblems bounds how many problems a window names.
const mostProblems = 40

// Reading is shown while the file is read.
func Reading(name, externalID string) slack.ModalViewRequest {
	return kit.NewPage("Reading *"+kit.Inline(name, 200)+"* and checking every row. Nothing is sent yet …").Modal(titleChecking, externalID, kit.Meta{})
}

// addWayBack adds a button that returns to the form, if there is one.
func addWayBack(p *kit.Page, b place.BatchBack) *kit.Page {
	if b.Draft != "" {
		p.Buttons(kit.Button("Return to Form", place.ActionOpen, b.Draft))
	}
	return p
}

// LeadsBack reports whether a window refuses a batch and leads back to the draft's form.
func LeadsBack(view slack.View, draft string) bool {
	meta := kit.DecodeMeta(view.PrivateMetadata)
	return meta.Note == place.LeadsBack && meta.Draft == draft
}

// Wrong lists the file's problems by line.
func Wrong(name string, problems []order.BatchProblem, back place.BatchBack, externalID string) slack.ModalViewRequest {
	p := kit.NewAlert("Nothing was sent: " + kit.Inline(name, 80) + " has " + kit.Count(len(problems), "problem", "problems") + ".")
	rows := kit.Map(problems[:min(len(problems), mostProblems)], func(_ int, problem order.BatchProblem) string {
		return kit.OnlyIf(problem.Line > 0, "*Line "+strconv.Itoa(problem.Line)+":* ") + kit.Inline(problem.Message, 400)
	})
	for chunk := range slices.Chunk(rows, 5) {
		p.Bullets("", chunk)
	}
	more := len(problems) - mostProblems
	p.Note(kit.OnlyIf(more > 0, "And "+strconv.Itoa(more)+" more."))
	p.Say("Fix the file and upload it again. No order is placed until every row is right.")
	return addWayBack(p, back).Modal(titleWrong, externalID, back.Meta())
}

// Refused says in a safe sentence why the batch cannot be placed.
func Refused(sentence string, back place.BatchBack, externalID string) slack.ModalViewRequest {
	return addWayBack(kit.NewWindow(":warning: Nothing was sent. "+sentence), back).Modal(titleRefused, externalID, back.Meta())
}

// Check shows a valid batch before it is placed.
func Check(b store.OrderBatch, balance, externalID string) slack.ModalViewRequest {
	drafts := b.Drafts()
	images, references := sizeOf(drafts)
	p := kit.NewWindow(kit.Dots("*"+kit.Count(len(drafts), "order", "orders")+", "+kit.Count(images, "photo", "photos")+"*",
		kit.OnlyIf(references > 0, kit.Count(references, "reference photo", "reference photos")), "updates go to "+kit.ChannelLink(b.Channel), place.CreditsLeft(balance)))
	p.Say("*" + kit.Inline(b.Name, 200) + "* has no problem. Nothing is sent yet.")
	addListRows(p, kit.Map(b.Rows, func(_ int, r order.BatchRow) string { return rowText(r) }))
	return p.Form(Title, "Place "+kit.Count(len(drafts), "Order", "Orders"), Callback, externalID, kit.Meta{Note: b.ID})
}

// sizeOf counts the edited images and the references.
func sizeOf(drafts []store.Draft) (images, references int) {
	for _, d := range drafts {
		references += len(d.Each)
		images += len(d.URLs) + len(d.Files) - len(d.Each)
	}
	return images, references
}

// rowText describes a row, however many orders it is.
func rowText(r order.BatchRow) string {
	parts := len(r.Parts())
	return kit.Dots("*"+kit.Inline(r.Name, 100)+"*", kit.Count(len(r.Images), "photo", "photos")+kit.OnlyIf(parts > 1, " in "+strconv.Itoa(parts)+" orders"),
		kit.OnlyIf(len(r.References) > 0, kit.Count(len(r.References), "reference photo", "reference photos")), place.ServiceWords(r.Service), kit.OnlyIf(r.CustomerID != "", "for "+kit.Inline(r.CustomerID, 40)))
}

// addListRows adds the rows that fit, and counts the rest.
func addListRows(p *kit.Page, rows []string) {
	const together = 10
	for len(rows) > 0 {
		some := rows[:min(len(rows), together)]
		words := strings.Join(some, "\n")
		if kit.Units(words) > kit.MaxSection || !p.RoomFor(len(words), 2) || len(p.Blocks) > 12 {
			break
		}
		p.Say(words)
		rows = rows[len(some):]
	}
	p.Note(kit.OnlyIf(len(rows) > 0, "And "+kit.Count(len(rows), "more row", "more rows")+"."))
}

// Progress is a batch with the state of its orders.
type Progress struct {
	Batch  store.OrderBatch
	Drafts []store.Draft     // all orders; one that is not submitted is open
	Links  map[string]string // URLs of known cards, by draft
	File   string            // text about the result file; "": none
	Hides  bool              // the reader may not read credits
}

// Ended reports whether an order has an outcome.
func Ended(d store.Draft) bool { return d.State != store.DraftOpen && d.State != store.DraftPlacing }

// Begun reports whether any order was submitted.
func (s Progress) Begun() bool {
	return s.count(func(d store.Draft) bool { return d.State != store.DraftOpen }) > 0
}

// Ended reports whether every order has an outcome.
func (s Progress) Ended() bool { return s.count(Ended) == len(s.Drafts) }

// Placed counts the placed orders.
func (s Progress) Placed() int {
	return s.count(func(d store.Draft) bool { return d.State == store.DraftPlaced })
}

func (s Progress) count(fits func(store.Draft) bool) int { return kit.CountFunc(s.Drafts, fits) }

// OnHold counts the orders that wait for an approver. They are neither placed nor failed.
func (s Progress) OnHold() int { return s.count(store.Draft.IsHeld) }

// Failed counts the orders that were not placed and do not wait.
func (s Progress) Failed() int { return s.count(Ended) - s.Placed() - s.OnHold() }

// headline describes the progress in one line.
func (s Progress) headline() string {
	all, placed, held, failed := len(s.Drafts), s.Placed(), s.OnHold(), s.Failed()
	waits := strconv.Itoa(held) + " " + kit.Plural(held, "waits", "wait") + " for an approver"
	switch {
	case !s.Ended():
		return ":hourglass_flowing_sand: *" + strconv.Itoa(placed) + " of " + kit.Count(all, "order", "orders") + " placed …*" +
			kit.OnlyIf(held > 0, " "+waits+".") + kit.OnlyIf(failed > 0, " "+strconv.Itoa(failed)+" could not be.")
	case failed+held == 0:
		return ":white_check_mark: *Every order is placed: " + kit.Count(all, "order", "orders") + ".*"
	case failed == 0:
		return ":raised_hand: *" + strconv.Itoa(placed) + " of " + kit.Count(all, "order", "orders") + " " + kit.Plural(placed, "is", "are") + " placed, " + waits + ".*"
	default:
		return ":warning: *" + strconv.Itoa(placed) + " of " + kit.Count(all, "order", "orders") + " are placed, " + kit.OnlyIf(held > 0, waits+", ") +
			strconv.Itoa(failed) + " " + kit.Plural(failed, "is", "are") + " not.*"
	}
}

// page builds the progress of a window or a message.
func (s Progress) page(wide bool) *kit.Page {
	p := &kit.Page{Wide: wide}
	images, _ := sizeOf(s.Batch.Drafts())
	p.Say(s.headline())
	p.Note(kit.Dots("*"+kit.Inline(s.Batch.Name, 200)+"*", kit.Count(images, "photo", "photos"), kit.ChannelLink(s.Batch.Channel)))
	addNotPlaced(p, s)
	if s.Ended() {
		addListRows(p, s.rows())
	}
	p.Note(kit.OnlyIf(s.Ended() && s.OnHold() > 0, "I place an order when an approver allows it. I tell you if they decline."))
	p.Note(kit.OnlyIf(!s.Ended(), "You need not wait. Each order is placed once."))
	return p.Note(s.File)
}

// addNotPlaced names the orders that failed or wait for an approver.
func addNotPlaced(p *kit.Page, s Progress) {
	shown, all := 0, 0
	for _, d := range s.Drafts {
		if !Ended(d) || d.State == store.DraftPlaced {
			continue
		}
		if all++; shown < place.MaxFailed && addFailed(p, d, s.Hides) {
			shown++
		}
	}
	p.Note(kit.OnlyIf(all > shown, "And "+strconv.Itoa(all-shown)+" more that "+kit.Either(s.OnHold() > 0, "are not placed", "could not be placed")+"."))
}

// addFailed adds an order that was not placed, with a button to its form if the service refused it. It returns false if the
// page is full.
func addFailed(p *kit.Page, d store.Draft, hides bool) bool {
	var open *slack.Accessory
	if d.State == store.DraftRefused {
		open = slack.NewAccessory(kit.Button("Open the Form", place.ActionOpen, d.ID))
	}
	mark := kit.Either(d.IsHeld(), ":raised_hand:", ":warning:")
	return p.Section(kit.Cut(mark+" *"+kit.Inline(d.ProjectName, 100)+"*: "+kit.EscapeTo(whyNotPlaced(d, hides), 600), kit.MaxSection), open)
}

// whyNotPlaced says in plain text why an order is not placed. It returns "" for orders that are placed or in
// progress. hides leaves out credits.
func whyNotPlaced(d store.Draft, hides bool) string {
	switch d.State {
	case store.DraftRefused:
		if d.IsHeld() {
			h := *d.Hold
			h.Hides = hides
			return "It waits for an approver. Nothing was charged. " + place.HoldWhy(h)
		}
		if refused := place.HoldAnswer(d); refused != "" {
			return refused + " Nothing was charged."
		}
		if d.Unpostable != "" {
			return "It is not placed, and nothing was charged. I cannot post in its channel for you."
		}
		return cmp.Or(strings.Join(place.Named(d, d.Problems), " "), "It is not placed yet.")
	case store.DraftUnknown:
		return "I do not know if it was placed. I ask you about it in another message."
	case store.DraftDiscarded:
		return "It was discarded."
	}
	return ""
}

// rows returns the rows with links to their cards.
func (s Progress) rows() []string {
	var rows []string
	at := 0
	for _, r := range s.Batch.Rows {
		parts := len(r.Parts())
		mine := s.Drafts[at:min(at+parts, len(s.Drafts))]
		at += parts
		var links []string
		for i, d := range mine {
			label := kit.Either(parts > 1, strconv.Itoa(i+1), "card")
			if address := s.Links[d.ID]; address != "" {
				links = append(links, kit.Link(address, label))
			}
		}
		rows = append(rows, kit.Dots(rowText(r), kit.Join(", ", links...)))
	}
	return rows
}

// Window shows the progress in the window that placed the batch.
func Window(s Progress, externalID string) slack.ModalViewRequest {
	p := s.page(true)
	p.Note(kit.OnlyIf(!s.Ended(), "You can close this window. The result comes by direct message."))
	return p.Modal(Title, externalID, kit.Meta{})
}

// Message shows the progress to the person who placed the batch.
func Message(s Progress) kit.Message {
	m := s.page(false).Message()
	m.Metadata = &slack.SlackMetadata{EventType: Metadata, EventPayload: map[string]any{"batch": s.Batch.ID}}
	return m
}

// Metadata marks such a message. Its payload holds the batch's id.
const Metadata = "darkroom_batch"

// Of returns the batch id of a message, or "". Anybody may write such metadata.
func Of(m slack.Message) string { return kit.MetadataText(m, Metadata, "batch") }
