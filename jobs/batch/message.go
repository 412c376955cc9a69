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

// The person who placed a batch gets one message, which is edited in place, and one file. A mark is saved before either
// is sent. A delivery that finds the mark reads the person's messages before it sends again.

// report shows the progress, if it changed, in the window and in the person's message.
func (b *batchRun) report(ctx context.Context, progress cardsbatch.Progress) error {
	m := cardsbatch.Message(progress)
	said := job.Hash(m.Text)
	if said == b.saved.Said {
		return nil
	}
	b.batches.Forms.Progress(ctx, b.asker(), cardsbatch.Window(progress, b.body.View))
	if err := b.message(ctx, m); err != nil {
		return err
	}
	b.saved.Said = said
	return b.save(ctx)
}

// message posts the message, or edits it. It does nothing if the person cannot get messages or the message is gone: they have
// the window and the channel.
func (b *batchRun) message(ctx context.Context, m kit.Message) error {
	post := client.Post{Text: m.Text, Blocks: m.Blocks, Metadata: m.Metadata}
	if !b.saved.Posting.IsZero() && b.saved.TS == "" {
		if err := b.findMessage(ctx); err != nil {
			return err
		}
	}
	switch {
	case b.saved.Mute, b.saved.Lost:
		return nil
	case b.saved.TS == "":
		return b.post(ctx, post)
	}
	post.Channel = b.saved.Channel
	return b.muted(ctx, b.batches.Slack.Edit(ctx, b.saved.TS, post))
}

// muted returns err if a retry makes sense. For any other error it saves that the person cannot get messages.
func (b *batchRun) muted(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	err = b.batches.Messages.RetryOrLog(ctx, b.body.User, err)
	b.saved.Mute = err == nil
	return err
}

// findMessage finds the message of an earlier delivery.
func (b *batchRun) findMessage(ctx context.Context) error {
	ts, known, err := b.sent(ctx, b.saved.Posting, func(m slack.Message) bool { return cardsbatch.Of(m) == b.batch.ID })
	if err != nil {
		return err
	}
	b.saved.TS, b.saved.Lost = ts, !known
	return nil
}

// post posts the message.
func (b *batchRun) post(ctx context.Context, p client.Post) error {
	b.saved.Posting = b.d.Now()
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
	b.saved.Channel, b.saved.TS, b.saved.Posting = channel, ts, time.Time{}
	return errors.Join(b.muted(ctx, err), b.save(ctx))
}

// sent finds a message that may have been sent, see [answers.Messages.Find]. known is false if the app may not read
// its own direct messages.
func (b *batchRun) sent(ctx context.Context, since time.Time, is func(slack.Message) bool) (ts string, known bool, err error) {
	found, err := b.batches.Messages.Find(ctx, b.body.User, since, b.d.Now(), is)
	if errors.Is(err, answers.ErrUnreadable) {
		b.batches.Log.WarnContext(ctx, "a batch's message or file may not have arrived", "user", b.body.User)
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	b.saved.Channel = found.Channel
	return found.TS, true, nil
}

// finish reports the outcome and sends the file.
func (b *batchRun) finish(ctx context.Context, progress cardsbatch.Progress) error {
	me, err := b.batches.Slack.Identity(ctx)
	if err != nil {
		return err
	}
	files := me.Granted("files:write")
	switch {
	case b.saved.Mute:
	case files:
		progress = progress.WithFile()
	default:
		progress.File = cardsbatch.FileNoRights
	}
	if err := b.report(ctx, progress); err != nil || b.saved.Filed || b.saved.Mute || !files {
		return err
	}
	unsent, err := b.sendFile(ctx, progress)
	if err != nil {
		return err
	}
	b.saved.Filed = true
	if unsent == "" {
		return b.save(ctx)
	}
	progress.File = unsent
	return b.report(ctx, progress)
}

// sendFile sends the file, unless an earlier delivery did. unsent is a sentence for the person if the file was not, or
// perhaps not, sent.
func (b *batchRun) sendFile(ctx context.Context, progress cardsbatch.Progress) (unsent string, err error) {
	if !b.saved.Sharing.IsZero() {
		is := func(m slack.Message) bool {
			return slices.ContainsFunc(m.Files, func(f slack.File) bool { return f.ID == b.saved.File })
		}
		ts, known, err := b.sent(ctx, b.saved.Sharing, is)
		switch {
		case err != nil || ts != "":
			return "", err
		case !known:
			return cardsbatch.FileUnsure, nil
		}
	}
	err = b.share(ctx, progress)
	switch {
	case err == nil:
		return "", nil
	case errors.Is(err, client.ErrUnknownOutcome):
		b.batches.Log.InfoContext(ctx, "a batch's file may be out", "user", b.body.User, "err", err)
		return "", queue.Wait(b.batches.Outcome)
	case queue.Away(err), ctx.Err() != nil:
		return "", err
	}
	b.saved.Sharing = time.Time{}
	if answers.WorthRetrying(err) {
		return "", errors.Join(err, b.save(ctx))
	}
	b.batches.Log.WarnContext(ctx, "a batch's file was not sent", "user", b.body.User, "err", err)
	return cardsbatch.FileUnsent, nil
}

// share uploads the file once, and shares it with the person.
func (b *batchRun) share(ctx context.Context, progress cardsbatch.Progress) error {
	name := cardsbatch.FileName(progress)
	if b.saved.File == "" {
		table := cardsbatch.CSV(progress)
		file, err := b.batches.Slack.UploadFile(ctx, name, int64(len(table)), bytes.NewReader(table))
		if err != nil {
			return err
		}
		b.saved.File = file
	}
	channel, err := b.batches.Slack.Direct(ctx, b.body.User)
	if err != nil {
		return err
	}
	b.saved.Sharing = b.d.Now()
	if err := b.save(ctx); err != nil {
		return err
	}
	comment := cardsbatch.FileComment
	if b.body.Hold != "" {
		comment = cardsbatch.FileAgain
	}
	return b.batches.Slack.ShareFiles(ctx, channel, "", comment, []slack.FileSummary{{ID: b.saved.File, Title: name}})
}
