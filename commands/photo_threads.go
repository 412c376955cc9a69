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
	// threadMessages is how many messages of a thread are read, from its first.
	threadMessages = order.MaxBatchOrders
	// threadTime bounds that: the form of the one message does not wait longer for the others.
	threadTime = 2 * time.Second
)

// photoThreads orders the photos of a thread: its form asks which of them.
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

// addThread has the form ask first which photos of the message's thread are meant, when several of its
// messages have some. Where they cannot be read, the form is that of the one message, and says why. Slack
// signed for this person that they see this message, and whoever sees one of a thread sees all of them.
func (c *photoThreads) addThread(ctx context.Context, r bot.Request, draft store.Draft, around *place.FormExtras) {
	thread := threadOf(r.Message)
	if thread == "" || c.files == nil {
		return
	}
	if jobs.Postable(r.Channel) == "" {
		around.Skipped = append(around.Skipped, place.ThreadDirect)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, threadTime)
	defer cancel()
	t, err := c.readThread(ctx, r, draft, thread)
	if err == nil && len(t.Messages) > 1 {
		t.Own = slices.Clone(around.Skipped)
		err = c.photoThreads.SaveThread(ctx, t)
		around.Thread = &t
	}
	if err != nil {
		c.log.InfoContext(ctx, "thread of photos not read", "channel", r.Channel, "err", err)
		around.Thread, around.Skipped = nil, append(around.Skipped, unreadThread(err))
	}
}

// threadOf is the thread that a message is in or begins, "" for one by itself.
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

// unreadThread says why a thread could not be read.
func unreadThread(err error) string {
	switch {
	case errors.Is(err, client.ErrMissingScope):
		return place.ThreadScope
	case errors.Is(err, client.ErrNotInChannel), errors.Is(err, client.ErrNotAllowed), errors.Is(err, client.ErrNoChannel), errors.Is(err, client.ErrGone):
		return place.ThreadUnread
	}
	return place.ThreadLate
}

// readThread is the thread with those of its messages that have photos, without our own.
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
	minted := map[string]store.DraftFile{} // the draft's photos keep their addresses
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

// addMessage adds a message to the thread, if it has photos; one that has none and begins the thread leaves its words.
func (c *photoThreads) addMessage(ctx context.Context, t *store.Thread, number int, m slack.Message, minted map[string]store.DraftFile) error {
	came := jobs.SlackFiles(m.Files)
	if slices.ContainsFunc(came, jobs.SlackFile.IsIncomplete) {
		came = c.jobs.Albums.Inspect(ctx, came, cardstalk.UnreadFile)
	}
	found := store.ThreadMessage{Number: number}
	if len(came) > 0 {
		photos, left := c.photos.photosUpTo(len(came), came) // several orders hold them, if need be
		t.Skipped = append(t.Skipped, left...)
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
		if old, is := minted[f.ID]; is {
			found.Photos[i] = old
		}
		minted[f.ID] = found.Photos[i]
	}
	t.Messages = append(t.Messages, found)
	return nil
}

// submitThread goes on with what was chosen: the order form, or the check of one order for each message.
// Nothing is sent here.
func (c *photoThreads) submitThread(ctx context.Context, r bot.Request) (bot.Reply, error) {
	window, meta := r.View.ExternalID, kit.DecodeMeta(r.View.PrivateMetadata)
	t, err := c.photoThreads.Thread(ctx, meta.Draft)
	if errors.Is(err, store.ErrNoThread) || err == nil && t.User != r.User {
		return c.windows.ReplyNext(ctx, r, kit.Notice(place.Title, place.ThreadGone, window))
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
	window, left := r.View.ExternalID, t.Own
	draft, err := c.drafts.Draft(ctx, t.ID)
	if err == nil && choice == place.ThreadAll {
		photos := t.Photos()
		left = slices.Clone(t.Skipped)
		if len(photos) > order.MaxImages {
			left, photos = append(left, place.ThreadFull(len(photos))), photos[:order.MaxImages]
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
	around := c.views.aroundOf(draft)
	around.Skipped, around.Balance = left, kit.DecodeMeta(r.View.PrivateMetadata).Credits
	return c.windows.Reply(ctx, r, c.views.orderView(ctx, r, draft, around, window))
}
