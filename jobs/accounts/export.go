package accounts

import (
	"context"
	"errors"
	"io"
	"time"

	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/cards/account"
	"darkroom/cards/kit"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store/queue"
	"darkroom/store/retention"
)

// exportArgs is the body of the job that sends a person a copy of the workspace's data.
type exportArgs struct{ answers.Asker }

// export sends the copy as a file by direct message. A second delivery may send it again, which does no harm.
func (j *Disconnect) export(ctx context.Context, _ *queue.Delivery, b exportArgs) error {
	operator, err := j.Access.IsOperatorNow(ctx, b.AsRequest())
	if err != nil {
		return err
	}
	if !operator {
		return j.Messages.Inform(ctx, b.Asker, cards.AdminsOnly())
	}
	me, err := j.Slack.Identity(ctx)
	if err != nil {
		return err
	}
	if !me.Granted("files:write") {
		return j.Messages.Inform(ctx, b.Asker, kit.Say(account.ExportNoRights))
	}
	size, err := retention.NewExports(j.Store).ExportSize(ctx)
	if err != nil {
		return err
	}
	if !account.FitsExport(size) {
		return j.Messages.Inform(ctx, b.Asker, kit.Say(account.ExportTooLarge))
	}
	err = j.sendExport(ctx, b.User, size)
	switch {
	case err == nil:
		j.Log.InfoContext(ctx, "workspace's data exported", "user", b.User, "bytes", size)
		return nil
	case errors.Is(err, retention.ErrExportGrew):
		return queue.Wait(time.Second)
	case errors.Is(err, client.ErrUnknownOutcome):
		return j.Messages.Inform(ctx, b.Asker, kit.Say(account.ExportUnsure))
	case queue.Away(err) || answers.WorthRetrying(err) || ctx.Err() != nil:
		return err
	}
	j.Log.WarnContext(ctx, "workspace's data not exported", "user", b.User, "err", err)
	return j.Messages.Inform(ctx, b.Asker, kit.Say(account.ExportUnsent))
}

// sendExport uploads the export while it is written, so that it is never whole in memory or on disk.
func (j *Disconnect) sendExport(ctx context.Context, user string, size int64) error {
	read, write := io.Pipe()
	written := make(chan error, 1)
	go func() {
		err := retention.NewExports(j.Store).ExportSized(ctx, write, size)
		_ = write.CloseWithError(err)
		written <- err
	}()
	err := j.Slack.SendFileFrom(ctx, user, account.ExportFileName, account.ExportFileComment, size, read)
	_ = read.CloseWithError(io.ErrClosedPipe) // ends the writer
	if wrote := <-written; wrote != nil && !errors.Is(wrote, io.ErrClosedPipe) {
		return wrote // the cause of the failed upload
	}
	return err
}

// ExportKind declares the job that sends a copy of the data.
func (j *Disconnect) ExportKind() queue.Declared {
	return queue.Kind[exportArgs]{
		Name: job.Export, Work: j.export, Asked: "sending you a copy of this workspace's data",
		Truth: job.Always("Nothing is lost. Press *Export or Delete Data* on the Home tab and choose the copy again."),
	}.Declare()
}
