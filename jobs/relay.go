package jobs

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// Private tells what its writer keeps from the editor, whatever the channel relays.
func Private(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), "//") }

// PutSaid puts the job of what was said where nothing that was said before in that thread is
// overtaken: behind those that wait for the thread's order, when there are any.
func (j *Jobs) PutSaid(ctx context.Context, r bot.Request, body ThreadArgs) error {
	waits := body.Order == "" && r.Thread != ""
	if body.Order != "" {
		var err error
		if waits, err = j.queue.Busy(ctx, ThreadLane(r.Team, r.Channel, r.Thread)); err != nil {
			return err
		}
	}
	if waits {
		return j.putThreaded(ctx, body)
	}
	return j.PutRelay(ctx, body.RelayArgs, RelayID(body.RelayArgs))
}

// RelayID is the identity of a message, however often and by whatever events it comes.
func RelayID(b RelayArgs) string {
	return strings.Join([]string{RelayJob, b.Team, b.Channel, b.TS}, ":")
}

// PutRelay puts the job of a message; one that belongs to no order is answered apart.
func (j *Jobs) PutRelay(ctx context.Context, b RelayArgs, id string) error {
	lane := "order:" + b.Order
	if b.Order == "" {
		lane = id
	}
	return j.Put(ctx, RelayJob, id, lane, b)
}

// relayed is what is remembered of a message in Slack that was to reach an editor.
type relayed struct {
	Order     string `json:"order"`
	Author    string `json:"author"`        // whose message it is
	Raw       string `json:"raw,omitempty"` // in Slack's markup, as it was seen last
	Text      string `json:"text"`          // the plain words that the editor has
	Delivered bool   `json:"delivered,omitempty"`
	Deleted   bool   `json:"deleted,omitempty"`
}

// relayLife is how long an edit of a relayed message is noticed.
const relayLife = 90 * 24 * time.Hour

// relayNote names the note of a message.
func relayNote(team, channel, ts string) string {
	return strings.Join([]string{"relay", team, channel, ts}, ":")
}

// relayedAs reads that note; the zero value when there is none.
func (j *Jobs) relayedAs(ctx context.Context, name string) (relayed, error) {
	var was relayed
	err := j.store.Noted(ctx, name, &was)
	if errors.Is(err, store.ErrNoNote) {
		err = nil
	}
	return was, err
}

// RelayArgs is the body of the job that sends a message in Slack to an order's editor.
type RelayArgs struct {
	Asker
	Order   string      `json:"order,omitempty"` // "": the app was mentioned in no order's thread
	TS      string      `json:"ts"`
	Author  string      `json:"author"` // whose message it is
	Raw     string      `json:"raw"`    // in Slack's markup
	Files   []SlackFile `json:"files,omitempty"`
	Private bool        `json:"private,omitempty"` // it begins with //
	Asked   bool        `json:"asked,omitempty"`   // by the shortcut, so an answer is expected
}

// How a relay can end besides the ends of everything outbound.
const (
	endWordless end = "wordless"
	endHad      end = "had"     // it was sent before
	endPrivate  end = "private" // it begins with // behind the app's name
)

// The marks on a message: whether it reached the editor.
const (
	markDelivered = "white_check_mark"
	markFailed    = "warning"
)

// relay does the job.
func (j *Jobs) relay(ctx context.Context, d *queue.Delivery, body RelayArgs) error {
	switch {
	case body.Order == "":
		return j.whisper(ctx, body.Asker, cards.RelayHint())
	case body.Private:
		return j.whisper(ctx, body.Asker, cards.RelayPrivate())
	}
	return j.runOutbound(ctx, &outbound{d: d, asker: body.Asker, payload: relayPayload{j, body}}, body.Order)
}

// relayPayload is a message in Slack on its way to an editor. Its answer is a mark on it; only
// what its writer must know is said, to them alone.
type relayPayload struct {
	jobs *Jobs
	body RelayArgs
}

func (p relayPayload) note() string { return relayNote(p.body.Team, p.body.Channel, p.body.TS) }

func (p relayPayload) prepare(ctx context.Context, e *outbound) (end, string, error) {
	was, err := p.jobs.relayedAs(ctx, p.note())
	if err != nil {
		return endNone, "", err
	}
	if was.Delivered && !p.body.Asked {
		return endHad, "", nil
	}
	text, ours, err := p.jobs.wordsOf(ctx, p.body)
	switch {
	case err != nil:
		return endNone, "", err
	case was.Delivered && text == was.Text: // what was edited since may be asked for again
		return endHad, "", nil
	case ours:
		return endNothing, "", nil
	case Private(text) && !p.body.Asked:
		return endPrivate, "", nil
	case text == "":
		return endWordless, "", nil
	}
	e.state.Text = text
	if err := p.remember(ctx, e, false); err != nil {
		return endNone, "", err
	}
	if utf8.RuneCountInString(text) > order.MaxMessage {
		return endNone, cards.TooLong(text), nil
	}
	return endNone, "", nil
}

// wordsOf are the plain words of a message without the leading mention of the app. What
// the app itself wrote never goes to an editor.
func (j *Jobs) wordsOf(ctx context.Context, body RelayArgs) (text string, ours bool, err error) {
	who, err := j.slack.Identity(ctx)
	if err != nil {
		return "", false, err
	}
	if body.Author == who.BotUser {
		return "", true, nil
	}
	text, err = bot.Plain(ctx, j.slack, withoutMention(body.Raw, who.BotUser))
	return strings.TrimSpace(text), false, err
}

// withoutMention takes the app's name from the beginning of a message.
func withoutMention(raw, app string) string {
	leading := regexp.MustCompile(`^\s*<@` + regexp.QuoteMeta(app) + `(\|[^<>]*)?>[\s,:]*`)
	return leading.ReplaceAllString(raw, "")
}

func (p relayPayload) remember(ctx context.Context, e *outbound, delivered bool) error {
	return p.jobs.store.Note(ctx, p.note(), relayed{
		Order: p.body.Order, Author: p.body.Author, Raw: p.body.Raw, Text: e.state.Text, Delivered: delivered,
	}, relayLife)
}

func (p relayPayload) intent(e *outbound) order.Intent {
	return order.Intent{Verb: order.VerbMessage, Words: strings.Split(e.state.Text, "\n")}
}

func (p relayPayload) send(ctx context.Context, e *outbound) (order.Order, error) {
	return p.jobs.service.Message(ctx, e.order.ID, e.state.Text)
}

func (p relayPayload) later(ctx context.Context, e *outbound) error {
	return p.jobs.whisper(ctx, p.body.Asker, cards.AsMessage(cards.MessageLater(e.order, e.state.Text, "")))
}

func (p relayPayload) notify(ctx context.Context, e *outbound) error {
	switch e.state.End {
	case endDelivered:
		return p.arrived(ctx, e)
	case endKept:
		if err := p.mark(ctx, markFailed); err != nil {
			return err
		}
		kept, err := p.jobs.keptMessage(ctx, e, e.state.Text)
		if err != nil {
			return err
		}
		return p.jobs.whisper(ctx, p.body.Asker, kept)
	case endGuest:
		return p.jobs.whisper(ctx, p.body.Asker, cards.RelayGuest(e.order, e.state.Why))
	case endHidden: // as in a thread of no order
		return p.jobs.whisper(ctx, p.body.Asker, cards.RelayHint())
	case endPrivate:
		return p.jobs.whisper(ctx, p.body.Asker, cards.RelayPrivate())
	case endHad:
		if p.body.Asked {
			return p.jobs.whisper(ctx, p.body.Asker, cards.RelayHad(e.order))
		}
	case endWordless:
		if len(p.body.Files) > 0 {
			return p.offer(ctx, e, true)
		}
		return p.jobs.whisper(ctx, p.body.Asker, cards.RelayWordless(e.order))
	}
	return nil
}

// arrived marks the message. What is attached to it stays behind, and is offered.
func (p relayPayload) arrived(ctx context.Context, e *outbound) error {
	if err := p.remember(ctx, e, true); err != nil {
		return err
	}
	if err := p.mark(ctx, markDelivered); err != nil {
		return err
	}
	return p.offer(ctx, e, false)
}

func (p relayPayload) mark(ctx context.Context, emoji string) error {
	return p.jobs.store.Mark(ctx, store.Mark{Team: p.body.Team, Channel: p.body.Channel, TS: p.body.TS, Emoji: emoji})
}

// offer keeps the message's pictures and offers them as reference images.
func (p relayPayload) offer(ctx context.Context, e *outbound, wordless bool) error {
	pictures := 0
	album := Album{Order: p.body.Order, User: p.body.User, Photos: p.jobs.PhotosOf(p.jobs.LookAt(ctx, p.body.Files, cards.UnreadFile))}
	for _, photo := range album.Photos {
		if photo.Picture {
			pictures++
		}
	}
	if pictures == 0 {
		if wordless {
			return p.jobs.whisper(ctx, p.body.Asker, cards.RelayWordless(e.order))
		}
		return nil
	}
	note, err := p.jobs.KeepAlbum(ctx, e.d.ID, album)
	if err != nil {
		return err
	}
	return p.jobs.whisper(ctx, p.body.Asker, cards.RelayOffer(e.order, pictures, wordless, note))
}

// relayDied marks a message whose job can be done no more; its writer is to be told.
func (j *Jobs) relayDied(ctx context.Context, l queue.DeadLetter, body RelayArgs) bool {
	if body.Order == "" {
		return false
	}
	if err := (relayPayload{j, body}).mark(ctx, markFailed); err != nil {
		j.log.ErrorContext(ctx, "message of a dead job not marked", "job", l.ID, "err", err)
	}
	return false
}

func (j *Jobs) relayKind() queue.Declared {
	return queue.Kind[RelayArgs]{
		Name: RelayJob, Work: j.relay, Blocked: j.relayBlocked, Died: j.relayDied,
		Asked: "sending a message to an editor", Truth: truthOfOutbound, Typed: RelayArgs.typed,
	}.Declare()
}

// typed is the message as a person reads it.
func (b RelayArgs) typed() string { return written(bot.AsTyped(b.Raw)) }

func (j *Jobs) relayBlocked(ctx context.Context, d *queue.Delivery, body RelayArgs) error {
	if body.Private {
		return nil
	}
	text, ours, err := j.wordsOf(ctx, body)
	if err != nil || ours || text == "" || Private(text) && !body.Asked {
		return err
	}
	e := &outbound{d: d, asker: body.Asker, payload: relayPayload{j, body}}
	e.state.Text = text
	return j.outboundBlocked(ctx, e, body.Order)
}
