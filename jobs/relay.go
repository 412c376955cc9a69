package jobs

import (
	"context"
	"regexp"
	"strings"
	"time"

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

// Private reports whether the writer marked the text as not for the editor.
func Private(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), "//") }

// PutSaid puts the job of a message in the order of its thread: behind messages that still wait for the thread's
// order.
func (j *Threads) PutSaid(ctx context.Context, r bot.Request, body ThreadArgs) error {
	waits := body.First || body.Order == "" && r.Thread != ""
	if !waits && body.Order != "" {
		var err error
		if waits, err = j.queue.Inspector().Busy(ctx, threadLane(r.Team, r.Channel, r.Thread)); err != nil {
			return err
		}
		if !waits && body.Overheard { // behind the writer's first, which may still be taken back
			if body.First, err = j.queue.Inspector().Busy(ctx, ownLane(r.Team, r.Channel, r.Thread, r.User)); err != nil {
				return err
			}
			waits = body.First
		}
	}
	if waits {
		return j.putThreaded(ctx, body)
	}
	return j.talk.PutRelay(ctx, body.RelayArgs, RelayID(body.RelayArgs))
}

// RelayID returns the job id of a message, the same for all its events.
func RelayID(b RelayArgs) string { return job.Relay + ":" + b.Team + ":" + b.Channel + ":" + b.TS }

// PutRelay puts the job of a message. A message without an order has a lane of its own.
func (j *Talk) PutRelay(ctx context.Context, b RelayArgs, id string) error {
	lane := "order:" + b.Order
	if b.Order == "" {
		lane = id
	}
	return j.putter.Put(ctx, job.Relay, id, lane, b)
}

// RelayArgs is the body of the job that sends a message in Slack to an order's editor. The answer is a reaction on the
// message; its writer alone sees any more.
type RelayArgs struct {
	answers.Asker
	Order   string      `json:"order,omitempty"` // "": the app was mentioned outside the threads of orders
	TS      string      `json:"ts"`
	Author  string      `json:"author"` // user who wrote the message
	Raw     string      `json:"raw"`    // text in Slack's markup
	Files   []SlackFile `json:"files,omitempty"`
	Private bool        `json:"private,omitempty"` // begins with //
	Asked   bool        `json:"asked,omitempty"`   // sent by the shortcut, which expects an answer
	Offered bool        `json:"offered,omitempty"` // its writer may take it back until it is sent
}

// The ends of a relay, besides those of every outbound job.
const (
	endEmpty      end = "wordless"
	endSentBefore end = "had"     // sent before
	endPrivate    end = "private" // begins with // behind the app's name
)

// The reactions that show whether a message reached the editor.
const (
	markDelivered = "white_check_mark"
	markFailed    = "warning"
)

// relay sends a message to the editor of the thread's order. It only answers a private message, or one without an
// order.
func (j *Talk) relay(ctx context.Context, d *queue.Delivery, body RelayArgs) error {
	switch {
	case body.Order == "":
		return j.mentions.answer(ctx, d.ID, body)
	case body.Private:
		return j.messages.Hint(ctx, body.Asker, talk.RelayPrivate())
	}
	return j.sendOutbound(ctx, d, body)
}

func (b RelayArgs) to() (answers.Asker, string) { return b.Asker, b.Order }

func (b RelayArgs) doc() string { return relayDoc(b.Team, b.Channel, b.TS) }

func (b RelayArgs) prepare(ctx context.Context, e *outbound) (end, error) {
	was, err := e.talk.readRelay(ctx, b.doc())
	switch {
	case err != nil:
		return noEnd, err
	case was.Delivered && !b.Asked:
		return endSentBefore, nil
	}
	text, ours, err := e.talk.plainText(ctx, b)
	switch {
	case err != nil:
		return noEnd, err
	case was.Delivered && text == was.Text: // an edited message may be sent again
		return endSentBefore, nil
	case ours:
		return endNothing, nil
	case Private(text) && !b.Asked:
		return endPrivate, nil
	case text == "":
		return endEmpty, nil
	}
	e.saved.Text = text
	if err := b.remember(ctx, e, false); err != nil || e.tooLong(text) != noEnd {
		return e.tooLong(text), err
	}
	return b.claimToSend(ctx, e)
}

func (b RelayArgs) remember(ctx context.Context, e *outbound, delivered bool) error {
	return e.talk.store.Documents.PutPersonal(ctx, b.Author, b.doc(), relayRecord{
		Order: b.Order, Author: b.Author, Raw: b.Raw, Text: e.saved.Text, Delivered: delivered, First: b.Offered && !delivered,
	}, relayLife)
}

func (b RelayArgs) intent(e *outbound) order.Intent {
	i := order.Intent{Verb: order.VerbMessage, Words: strings.Split(e.saved.Text, "\n")}
	if b.Thread != "" {
		i.Message = &order.SlackMessage{Channel: b.Channel, TS: b.TS, Thread: b.Thread}
	}
	return i
}

func (b RelayArgs) send(ctx context.Context, e *outbound) (order.Order, error) {
	return e.talk.service.Message(ctx, e.order.ID, e.saved.Text)
}

func (b RelayArgs) later(ctx context.Context, e *outbound) error {
	return e.talk.notifyRelayDelay(ctx, b.Asker, e.order, e.saved.Text)
}

func (j *Talk) notifyRelayDelay(ctx context.Context, a answers.Asker, t store.Tracked, text string) error {
	return j.messages.InformOf(ctx, a, t, kit.AsMessage(talk.MessageLater(t, text, "")))
}

func (b RelayArgs) notify(ctx context.Context, e *outbound) error {
	switch e.saved.End {
	case endDelivered:
		return b.arrived(ctx, e)
	case endReturned:
		if err := b.mark(ctx, e.talk, markFailed); err != nil {
			return err
		}
		kept, err := e.returnedMessage(ctx, e.saved.Text)
		if err != nil {
			return err
		}
		return e.talk.messages.InformOf(ctx, b.Asker, e.order, kept)
	case endDenied:
		return e.talk.messages.InformOf(ctx, b.Asker, e.order, talk.RelayGuest(e.order, e.saved.Why))
	case endHidden: // as if the thread had no order
		return e.talk.mentions.answer(ctx, e.Delivery.ID, b)
	case endPrivate:
		return e.talk.messages.Hint(ctx, b.Asker, talk.RelayPrivate())
	case endSentBefore:
		if b.Asked {
			return e.talk.messages.Hint(ctx, b.Asker, talk.RelayAlreadySent(e.order))
		}
	case endEmpty:
		return b.offer(ctx, e, true)
	}
	return nil
}

// arrived marks the message and offers its attached pictures, which were not sent.
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

// offer saves the message's pictures and offers them as reference images. It notifies the writer of a message with
// neither text nor pictures.
func (b RelayArgs) offer(ctx context.Context, e *outbound, wordless bool) error {
	album := answers.Album{Order: b.Order, User: b.User, Photos: e.talk.albums.PhotosOf(e.talk.albums.Inspect(ctx, b.Files, talk.UnreadFile))}
	pictures := kit.CountFunc(album.Photos, func(p answers.RefPhoto) bool { return p.Picture })
	switch {
	case pictures == 0 && wordless:
		return e.talk.messages.InformOf(ctx, b.Asker, e.order, talk.RelayWordless(e.order))
	case pictures == 0:
		return nil
	}
	note, err := e.talk.albums.SaveAlbum(ctx, e.Delivery.ID, album)
	if err != nil {
		return err
	}
	return e.talk.messages.InformOf(ctx, b.Asker, e.order, talk.RelayOffer(e.order, pictures, wordless, note))
}

// plainText returns a message as plain text without the leading mention of the app. ours reports that the app wrote it:
// such messages never go to an editor.
func (j *Talk) plainText(ctx context.Context, body RelayArgs) (text string, ours bool, err error) {
	who, err := j.slack.Identity(ctx)
	if err != nil {
		return "", false, err
	}
	if body.Author == who.BotUser {
		return "", true, nil
	}
	text, err = client.Plain(ctx, j.slack, WithoutMention(body.Raw, who.BotUser))
	return strings.TrimSpace(text), false, err
}

// WithoutMention removes a leading mention of the app.
func WithoutMention(raw, app string) string {
	leading := regexp.MustCompile(`^\s*<@` + regexp.QuoteMeta(app) + `(\|[^<>]*)?>[\s,:]*`)
	return leading.ReplaceAllString(raw, "")
}

// relayDied marks the message of a dead letter. Its false return has the writer notified.
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

// typed returns the message as a person reads it.
func (b RelayArgs) typed() string { return job.Written(client.AsTyped(b.Raw)) }

func (j *Talk) relayBlocked(ctx context.Context, _ *queue.Delivery, body RelayArgs) error {
	if body.Private {
		return nil
	}
	if body.Offered {
		var by claim
		if err := j.store.Documents.GetIfThere(ctx, claimDoc(body.Team, body.Channel, body.TS), &by); err != nil || by == claimTaken {
			return err
		}
	}
	text, ours, err := j.plainText(ctx, body)
	if err != nil || ours || text == "" || Private(text) && !body.Asked {
		return err
	}
	t, err := j.store.Orders.Order(ctx, body.Order)
	if err != nil {
		return err
	}
	return j.notifyRelayDelay(ctx, body.Asker, t, text)
}

// relayRecord is the saved record of a message in Slack for an editor.
type relayRecord struct {
	Order     string `json:"order"`
	Author    string `json:"author"`        // user who wrote the message
	Raw       string `json:"raw,omitempty"` // newest text, in Slack's markup
	Text      string `json:"text"`          // plain text that the editor has
	Delivered bool   `json:"delivered,omitempty"`
	Deleted   bool   `json:"deleted,omitempty"`
	First     bool   `json:"first,omitempty"` // its writer may take it back: see [Talk.TakeBack]
}

// relayLife is how long an edit of a relayed message is noticed.
const relayLife = 90 * 24 * time.Hour

// relayDoc names the record of a message.
func relayDoc(team, channel, ts string) string { return "relay:" + team + ":" + channel + ":" + ts }

// readRelay reads the record of this name; the zero value if it is absent.
func (j *Talk) readRelay(ctx context.Context, name string) (was relayRecord, err error) {
	err = j.store.Documents.GetIfThere(ctx, name, &was)
	return was, err
}
