package jobs

import (
	"context"
	"regexp"
	"strings"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards/kit"
	"darkroom/cards/talk"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// Private tells what its writer keeps from the editor, whatever the channel relays.
func Private(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), "//") }

// PutSaid puts the job of what was said where nothing that was said before in that thread is
// overtaken: behind those that wait for the thread's order, when there are any.
func (j *Threads) PutSaid(ctx context.Context, r bot.Request, body ThreadArgs) error {
	waits := body.Order == "" && r.Thread != ""
	if body.Order != "" {
		var err error
		if waits, err = j.queue.Inspector().Busy(ctx, threadLane(r.Team, r.Channel, r.Thread)); err != nil {
			return err
		}
	}
	if waits {
		return j.putThreaded(ctx, body)
	}
	return j.talk.PutRelay(ctx, body.RelayArgs, RelayID(body.RelayArgs))
}

// RelayID is the identity of a message, however often and by whatever events it comes.
func RelayID(b RelayArgs) string { return job.Relay + ":" + b.Team + ":" + b.Channel + ":" + b.TS }

// PutRelay puts the job of a message; one that belongs to no order is answered apart.
func (j *Talk) PutRelay(ctx context.Context, b RelayArgs, id string) error {
	lane := "order:" + b.Order
	if b.Order == "" {
		lane = id
	}
	return j.putter.Put(ctx, job.Relay, id, lane, b)
}

// RelayArgs is the body of the job that sends a message in Slack to an order's editor. Its answer
// is a mark on the message; only what its writer must know is said, to them alone.
type RelayArgs struct {
	answers.Asker
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

// relay brings what was said to the editor of the thread's order; what is private, or in no order's
// thread, it only answers.
func (j *Talk) relay(ctx context.Context, d *queue.Delivery, body RelayArgs) error {
	switch {
	case body.Order == "":
		return j.messages.Hint(ctx, body.Asker, talk.RelayHint())
	case body.Private:
		return j.messages.Hint(ctx, body.Asker, talk.RelayPrivate())
	}
	return j.sendOutbound(ctx, d, body)
}

func (b RelayArgs) to() (answers.Asker, string) { return b.Asker, b.Order }

func (b RelayArgs) note() string { return relayNote(b.Team, b.Channel, b.TS) }

func (b RelayArgs) prepare(ctx context.Context, e *outbound) (end, error) {
	was, err := e.talk.relayedAs(ctx, b.note())
	switch {
	case err != nil:
		return endNone, err
	case was.Delivered && !b.Asked:
		return endHad, nil
	}
	text, ours, err := e.talk.wordsOf(ctx, b)
	switch {
	case err != nil:
		return endNone, err
	case was.Delivered && text == was.Text: // what was edited since may be asked for again
		return endHad, nil
	case ours:
		return endNothing, nil
	case Private(text) && !b.Asked:
		return endPrivate, nil
	case text == "":
		return endWordless, nil
	}
	e.kept.Text = text
	return e.tooLong(text), b.remember(ctx, e, false)
}

func (b RelayArgs) remember(ctx context.Context, e *outbound, delivered bool) error {
	return e.talk.store.Documents.PutPersonal(ctx, b.Author, b.note(), relayed{
		Order: b.Order, Author: b.Author, Raw: b.Raw, Text: e.kept.Text, Delivered: delivered,
	}, relayLife)
}

func (b RelayArgs) intent(e *outbound) order.Intent {
	i := order.Intent{Verb: order.VerbMessage, Words: strings.Split(e.kept.Text, "\n")}
	if b.Thread != "" {
		i.Message = &order.SlackMessage{Channel: b.Channel, TS: b.TS, Thread: b.Thread}
	}
	return i
}

func (b RelayArgs) send(ctx context.Context, e *outbound) (order.Order, error) {
	return e.talk.service.Message(ctx, e.order.ID, e.kept.Text)
}

func (b RelayArgs) later(ctx context.Context, e *outbound) error {
	return e.talk.relayLater(ctx, b.Asker, e.order, e.kept.Text)
}

func (j *Talk) relayLater(ctx context.Context, a answers.Asker, t store.Tracked, text string) error {
	return j.messages.InformOf(ctx, a, t, kit.AsMessage(talk.MessageLater(t, text, "")))
}

func (b RelayArgs) notify(ctx context.Context, e *outbound) error {
	switch e.kept.End {
	case endDelivered:
		return b.arrived(ctx, e)
	case endKept:
		if err := b.mark(ctx, e.talk, markFailed); err != nil {
			return err
		}
		kept, err := e.keptMessage(ctx, e.kept.Text)
		if err != nil {
			return err
		}
		return e.talk.messages.InformOf(ctx, b.Asker, e.order, kept)
	case endGuest:
		return e.talk.messages.InformOf(ctx, b.Asker, e.order, talk.RelayGuest(e.order, e.kept.Why))
	case endHidden: // as in a thread of no order
		return e.talk.messages.Hint(ctx, b.Asker, talk.RelayHint())
	case endPrivate:
		return e.talk.messages.Hint(ctx, b.Asker, talk.RelayPrivate())
	case endHad:
		if b.Asked {
			return e.talk.messages.Hint(ctx, b.Asker, talk.RelayAlreadySent(e.order))
		}
	case endWordless:
		return b.offer(ctx, e, true)
	}
	return nil
}

// arrived marks the message. What is attached to it stays behind, and is offered.
func (b RelayArgs) arrived(ctx context.Context, e *outbound) error {
	if err := b.remember(ctx, e, true); err != nil {
		return err
	}
	if err := b.mark(ctx, e.talk, markDelivered); err != nil {
		return err
	}
	return b.offer(ctx, e, false)
}

func (b RelayArgs) mark(ctx context.Context, j *Talk, emoji string) error {
	return j.store.Announcements.Mark(ctx, store.Mark{Team: b.Team, Channel: b.Channel, TS: b.TS, Emoji: emoji})
}

// offer keeps the message's pictures and offers them as reference images; a message with neither
// words nor pictures has nothing to offer, and its writer is told so.
func (b RelayArgs) offer(ctx context.Context, e *outbound, wordless bool) error {
	pictures := 0
	album := answers.Album{Order: b.Order, User: b.User, Photos: e.talk.albums.PhotosOf(e.talk.albums.LookAt(ctx, b.Files, talk.UnreadFile))}
	for _, photo := range album.Photos {
		if photo.Picture {
			pictures++
		}
	}
	switch {
	case pictures == 0 && wordless:
		return e.talk.messages.InformOf(ctx, b.Asker, e.order, talk.RelayWordless(e.order))
	case pictures == 0:
		return nil
	}
	note, err := e.talk.albums.KeepAlbum(ctx, e.Delivery.ID, album)
	if err != nil {
		return err
	}
	return e.talk.messages.InformOf(ctx, b.Asker, e.order, talk.RelayOffer(e.order, pictures, wordless, note))
}

// wordsOf are the plain words of a message without the leading mention of the app. What
// the app itself wrote never goes to an editor.
func (j *Talk) wordsOf(ctx context.Context, body RelayArgs) (text string, ours bool, err error) {
	who, err := j.slack.Identity(ctx)
	if err != nil {
		return "", false, err
	}
	if body.Author == who.BotUser {
		return "", true, nil
	}
	text, err = client.Plain(ctx, j.slack, withoutMention(body.Raw, who.BotUser))
	return strings.TrimSpace(text), false, err
}

// withoutMention takes the app's name from the beginning of a message.
func withoutMention(raw, app string) string {
	leading := regexp.MustCompile(`^\s*<@` + regexp.QuoteMeta(app) + `(\|[^<>]*)?>[\s,:]*`)
	return leading.ReplaceAllString(raw, "")
}

// relayDied marks a message whose job can be done no more; its writer is to be told.
func (j *Talk) relayDied(ctx context.Context, l queue.DeadLetter, body RelayArgs) bool {
	if body.Order == "" {
		return false
	}
	if err := body.mark(ctx, j, markFailed); err != nil {
		j.log.ErrorContext(ctx, "message of a dead job not marked", "job", l.ID, "err", err)
	}
	return false
}

func (j *Talk) relayKind() queue.Declared {
	return queue.Kind[RelayArgs]{
		Name: job.Relay, NeedsService: true, Work: j.relay, Blocked: j.relayBlocked, Died: j.relayDied,
		Asked: "sending a message to an editor", Truth: job.OutcomeOfWrite, Typed: RelayArgs.typed,
	}.Declare()
}

// typed is the message as a person reads it.
func (b RelayArgs) typed() string { return job.Written(client.AsTyped(b.Raw)) }

func (j *Talk) relayBlocked(ctx context.Context, _ *queue.Delivery, body RelayArgs) error {
	if body.Private {
		return nil
	}
	text, ours, err := j.wordsOf(ctx, body)
	if err != nil || ours || text == "" || Private(text) && !body.Asked {
		return err
	}
	t, err := j.store.Orders.Order(ctx, body.Order)
	if err != nil {
		return err
	}
	return j.relayLater(ctx, body.Asker, t, text)
}
