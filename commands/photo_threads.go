package commands

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards"
	cardsbatch "darkroom/cards/batch"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	cardstalk "darkroom/cards/talk"
	"darkroom/commands/answer"
	"darkroom/files"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/jobs/batch"
	"darkroom/order"
	"darkroom/store"
)

const (
	// threadMessages is the number of messages read from a thread's beginning.
	threadMessages = order.MaxBatchOrders
	// threadTime bounds the reading. After it, the form opens with the one message's photos.
	threadTime = 2 * time.Second
)

// photoThreads orders the photos of a thread. Its form asks first which of them to order.
type photoThreads struct {
	slack        answers.Slack
	drafts       *store.Drafts
	photoThreads *store.PhotoThreads
	jobs         *jobs.Jobs
	files        *files.Signer
	log          *slog.Logger
	windows      *answer.Windows
	views        *draftViews
	photos       *photoFiles
}

// addThread makes the form ask which photos of the message's thread to order, if several messages have some. If the
// thread cannot be read, the form says why and has only the message's photos. Slack signed that the person sees this
// message, and a person who sees one message of a thread sees all.
func (c *photoThreads) addThread(ctx context.Context, r bot.Request, draft store.Draft, extras *place.FormExtras) {
	thread := threadOf(r.Message)
	if thread == "" || c.files == nil {
		return
	}
	if jobs.Postable(r.Channel) == "" {
		extras.Skipped = append(extras.Skipped, place.ThreadDirect)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, threadTime)
	defer cancel()
	t, err := c.readThread(ctx, r, draft, thread)
	if err == nil && len(t.Messages) > 1 {
		t.Own = slices.Clone(extras.Skipped)
		err = c.photoThreads.SaveThread(ctx, t)
		extras.Thread = &t
	}
	if err != nil {
		c.log.InfoContext(ctx, "thread of photos not read", "channel", r.Channel, "err", err)
		extras.Thread, extras.Skipped = nil, append(extras.Skipped, unreadThread(err))
	}
}

// threadOf returns the timestamp of the thread that a message is in or begins, else "".
func threadOf(m *slack.Message) string {
	switch {
	case m == nil:
		return ""
	case m.ThreadTimestamp != "":
		return m.ThreadTimestamp
	case m.ReplyCount > 0:
		return m.Timestamp
	}
	return ""
}

// unreadThread returns the sentence that says why a thread could not be read.
func unreadThread(err error) string {
	switch {
	case errors.Is(err, client.ErrMissingScope):
		return place.ThreadScope
	case errors.Is(err, client.ErrNotInChannel), errors.Is(err, client.ErrNotAllowed), errors.Is(err, client.ErrNoChannel), errors.Is(err, client.ErrGone):
		return place.ThreadUnread
	}
	return place.ThreadLate
}

// readThread returns a thread's messages with photos, without the app's own.
func (c *photoThreads) readThread(ctx context.Context, r bot.Request, draft store.Draft, thread string) (store.Thread, error) {
	t := store.Thread{ID: draft.ID, User: r.User}
	me, err := c.slack.Identity(ctx)
	if err != nil {
		return t, err
	}
	messages, more, err := c.slack.Begin(ctx, r.Channel, thread, threadMessages)
	if err != nil {
		return t, err
	}
	minted := map[string]store.DraftFile{} // the draft's photos keep their URLs
	for _, f := range draft.Files {
		minted[f.ID] = f
	}
	for i, m := range messages {
		if m.User == me.BotUser || m.BotID != "" && m.BotID == me.BotID {
			continue
		}
		if err := c.addMessage(ctx, &t, i+1, m, minted); err != nil {
			return t, err
		}
	}
	if more {
		t.Skipped = append(t.Skipped, place.ThreadMore(threadMessages))
	}
	return t, nil
}

// addMessage adds a message with photos to the thread. A thread's first message adds its text even without photos.
func (c *photoThreads) addMessage(ctx context.Context, t *store.Thread, number int, m slack.Message, minted map[string]store.DraftFile) error {
	attached := jobs.SlackFiles(m.Files)
	if slices.ContainsFunc(attached, jobs.SlackFile.IsIncomplete) {
		attached = c.jobs.Albums.Inspect(ctx, attached, cardstalk.UnreadFile)
	}
	found := store.ThreadMessage{Number: number}
	if len(attached) > 0 {
		photos, skipped := c.photos.photosIn(attached, len(attached)) // more photos than one order holds become several orders
		t.Skipped = append(t.Skipped, skipped...)
		found.Photos = photos
	}
	if len(found.Photos) == 0 && number > 1 {
		return nil
	}
	words, err := client.Plain(ctx, c.slack, m.Text)
	if err != nil {
		return err
	}
	found.Words = cards.ShortLines(order.Lines(words))
	if number == 1 {
		t.Words = found.Words
	}
	if len(found.Photos) == 0 {
		return nil
	}
	for i, f := range found.Photos {
		if old, known := minted[f.ID]; known {
			found.Photos[i] = old
		}
		minted[f.ID] = found.Photos[i]
	}
	t.Messages = append(t.Messages, found)
	return nil
}

// submitThread handles the choice: it shows the order form, or checks a batch with one order for each message. It
// places nothing.
func (c *photoThreads) submitThread(ctx context.Context, r bot.Request) (bot.Reply, error) {
	window, meta := r.View.ExternalID, kit.DecodeMeta(r.View.PrivateMetadata)
	t, err := c.photoThreads.Thread(ctx, meta.Draft)
	if errors.Is(err, store.ErrNoThread) || err == nil && t.User != r.User {
		return c.windows.ReplyNext(ctx, r, kit.Notice(place.Title, "Nothing was sent. "+place.ThreadGone, window))
	}
	if err != nil {
		return bot.Reply{}, err
	}
	choice, instructions := place.DecodeThread(*r.View)
	if choice != place.ThreadEach {
		return c.threadForm(ctx, r, t, choice)
	}
	if t.Wordless() > 0 && len(instructions) == 0 {
		return bot.Errors(place.ThreadWordless(*r.View)), nil
	}
	source := batch.Source{
		Team: r.Team, User: r.User, Channel: meta.Channel, From: meta.From, Thread: t.ID, Name: place.ThreadBatch,
		Origin: meta.Draft, BatchBack: place.BatchBack{Draft: meta.Draft, UploadGen: meta.UploadGen, Credits: meta.Credits}, Run: meta.Run, Opened: meta.Opened,
		Otherwise: order.BatchRow{Service: order.ServiceBasic, Instructions: instructions},
	}
	if err := c.jobs.Batches.PutBatchCheck(ctx, source, window, r.ID); err != nil {
		return bot.Reply{}, err
	}
	return c.windows.Reply(ctx, r, cardsbatch.Reading(place.ThreadBatch, window))
}

// threadForm shows the order form with the photos of the message, or of the whole thread.
func (c *photoThreads) threadForm(ctx context.Context, r bot.Request, t store.Thread, choice place.ThreadChoice) (bot.Reply, error) {
	window, skipped := r.View.ExternalID, t.Own
	draft, err := c.drafts.Draft(ctx, t.ID)
	if err == nil && choice == place.ThreadAll {
		photos := t.Photos()
		skipped = slices.Clone(t.Skipped)
		if len(photos) > order.MaxImages {
			skipped, photos = append(skipped, place.ThreadFull(len(photos))), photos[:order.MaxImages]
		}
		draft, err = c.drafts.EditDraft(ctx, t.ID, func(d *store.Draft) error {
			d.Files, d.Instructions = photos, t.Instructions()
			return nil
		})
	}
	if errors.Is(err, store.ErrDraftMoved) || err == nil && !fillable(draft) {
		view, err := c.jobs.Drafts.DraftView(ctx, draft, window)
		if err != nil {
			return bot.Reply{}, err
		}
		return c.windows.Reply(ctx, r, view)
	}
	if err != nil {
		return bot.Reply{}, draftGone(err)
	}
	extras := c.views.baseExtras(draft)
	extras.Skipped, extras.Balance = skipped, kit.DecodeMeta(r.View.PrivateMetadata).Credits
	return c.windows.Reply(ctx, r, c.views.orderView(ctx, r, draft, extras, window))
}
