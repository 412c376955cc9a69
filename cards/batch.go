package cards

import (
	"strconv"
	"strings"

	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// A batch is many orders of one file: it is shown whole before anything is sent, and then how far it has
// come. A row that is several orders is shown as one.

// TitleBatch is the title of its windows.
const TitleBatch = "Place a batch"

// BatchFile is a file that can be a batch, by its name and what Slack says it is.
func BatchFile(name, mimetype string) bool {
	return strings.HasSuffix(strings.ToLower(name), ".csv") || strings.HasPrefix(mimetype, "text/csv")
}

// Why a file is not read as a batch.
const (
	BatchAlone       = "A CSV file is ordered by itself, one order a row: take out everything else, or the file."
	BatchNeedChannel = "An order cannot live in a direct message: choose “Order these photos” on the file in a channel, or upload it into the form of `/order new`."
	BatchUnread      = "I cannot read that file: it was deleted, or it is in a conversation that I am not in. Upload it into the form of `/order new`, or invite me there."
	BatchGone        = "I no longer have this batch. Nothing was sent by this button: hand the file in again."
)

// batchProblems is how many problems, and rows, one window names.
const batchProblems = 40

// BatchTable is the problem beside the file in a form, "" when the form can be read as a batch: what else it
// holds is for the rows that do not say it themselves.
func (f Form) BatchTable(view slack.View) Wrong {
	all, wrong := f.problems(view), Wrong{}
	for _, field := range []string{fieldChannel, fieldService, fieldProject, fieldCustomer} {
		if all[field] != "" {
			wrong[field] = all[field]
		}
	}
	if len(f.Photos)+len(f.Kept)+len(f.URLs) > 1 {
		wrong.Photos(view, BatchAlone)
	}
	return wrong
}

// BatchReading is what stands in the window while the file is read.
func BatchReading(name, externalID string) slack.ModalViewRequest {
	return says("Reading *"+inline(name, 200)+"* and checking every row. Nothing is sent …").modal(TitleBatch, externalID, Meta{})
}

// BatchBack is the form that a batch came from, and what it knows that its draft does not; the zero value is none.
type BatchBack struct {
	Draft     string `json:"draft,omitempty"`
	UploadGen int    `json:"upload_gen,omitempty"` // that its upload field has from now on: Slack fills one that it knows
	Credits   string `json:"credits,omitempty"`
}

// Back is the form to go back to from a file that cannot be placed.
func (f Form) Back() BatchBack { return BatchBack{f.Draft, f.UploadGen + 1, f.Credits} }

// noteLeadsBack marks a window that leads back to a form: of a window that was acted on, this is read and no title.
const noteLeadsBack = "back"

// meta says so in a window.
func (b BatchBack) meta() Meta {
	if b.Draft == "" {
		return Meta{}
	}
	return Meta{Draft: b.Draft, Note: noteLeadsBack, UploadGen: b.UploadGen, Credits: b.Credits}
}

// leadsBack adds the button, where there is one.
func (p *builder) leadsBack(b BatchBack) *builder {
	if b.Draft != "" {
		p.buttons(press("Back to the form", ActionOpen, b.Draft))
	}
	return p
}

// BatchLeadsBack tells a window that says why a batch cannot be placed, and leads back to the form of that draft.
func BatchLeadsBack(view slack.View, draft string) bool {
	meta := DecodeMeta(view.PrivateMetadata)
	return meta.Note == noteLeadsBack && meta.Draft == draft
}

// BatchWrong says what is wrong with the file, by line.
func BatchWrong(name string, problems []order.BatchProblem, back BatchBack, externalID string) slack.ModalViewRequest {
	p := alerting("Nothing was sent: " + inline(name, 80) + " has " + count(len(problems), "problem", "problems") + ".")
	var rows []string
	for _, problem := range problems[:min(len(problems), batchProblems)] {
		line := onlyIf(problem.Line > 0, "*Line "+strconv.Itoa(problem.Line)+":* ")
		rows = append(rows, line+inline(problem.Says, 400))
	}
	for len(rows) > 0 {
		n := min(len(rows), 5)
		p.bullets("", rows[:n])
		rows = rows[n:]
	}
	more := len(problems) - batchProblems
	p.note(onlyIf(more > 0, "And "+strconv.Itoa(more)+" more."))
	p.say("Mend the file and hand it in again: nothing is placed while a row has a problem.")
	return p.leadsBack(back).modal(TitleBatch, externalID, back.meta())
}

// BatchRefused says why none of it can be placed: a safe sentence of ours.
func BatchRefused(sentence string, back BatchBack, externalID string) slack.ModalViewRequest {
	return window(":warning: Nothing was sent. "+sentence).leadsBack(back).modal(TitleBatch, externalID, back.meta())
}

// BatchCheck shows a batch without a problem before anything is sent: what Place orders, all of it.
func BatchCheck(b store.OrderBatch, balance, externalID string) slack.ModalViewRequest {
	drafts := b.Drafts()
	images, references := sizeOf(drafts)
	p := window(dots("*"+count(len(drafts), "order", "orders")+", "+count(images, "image", "images")+"*",
		onlyIf(references > 0, count(references, "reference", "references")), "news goes to "+channelLink(b.Channel), creditsLeft(balance)))
	p.say("*" + inline(b.Name, 200) + "* was read whole and has no problem. Nothing was sent yet.")
	p.listRows(each(b.Rows, func(_ int, r order.BatchRow) string { return rowWords(r) }))
	return p.form(TitleBatch, "Place "+count(len(drafts), "order", "orders"), CallbackBatch, externalID, Meta{Note: b.ID})
}

// sizeOf is how many images are edited, and how many are only looked at.
func sizeOf(drafts []store.Draft) (images, references int) {
	for _, d := range drafts {
		references += len(d.Each)
		images += len(d.URLs) + len(d.Files) - len(d.Each)
	}
	return images, references
}

// rowWords is a row as one, however many orders it is.
func rowWords(r order.BatchRow) string {
	parts := len(r.Parts())
	return dots("*"+inline(r.Name, 100)+"*", count(len(r.Images), "image", "images")+onlyIf(parts > 1, " in "+strconv.Itoa(parts)+" orders"),
		onlyIf(len(r.References) > 0, count(len(r.References), "reference", "references")), serviceWords(r.Service), onlyIf(r.CustomerID != "", "for "+inline(r.CustomerID, 40)))
}

// listRows adds as many rows as find room, and how many more there are.
func (p *builder) listRows(rows []string) {
	const together = 10
	for len(rows) > 0 {
		some := rows[:min(len(rows), together)]
		words := strings.Join(some, "\n")
		if units(words) > maxSection || !p.roomFor(len(words), 2) || len(p.blocks) > 12 {
			break
		}
		p.say(words)
		rows = rows[len(some):]
	}
	p.note(onlyIf(len(rows) > 0, "And "+count(len(rows), "more row", "more rows")+"."))
}

// BatchStand is how far a batch has come.
type BatchStand struct {
	Batch  store.OrderBatch
	Drafts []store.Draft     // all of its orders as they stand now; one that is not begun is open
	Links  map[string]string // where the cards are, by draft; one that is not known is not there
	File   string            // what to say about the file with the results; "": nothing
	Hides  bool              // the reader may not read credits
}

// Ended tells that an order of a batch needs no more waiting for.
func Ended(d store.Draft) bool { return d.State != store.DraftOpen && d.State != store.DraftPlacing }

// Begun tells that some of it was submitted.
func (s BatchStand) Begun() bool {
	return s.in(func(d store.Draft) bool { return d.State != store.DraftOpen }) > 0
}

// Ended tells that all of it has an outcome.
func (s BatchStand) Ended() bool { return s.in(Ended) == len(s.Drafts) }

// Placed is how many of its orders are.
func (s BatchStand) Placed() int {
	return s.in(func(d store.Draft) bool { return d.State == store.DraftPlaced })
}

func (s BatchStand) in(fits func(store.Draft) bool) (n int) {
	for _, d := range s.Drafts {
		if fits(d) {
			n++
		}
	}
	return n
}

// Held is how many wait for an approver: those are neither placed nor failed.
func (s BatchStand) Held() int { return s.in(store.Draft.IsHeld) }

// headline is how far it has come, in a line.
func (s BatchStand) headline() string {
	all, placed, held := len(s.Drafts), s.Placed(), s.Held()
	failed := s.in(Ended) - placed - held
	waits := strconv.Itoa(held) + " " + plural(held, "waits", "wait") + " for an approver"
	switch {
	case !s.Ended():
		return ":hourglass_flowing_sand: *" + strconv.Itoa(placed) + " of " + count(all, "order", "orders") + " placed …*" +
			onlyIf(held > 0, " "+waits+".") + onlyIf(failed > 0, " "+strconv.Itoa(failed)+" could not be.")
	case failed+held == 0:
		return ":white_check_mark: *All of the batch is placed: " + count(all, "order", "orders") + ".*"
	case failed == 0:
		return ":raised_hand: *" + strconv.Itoa(placed) + " of " + count(all, "order", "orders") + " " + plural(placed, "is", "are") + " placed, " + waits + ".*"
	default:
		return ":warning: *" + strconv.Itoa(placed) + " of " + count(all, "order", "orders") + " are placed, " + onlyIf(held > 0, waits+", ") +
			strconv.Itoa(failed) + " " + plural(failed, "is", "are") + " not.*"
	}
}

// builder writes it, in a window or a message.
func (s BatchStand) builder(wide bool) *builder {
	p := &builder{wide: wide}
	images, _ := sizeOf(s.Batch.Drafts())
	p.say(s.headline())
	p.note(dots("*"+inline(s.Batch.Name, 200)+"*", count(images, "image", "images"), channelLink(s.Batch.Channel)))
	p.notPlaced(s)
	if s.Ended() {
		p.listRows(s.rows())
	}
	p.note(onlyIf(s.Ended() && s.Held() > 0, "An order that an approver allows is placed by itself and gets its card in the channel; you are told of one that is declined."))
	p.note(onlyIf(!s.Ended(), "This goes on by itself, also after a restart. No order is placed twice."))
	return p.note(s.File)
}

// maxFailed is how many orders are named that are not placed; the file has all.
const maxFailed = 15

// notPlaced names what could not be placed, and what waits for an approver.
func (p *builder) notPlaced(s BatchStand) {
	shown, all := 0, 0
	for _, d := range s.Drafts {
		if !Ended(d) || d.State == store.DraftPlaced {
			continue
		}
		if all++; shown < maxFailed && p.failed(d, s.Hides) {
			shown++
		}
	}
	p.note(onlyIf(all > shown, "And "+strconv.Itoa(all-shown)+" more that "+orElse(onlyIf(s.Held() > 0, "are not placed"), "could not be placed")+"."))
}

// failed is one of these, with the way to its form where there is one.
func (p *builder) failed(d store.Draft, hides bool) bool {
	var open *slack.Accessory
	if d.State == store.DraftRefused {
		open = slack.NewAccessory(press("Open the form", ActionOpen, d.ID))
	}
	mark := orElse(onlyIf(d.IsHeld(), ":raised_hand:"), ":warning:")
	return p.section(cut(mark+" *"+inline(d.ProjectName, 100)+"*: "+escape(whyNotPlaced(d, hides), 600), maxSection), open)
}

// whyNotPlaced says in plain text why an order of a batch has none; "" when it has, or is on its way. hides leaves credits
// out.
func whyNotPlaced(d store.Draft, hides bool) string {
	switch d.State {
	case store.DraftRefused:
		if d.IsHeld() {
			h := *d.Held
			h.Hides = hides
			return "It waits for an approver. Nothing was charged. " + holdWhy(h)
		}
		if refused := holdAnswer(d); refused != "" {
			return refused + " Nothing was charged."
		}
		if d.Unpostable != "" {
			return "Not placed, nothing was charged: I cannot post in its channel for you."
		}
		return orElse(strings.Join(named(d, d.Problems), " "), "It is not placed yet.")
	case store.DraftUnknown:
		return "I do not know whether it was placed. I ask you about it in a message of its own."
	case store.DraftDiscarded:
		return "It was discarded."
	}
	return ""
}

// rows are the rows with their orders behind them, a link to each card.
func (s BatchStand) rows() []string {
	var rows []string
	at := 0
	for _, r := range s.Batch.Rows {
		parts := len(r.Parts())
		mine := s.Drafts[at:min(at+parts, len(s.Drafts))]
		at += parts
		var links []string
		for i, d := range mine {
			label := onlyIf(parts > 1, strconv.Itoa(i+1)) + onlyIf(parts == 1, "card")
			if address := s.Links[d.ID]; address != "" {
				links = append(links, link(address, label))
			}
		}
		rows = append(rows, dots(rowWords(r), joined(", ", links...)))
	}
	return rows
}

// BatchWindow is how far it has come, in the window in which it was placed.
func BatchWindow(s BatchStand, externalID string) slack.ModalViewRequest {
	p := s.builder(true)
	p.note(onlyIf(!s.Ended(), "You can close this window: our messages tell how it ends."))
	return p.modal(TitleBatch, externalID, Meta{})
}

// BatchMessage is the same as a message to who placed it.
func BatchMessage(s BatchStand) Message {
	m := s.builder(false).message()
	m.Metadata = &slack.SlackMetadata{EventType: BatchMetadata, EventPayload: map[string]any{"batch": s.Batch.ID}}
	return m
}

// BatchMetadata marks such a message; its payload holds the batch's id.
const BatchMetadata = "darkroom_batch"

// BatchOf is the id of the batch that a message is about, "" when it is about none. Anybody may write such metadata.
func BatchOf(m slack.Message) string {
	if m.Metadata.EventType != BatchMetadata {
		return ""
	}
	return metaText(m.Metadata.EventPayload["batch"])
}
