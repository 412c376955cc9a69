package batch

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot/client"
	cardsbatch "darkroom/cards/batch"
	"darkroom/cards/kit"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store/queue"
)

// Who placed a batch gets one message, which is edited in place, and one file. Before either is sent a mark is kept;
// a delivery that finds the mark looks in the person's messages before it sends anything.

// say shows how far it is, in the window, if that is open, and in one message to who asked: edited in
// place, and only when there is news.
func (b *batchRun) say(ctx context.Context, stand cardsbatch.Progress) error {
	m := cardsbatch.Message(stand)
	said := job.Hash(m.Text)
	if said == b.kept.Said {
		return nil
	}
	b.batches.Forms.Progress(ctx, b.asker(), cardsbatch.Window(stand, b.body.View))
	if err := b.message(ctx, m); err != nil {
		return err
	}
	b.kept.Said = said
	return b.save(ctx)
}

// message posts the message, or edits it. Who can be sent none reads it in the window, and the orders in their channel.
func (b *batchRun) message(ctx context.Context, m kit.Message) error {
	post := client.Post{Text: m.Text, Blocks: m.Blocks, Metadata: m.Metadata}
	if !b.kept.Posting.IsZero() && b.kept.TS == "" {
		if err := b.lookForMessage(ctx); err != nil {
			return err
		}
	}
	switch {
	case b.kept.Mute, b.kept.Lost:
		return nil
	case b.kept.TS == "":
		return b.post(ctx, post)
	}
	post.Channel = b.kept.Channel
	return b.muted(ctx, b.batches.Slack.Edit(ctx, b.kept.TS, post))
}

// muted is err when it passes; else the person can be sent no messages.
func (b *batchRun) muted(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	err = b.batches.Messages.RetryOrLog(ctx, b.body.User, err)
	b.kept.Mute = err == nil
	return err
}

// lookForMessage looks whether a delivery before posted the message and could not say so.
func (b *batchRun) lookForMessage(ctx context.Context) error {
	ts, known, err := b.sent(ctx, b.kept.Posting, func(m slack.Message) bool { return cardsbatch.Of(m) == b.batch.ID })
	if err != nil {
		return err
	}
	b.kept.TS, b.kept.Lost = ts, !known
	return nil
}

// post posts the message.
func (b *batchRun) post(ctx context.Context, p client.Post) error {
	b.kept.Posting = b.d.Now()
	if err := b.save(ctx); err != nil {
		return err
	}
	channel, ts, err := b.batches.Slack.DM(ctx, b.body.User, p)
	if errors.Is(err, client.ErrUnknownOutcome) {
		b.batches.Log.InfoContext(ctx, "a batch's message may be out", "user", b.body.User, "err", err)
		return queue.Wait(b.batches.Outcome)
	}
	if ctx.Err() != nil {
		return err
	}
	b.kept.Channel, b.kept.TS, b.kept.Posting = channel, ts, time.Time{}
	return errors.Join(b.muted(ctx, err), b.save(ctx))
}

// sent looks for what may have been sent to the person since then: see [answers.Messages.Find]. It is not known where the app may not
// read its own direct messages.
func (b *batchRun) sent(ctx context.Context, since time.Time, is func(slack.Message) bool) (ts string, known bool, err error) {
	found, err := b.batches.Messages.Find(ctx, b.body.User, since, b.d.Now(), is)
	if errors.Is(err, answers.ErrUnreadable) {
		b.batches.Log.WarnContext(ctx, "a batch's message or file may not have arrived", "user", b.body.User)
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	b.kept.Channel = found.Channel
	return found.TS, true, nil
}

// finish says how it ended, and sends the file.
func (b *batchRun) finish(ctx context.Context, stand cardsbatch.Progress) error {
	me, err := b.batches.Slack.Identity(ctx)
	if err != nil {
		return err
	}
	files := me.Granted("files:write")
	switch {
	case b.kept.Mute:
	case files:
		stand = stand.WithFile()
	default:
		stand.File = cardsbatch.FileNoRights
	}
	if err := b.say(ctx, stand); err != nil || b.kept.Filed || b.kept.Mute || !files {
		return err
	}
	unsent, err := b.sendFile(ctx, stand)
	if err != nil {
		return err
	}
	b.kept.Filed = true
	if unsent == "" {
		return b.save(ctx)
	}
	stand.File = unsent
	return b.say(ctx, stand)
}

// sendFile sends the file, unless a delivery before did and could not say so. It returns what to tell the person when
// it was not, or perhaps not, sent.
func (b *batchRun) sendFile(ctx context.Context, stand cardsbatch.Progress) (unsent string, err error) {
	if !b.kept.Sharing.IsZero() {
		is := func(m slack.Message) bool {
			return slices.ContainsFunc(m.Files, func(f slack.File) bool { return f.ID == b.kept.File })
		}
		ts, known, err := b.sent(ctx, b.kept.Sharing, is)
		switch {
		case err != nil || ts != "":
			return "", err
		case !known:
			return cardsbatch.FileUnsure, nil
		}
	}
	err = b.share(ctx, stand)
	switch {
	case err == nil:
		return "", nil
	case errors.Is(err, client.ErrUnknownOutcome):
		b.batches.Log.InfoContext(ctx, "a batch's file may be out", "user", b.body.User, "err", err)
		return "", queue.Wait(b.batches.Outcome)
	case queue.Away(err), ctx.Err() != nil:
		return "", err
	}
	b.kept.Sharing = time.Time{}
	if answers.WorthRetrying(err) {
		return "", errors.Join(err, b.save(ctx))
	}
	b.batches.Log.WarnContext(ctx, "a batch's file was not sent", "user", b.body.User, "err", err)
	return cardsbatch.FileUnsent, nil
}

// share uploads the file, once, and shows it in the person's messages.
func (b *batchRun) share(ctx context.Context, stand cardsbatch.Progress) error {
	name := cardsbatch.FileName(stand)
	if b.kept.File == "" {
		table := cardsbatch.CSV(stand)
		file, err := b.batches.Slack.UploadFile(ctx, name, int64(len(table)), bytes.NewReader(table))
		if err != nil {
			return err
		}
		b.kept.File = file
	}
	channel, err := b.batches.Slack.Direct(ctx, b.body.User)
	if err != nil {
		return err
	}
	b.kept.Sharing = b.d.Now()
	if err := b.save(ctx); err != nil {
		return err
	}
	comment := cardsbatch.FileComment
	if b.body.Hold != "" {
		comment = cardsbatch.FileAgain
	}
	return b.batches.Slack.ShareFiles(ctx, channel, "", comment, []slack.FileSummary{{ID: b.kept.File, Title: name}})
}
