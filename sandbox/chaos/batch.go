package chaos

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"time"

	"darkroom/sandbox/photos"
	"darkroom/sandbox/workspace"
)

// wholeOrder is how many images one order takes: a row of more becomes several.
const wholeOrder = 50

// batch is a file of orders that one person hands in and places.
type batch struct {
	*player
	file    workspace.Upload
	counts  string    // what the check says of it
	orders  []*player // that the rows come to
	words   string    // of the message with the file: the instructions of the rows that have none
	form    *act      // its parts are these orders
	asked   time.Time // when the check was asked for
	checked string    // what the check said
	sent    string    // the hash of the view in which it was placed
	window  string    // the external id of that
}

// places hands in a file of three rows, which are four orders, places them, and has the first go on to its end.
func (p *player) places() []step {
	b, steps := p.batch(), []step{}
	if p.limited(p.n) {
		steps = append(steps, p.setLimits)
	}
	steps = append(steps, b.place)
	for _, one := range b.orders {
		steps = append(steps, one.shown("Placed", 1))
	}
	first := b.orders[0]
	if p.limited(p.n) {
		first.hand = p.approver().hand
	}
	return append(steps, first.deliver, first.shown("Ready for review", 1), first.approve, first.shown("Approved", 1))
}

// batch is the file: a row that says nothing but its images, one that is two orders, and one that says everything.
func (p *player) batch() *batch {
	b := &batch{player: p, counts: fmt.Sprintf("4 orders, %d photos", 2+wholeOrder+1+1), form: &act{kind: actRow}}
	b.words = "Brighten the sky.\n" + p.token("As agreed in")
	small, many, last := p.another(1), p.another(2), p.another(3)
	few, lots, one, looks := small.addresses(2), many.addresses(wholeOrder+1), last.addresses(1), last.addresses(2)
	b.order(small, small.project, b.words, "basic", few, nil)
	for i, part := range [][]string{lots[:wholeOrder], lots[wholeOrder:]} {
		b.order(p.another(2), fmt.Sprintf("%s %d/2", many.name(), i+1), b.words, "basic", part, nil)
	}
	polish := last.token("Polish the gold")
	b.order(last, last.project, polish, "extensive", one, looks)
	lines := [][]string{
		{"name", "images", "references", "service", "instructions"},
		{small.project, strings.Join(few, " "), "", "", ""},
		{many.name(), strings.Join(lots, " "), "", "", ""},
		{last.project, strings.Join(one, " "), strings.Join(looks, " "), "extensive", polish},
	}
	var table bytes.Buffer
	_ = csv.NewWriter(&table).WriteAll(lines) // a buffer takes everything
	b.file = workspace.Upload{Name: fmt.Sprintf("chaos-%04d.csv", p.n), Content: table.Bytes()}
	return b
}

// addresses are so many pictures that no other order has.
func (p *player) addresses(n int) []string {
	all := make([]string, n)
	for i := range all {
		p.talks++
		all[i] = fmt.Sprintf("%s?batch=%04d-%d", p.Samples()[i%3], p.n, p.talks)
	}
	return all
}

// order is one that a row comes to.
func (b *batch) order(one *player, project, words, service string, images, references []string) {
	one.project = project
	part := one.act(actRow, project)
	part.words, part.content = words, content(images, service, references)
	b.orders, b.form.parts = append(b.orders, one), append(b.form.parts, part)
}

// content is what an order has of pictures, in words.
func content(images []string, service string, references []string) string {
	var out strings.Builder
	for _, address := range images {
		fmt.Fprintln(&out, service, address)
	}
	for _, address := range references {
		fmt.Fprintln(&out, "only looked at", address)
	}
	return out.String()
}

// contentOf is the same of an order of the service.
func contentOf(o photos.Order) string {
	var out strings.Builder
	for _, picture := range o.Images {
		fmt.Fprintln(&out, picture.Service, picture.URL)
	}
	for _, reference := range o.References {
		fmt.Fprintln(&out, "only looked at", reference.URL)
	}
	return out.String()
}

// place hands the file in and places what it comes to; the person does what the screen tells them.
func (b *batch) place(ctx context.Context) bool {
	b.placing.RLock()
	defer b.placing.RUnlock()
	b.ledger.file(b)
	defer func() {
		if _, open := b.win.Modal(); open {
			_ = b.win.CloseModal()
		}
	}()
	if err := b.win.Say(b.channel, "", b.words, b.file); err != nil {
		return false
	}
	deadline := time.Now().Add(b.o.patience() + b.o.patience()/2)
	for ctx.Err() == nil && time.Now().Before(deadline) {
		if b.settled() {
			return b.finished()
		}
		b.step()
		pause(ctx, look)
	}
	b.ledger.note("gave up waiting: " + actRow)
	return false
}

// settled tells that each order is at the service, or that its person was told that it is not.
func (b *batch) settled() bool {
	for i, one := range b.orders {
		if one.order = b.placedAs(one.project); one.order == "" && b.refused(b.form.parts[i]) == "" {
			return false
		}
	}
	return true
}

// refused is what the person read of an order that is not placed.
func (b *batch) refused(part *act) string {
	_, says, _ := b.modal()
	for _, said := range append(b.hand.told(0), says) {
		if line := notPlaced(said, part.token); line != "" && !part.acked.IsZero() {
			return line
		}
	}
	return ""
}

// notPlaced is the line that says so of a batch's order; "": none.
func notPlaced(said, project string) string {
	for line := range strings.Lines(said) {
		if called(line, project) && strings.Contains(line, ":warning:") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// finished notes how each of them ended, and tells whether all are placed.
func (b *batch) finished() bool {
	b.form.ack() // by whatever way: it was taken
	whole := true
	for i, one := range b.orders {
		part := b.form.parts[i]
		if one.order == "" {
			b.ledger.note("told otherwise: " + actRow)
			part.finish(b.refused(part))
			whole = false
			continue
		}
		part.finish("")
	}
	return whole
}

// step looks at the screen and does what it says.
func (b *batch) step() {
	v, says, open := b.modal()
	pressed := b.form.tries > 0 // then nothing is begun anew: it would be another batch
	switch {
	case !open && !pressed:
		b.open()
	case !open:
	case pressed && v.ExternalID != b.window: // it was asked for as well, when the first took long to open
		_ = b.win.CloseModal()
	case v.Submit != "":
		b.confirm(v, says)
	case !twice.MatchString(says) && b.press(workspace.Target{View: v.ID}, v.Blocks, "Try Again", workspace.Once):
		b.ledger.note("pressed Try again")
	case !pressed && time.Since(b.asked) > openingTime: // a window that nobody fills
		b.ledger.note("opened a batch anew")
		_ = b.win.CloseModal()
	}
}

// open chooses “Order these photos” on the message that has the file, which is written first.
func (b *batch) open() {
	if time.Since(b.asked) < openingTime/2 {
		return
	}
	b.asked = time.Now()
	for _, m := range b.ws.Messages(b.channel) {
		if m.User == b.user && len(m.Files) > 0 {
			for _, s := range b.win.Shortcuts(true) {
				if s.Name == "Order these photos" && b.win.MessageShortcut(b.channel, m.TS, s.Callback, workspace.Once) == nil {
					return
				}
			}
		}
	}
	b.ledger.note("could not open a batch")
}

// confirm places what the check says; again when nobody knows whether that was taken.
func (b *batch) confirm(v workspace.View, says string) {
	if v.Hash == b.sent && v.Notice == "" && !unconfirmed.MatchString(says) {
		return
	}
	b.form.tries++
	b.checked, b.sent, b.window = says, v.Hash, v.ExternalID
	if b.win.Submit(b.times()) != nil {
		return
	}
	after, says, open := b.modal()
	if open && after.Submit != "" && (after.Notice != "" || unconfirmed.MatchString(says)) {
		b.ledger.note("submission not confirmed")
		return
	}
	b.form.ack()
}

// batch holds what was said of a batch against what the service has.
func (c *comparison) batch(w *world, b *batch) {
	if b.checked != "" && !strings.Contains(b.checked, b.counts) {
		c.row(actRow).misplaced++
		c.say("batch %s was checked as %q, and it is %s", b.file.Name, b.checked, b.counts)
	}
	c.batchMessages(w, b)
	if b.form.acked.IsZero() {
		return
	}
	row := c.row(rowResults)
	row.did++
	results, first := b.results()
	if unsure := func(said string) bool { return strings.Contains(said, "did not say whether the file") }; len(results) == 0 && slices.ContainsFunc(b.hand.told(0), unsure) {
		c.told++
	} else if len(results) == 0 {
		row.lost++
		c.say("batch %s: %s has no file with the results; was told last: %q", b.file.Name, b.user, w.lastTold(b.form.parts[0]))
	}
	if first > 1 {
		w.ledger.note("the file with the results came twice")
	}
	for _, file := range results {
		c.results(b, file)
	}
}

// batchMessages wants one card of a batch with a placed order, the cards of its orders in its thread, and each message
// about deliveries once.
func (c *comparison) batchMessages(w *world, b *batch) {
	placed := slices.ContainsFunc(b.orders, func(one *player) bool { return b.placedAs(one.project) != "" })
	cards, told := []workspace.Message(nil), map[string]int{}
	for _, m := range w.Workspace.Messages(b.channel) {
		payload, _ := m.Metadata["event_payload"].(map[string]any)
		switch {
		case !isOfBatch(m) || !strings.Contains(m.Text, b.file.Name):
		case m.Metadata["event_type"] == typeBatchCard:
			cards = append(cards, m)
		default:
			told[fmt.Sprint(payload["number"])]++
		}
	}
	row := c.row(rowBatches)
	if !placed && len(cards) == 0 {
		return
	}
	row.did++
	if len(cards) == 0 {
		row.lost++
		c.say("batch %s has orders and no card", b.file.Name)
		return
	}
	if len(cards) > 1 {
		row.doubled += len(cards) - 1
		c.say("batch %s has %d cards", b.file.Name, len(cards))
	}
	for number, times := range told {
		if times > 1 {
			row.doubled += times - 1
			c.say("batch %s: message %s about its deliveries is there %d times", b.file.Name, number, times)
		}
	}
	for _, one := range b.orders {
		o, placed := w.Photos.Order(b.placedAs(one.project))
		card, found := one.card()
		if !placed || !found && w.nobodyKnows(o) {
			continue
		}
		if !found || card.ThreadTS != cards[0].TS {
			row.misplaced++
			c.say("the card of %s is not in the thread of batch %s", one.project, b.file.Name)
		}
	}
}

// results are the files with the results that its person was sent, and how many of them take no other's place.
func (b *batch) results() (all []workspace.File, first int) {
	for _, m := range b.ws.DMs(b.user) {
		for _, f := range m.Files {
			if f.Name == strings.TrimSuffix(b.file.Name, ".csv")+"-result.csv" {
				all = append(all, f)
				if !strings.Contains(m.Text, "takes the place of") {
					first++
				}
			}
		}
	}
	return all, first
}

// results wants a line for each order, with what the service has of it.
func (c *comparison) results(b *batch, file workspace.File) {
	lines, err := csv.NewReader(bytes.NewReader(file.Content)).ReadAll()
	if err != nil || len(lines) != 1+len(b.orders) {
		c.row(rowResults).misplaced++
		c.say("the result of batch %s is no table of %d orders: %v: %q", b.file.Name, len(b.orders), err, file.Content)
		return
	}
	for i, one := range b.orders {
		line, id := lines[1+i], ""
		if id = b.placedAs(one.project); id == "" && !slices.Contains(line, "placed") || slices.Contains(line, "not known") || slices.Contains(line, "waits for an approver") { // the message has the rest
			continue
		}
		if len(line) < 5 || !one.isAbout(line[1]) || line[3] != "placed" || line[4] != id {
			c.row(rowResults).misplaced++
			c.say("the result of batch %s says %q, and the service has order %q of %s", b.file.Name, line, id, one.project)
		}
	}
}
