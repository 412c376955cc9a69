package chaos

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"darkroom/sandbox/photos"
	"darkroom/sandbox/workspace"
)

// player is one person with one order, from the form to its end.
type player struct {
	hand
	*world
	n                 int
	rand              *rand.Rand
	project           string
	order             string // the service's id, once there is one
	steps             int    // of the course, passed so far
	talks             int
	asks              string // what the order asks for, as it was on the screen
	preset            string // the name of the preset that this person saved
	letters, pictures int    // that the channel has shown
	open              bool   // the order stays open at the end of the course
}

func (w *world) player(n int) *player {
	user, channel := userID(n), channelID(n%w.o.Channels)
	return &player{
		hand:  hand{ws: w.Workspace, win: w.Workspace.Window(user), user: user, channel: channel},
		world: w, n: n, rand: rand.New(rand.NewPCG(w.o.Seed, uint64(n)+100)), project: projectName(n),
	}
}

// projectName is a name that nobody else uses. Every third is as long as the form takes: the
// service keeps less of it.
func projectName(n int) string {
	name := fmt.Sprintf("Chaos %04d", n)
	if n%3 == 0 {
		name += ", the harbor at dawn with all its boats, nets and birds on a Sunday"
	}
	return name
}

// called tells whether a text has a project's name, as far as the service keeps it. One that is part of a
// row of a batch has all of its name.
func called(text, project string) bool {
	if !strings.HasSuffix(project, "/2") {
		project = project[:len("Chaos 0000")]
	}
	return strings.Contains(text, project)
}

// about tells whether a text has the name of an order: its person's, or that which the service gave it.
func about(text, project string, o photos.Order) bool {
	return called(text, project) || o.Project != "" && strings.Contains(text, o.Project)
}

// isAbout tells whether a text has the name of the person's order.
func (p *player) isAbout(text string) bool {
	o, _ := p.Photos.Order(p.order)
	return about(text, p.project, o)
}

func userID(n int) string    { return fmt.Sprintf("U0P%04d", n) }
func channelID(n int) string { return fmt.Sprintf("C0CH%03d", n) }

// courseSteps is how many steps a course counts for the progress of the whole.
const courseSteps = 6

// passed counts the steps up to there, of a course of any length.
func (p *player) passed(steps int) {
	p.progress.Add(int64(steps - p.steps))
	p.steps = steps
}

// step is one part of a course; false: the person did not get on.
type step = func(context.Context) bool

// play plays the course; whoever does not get on leaves it, and the comparison at the end
// says why.
func (p *player) play(ctx context.Context) {
	course := p.errand()
	if course == nil {
		course = p.course()
	}
	for i, step := range course {
		if !step(ctx) {
			break
		}
		p.passed((i + 1) * courseSteps / len(course))
	}
	p.passed(courseSteps)
}

// course is what a person without an errand is going to do.
func (p *player) course() []step {
	steps := []step{p.place, p.shown("Placed", 1)}
	if p.chance(15) {
		return append(steps, p.cancel, p.shown("Canceled", 1))
	}
	for range p.rand.IntN(3) {
		steps = append(steps, p.talk)
	}
	steps = append(steps, p.deliver, p.shown("Ready for review", 1))
	if p.chance(55) || p.o.Pointing {
		steps = append(steps, p.revise, p.shown("Changes requested", 1), p.deliver, p.shown("Ready for review", 2))
	}
	if p.chance(20) {
		p.open = true
		return append(steps, p.talk)
	}
	return append(steps, p.approve, p.shown("Approved", 1))
}

func (p *player) chance(percent int) bool { return p.rand.IntN(100) < percent }

// times is how often a click reaches the app.
func (p *player) times() workspace.Times {
	switch n := p.rand.IntN(100); {
	case n < 12:
		return workspace.Twice
	case n < 20:
		return workspace.Replayed
	}
	return workspace.Once
}

// token makes words that nobody else uses.
func (p *player) token(what string) string {
	p.talks++
	return fmt.Sprintf("%s %04d-%d", what, p.n, p.talks)
}

func (p *player) act(kind, token string) *act {
	return p.ledger.begin(&act{kind: kind, token: token, order: p.order, channel: p.channel, user: p.user})
}

// place orders one photo.
func (p *player) place(ctx context.Context) bool {
	p.asks = "Brighten the sky.\n" + p.token("As agreed in")
	return p.placeBy(ctx, form{fields: map[string]string{"Instructions": p.asks, "Project name": p.project}})
}

// placeBy orders one photo with a form that is filled in like this.
func (p *player) placeBy(ctx context.Context, f form) bool {
	p.placing.RLock()
	defer p.placing.RUnlock()
	url := p.Samples()[p.n%3]
	f.open, f.label, f.times = func() bool { return p.win.Command(p.channel, "/order new "+url) == nil }, "Project name", p.times()
	f.arrived = func() bool {
		p.order = p.placedAs(p.project)
		return p.order != ""
	}
	a := p.act(actOrder, p.project)
	defer func() { a.words = p.asks }()
	return p.submit(ctx, a, f)
}

// placedAs is the id of the newest order of that project name.
func (w *world) placedAs(project string) string {
	for _, o := range slices.Backward(w.service()) {
		if called(o.Asked, project) {
			return o.ID
		}
	}
	return ""
}

// shown waits until the channel shows the nth event of that name.
func (p *player) shown(event string, n int) step {
	return func(ctx context.Context) bool {
		seen := poll(ctx, p.o.patience(), 2*look, func() bool {
			_, found := p.reply(event, n)
			return found
		})
		if !seen && ctx.Err() == nil {
			p.ledger.note("gave up waiting to see: " + event)
		}
		return seen
	}
}

// card is the order's card: in the channel, or in the thread of its batch's card.
func (p *player) card() (workspace.Message, bool) {
	for _, root := range p.ws.Messages(p.channel) {
		if root.BotID == "" || isQuestion(root) || root.ThreadTS != "" && root.ThreadTS != root.TS {
			continue
		}
		if !isOfBatch(root) {
			if p.isAbout(root.Text) {
				return root, true
			}
			continue
		}
		for _, m := range p.ws.Thread(p.channel, root.TS) {
			if m.TS != root.TS && isCard(m) && p.isAbout(m.Text) {
				return m, true
			}
		}
	}
	return workspace.Message{}, false
}

// isCard tells whether a message is the card of an order.
func isCard(m workspace.Message) bool {
	payload, _ := m.Metadata["event_payload"].(map[string]any)
	return m.Metadata["event_type"] == "darkroom_order" && payload["event"] == "card"
}

// isOfBatch tells whether a message is the card of a batch, or tells of a batch's deliveries.
func isOfBatch(m workspace.Message) bool {
	return m.Metadata["event_type"] == typeBatchCard || m.Metadata["event_type"] == typeDeliveries
}

const (
	typeBatchCard  = "darkroom_batch_card"
	typeDeliveries = "darkroom_deliveries"
)

// reply is the nth event of that name in the order's thread.
func (p *player) reply(event string, n int) (workspace.Message, bool) {
	card, found := p.card()
	if !found {
		return workspace.Message{}, false
	}
	for _, m := range p.ws.Thread(p.channel, cmp.Or(card.ThreadTS, card.TS)) {
		if m.TS == card.TS || isOfBatch(m) || !named(m, event) || card.ThreadTS != "" && card.ThreadTS != card.TS && !p.isAbout(m.Text) {
			continue
		}
		if n--; n == 0 {
			return m, true
		}
	}
	return workspace.Message{}, false
}

// named tells whether a reply is an event of that name.
func named(m workspace.Message, event string) bool {
	return m.BotID != "" && strings.HasPrefix(strings.Trim(m.Text, "* "), event)
}

// talk says something to the editor or gives them an image, now and then both at once,
// and waits until the channel shows it: what the editor does next happens after it.
func (p *player) talk(ctx context.Context) bool {
	if p.chance(30) {
		_ = p.Photos.Say(p.order, p.token("The editor says"))
	}
	n := p.rand.IntN(100)
	if both := n >= 80; both {
		return p.message(ctx) && p.reference(ctx) && p.sees(ctx, "Message sent", &p.letters) && p.sees(ctx, "References added", &p.pictures)
	}
	if n >= 60 {
		return p.reference(ctx) && p.sees(ctx, "References added", &p.pictures)
	}
	write := p.message
	if n < 25 {
		write = p.letter
	}
	return write(ctx) && p.sees(ctx, "Message sent", &p.letters)
}

// sees waits until the channel shows one more event of that name.
func (p *player) sees(ctx context.Context, event string, so *int) bool {
	*so++
	return p.shown(event, *so)(ctx)
}

// message writes to the editor by a line.
func (p *player) message(ctx context.Context) bool {
	text := p.token("Please keep the shadows")
	return p.say(ctx, p.act(actMessage, text), "/order message "+p.order+" "+text, p.has(func(o photos.Order) bool { return said(o, text) > 0 }))
}

// letter writes to the editor by the form behind the card's button.
func (p *player) letter(ctx context.Context) bool {
	text := p.token("Mind the horizon")
	return p.submit(ctx, p.act(actMessage, text), form{
		open:    p.either("Message the Editor", p.onCard, "/order message "+p.order),
		label:   "Message",
		fields:  map[string]string{"Message": text},
		times:   p.times(),
		arrived: p.has(func(o photos.Order) bool { return said(o, text) > 0 }),
	})
}

// reference gives the editor an image to look at.
func (p *player) reference(ctx context.Context) bool {
	p.talks++
	url := fmt.Sprintf("%s?reference=%04d-%d", p.Samples()[(p.n+1)%3], p.n, p.talks)
	return p.say(ctx, p.act(actReference, url), "/order reference "+p.order+" "+url, p.has(func(o photos.Order) bool { return given(o, url) > 0 }))
}

// cancel takes the order back.
func (p *player) cancel(ctx context.Context) bool {
	if p.chance(15) {
		return p.atTheService(ctx, actCancel)
	}
	reason := p.token("We chose other photos")
	return p.submit(ctx, p.act(actCancel, reason), form{
		open:    p.either("Cancel Order", p.onCard, "/order cancel "+p.order),
		label:   "Reason",
		fields:  map[string]string{"Reason": reason},
		times:   p.times(),
		arrived: p.has(func(o photos.Order) bool { return o.Status == "canceled" }),
	})
}

// revise asks for changes.
func (p *player) revise(ctx context.Context) bool {
	if p.chance(12) {
		return p.atTheService(ctx, actRevise)
	}
	wish, label := p.token("A little warmer"), p.firstBox()
	request := p.act(actRevise, wish)
	return p.submit(ctx, request, form{
		ready:   p.points(ctx, request),
		open:    p.either("Request Changes", p.onReview, "/order revise "+p.order),
		label:   label,
		fields:  map[string]string{label: wish},
		times:   p.times(),
		arrived: p.has(func(o photos.Order) bool { return wished(o, wish) > 0 }),
	})
}

// firstBox is what the form for changes calls the box of the first photo.
func (p *player) firstBox() string {
	if o, found := p.Photos.Order(p.order); found && len(o.Edited) > 0 {
		return "1 · " + o.Edited[0].Name
	}
	return "1 · "
}

// approve ends the order well.
func (p *player) approve(ctx context.Context) bool {
	if p.chance(12) {
		return p.atTheService(ctx, actApprove)
	}
	arrived := p.has(func(o photos.Order) bool { return o.Approvals > 0 })
	if p.chance(50) && p.mayApprove() {
		return p.acts(ctx, p.act(actApprove, ""), func() bool { return p.onReview("Approve") }, arrived)
	}
	feedback := p.token("Lovely light")
	return p.submit(ctx, p.act(actApprove, feedback), form{
		open:    func() bool { return p.win.Command(p.channel, "/order approve "+p.order) == nil },
		label:   "Feedback",
		fields:  map[string]string{"Feedback": feedback},
		times:   p.times(),
		arrived: arrived,
	})
}

// either presses the button or types the line.
func (p *player) either(label string, press func(string) bool, line string) func() bool {
	return func() bool {
		if p.chance(50) && press(label) {
			return true
		}
		return p.win.Command(p.channel, line) == nil
	}
}

func (p *player) onCard(label string) bool {
	card, found := p.card()
	return found && p.pressOn(card, label, workspace.Once)
}

// mayApprove tells whether the review in the thread offers to approve at once.
func (p *player) mayApprove() bool {
	for n := 1; ; n++ {
		m, found := p.reply("Ready for review", n)
		if !found || strings.Contains(fmt.Sprint(m.Blocks), "action_id:order:approve-shown") {
			return found
		}
	}
}

func (p *player) onReview(label string) bool {
	for n := 2; n > 0; n-- {
		if m, found := p.reply("Ready for review", n); found && p.pressOn(m, label, workspace.Once) {
			return true
		}
	}
	return false
}

// deliver makes the editor finish.
func (p *player) deliver(context.Context) bool { return p.Photos.Deliver(p.order) == nil }

// has asks the service about the order.
func (p *player) has(holds func(photos.Order) bool) func() bool {
	return func() bool {
		o, found := p.Photos.Order(p.order)
		return found && holds(o)
	}
}

// said counts a message of ours at the service.
func said(o photos.Order, text string) (n int) {
	for _, m := range o.Messages {
		if m.From == "client" && m.Content == text {
			n++
		}
	}
	return n
}

// given counts a reference image at the service.
func given(o photos.Order, url string) (n int) {
	for _, r := range o.References {
		if r.URL == url {
			n++
		}
	}
	return n
}

// wished counts a revision at the service.
func wished(o photos.Order, wish string) (n int) {
	for _, r := range o.Revisions {
		for _, lines := range r {
			if slices.Contains(lines, wish) {
				n++
				break
			}
		}
	}
	return n
}

// atTheService does something where the service's own page would.
func (p *player) atTheService(ctx context.Context, kind string) bool {
	token := p.token("Done at the service")
	a := p.act(kind, token)
	a.elsewhere = true
	do, done := p.deed(ctx, kind, token)
	// What is slow may arrive after the page has given up: it is waited for before anything is done again.
	if !poll(ctx, time.Minute, look, func() bool { do(); return done() || poll(ctx, 4*time.Second, look, done) }) {
		p.ledger.note("not done at the service: " + kind)
		return false
	}
	a.ack()
	a.finish("")
	return true
}

func (p *player) deed(ctx context.Context, kind, token string) (do func(), done func() bool) {
	switch kind {
	case actCancel:
		return func() { _, _ = p.site.Cancel(ctx, p.order, []string{token}) }, p.has(func(o photos.Order) bool { return o.Status == "canceled" })
	case actApprove:
		return func() { _, _ = p.site.Approve(ctx, p.order, []string{token}) }, p.has(func(o photos.Order) bool { return o.Approvals > 0 })
	}
	return func() {
		o, _ := p.Photos.Order(p.order)
		if len(o.Edited) > 0 {
			_, _ = p.site.Revise(ctx, p.order, map[string][]string{o.Edited[0].ID: {token}})
		}
	}, p.has(func(o photos.Order) bool { return wished(o, token) > 0 })
}
