package answers

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot/client"
	"darkroom/jobs/job"
	"darkroom/store"
	"darkroom/store/queue"
)

// A form may be submitted twice, because Slack had trouble connecting the first time. It is one job
// and has one answer, but two acknowledgements, and the second may come when the answer already
// stands: it would say for good that all is on its way. So the answer is kept for a while, and
// painted once more after the second acknowledgement.

// answerKept is how long; Slack itself has given up by then.
const answerKept = 5 * time.Minute

func answerNote(window string) string { return "answer:" + job.Hash(window) }

// Paint puts the answer in the place of a form, and keeps it if the form was submitted.
func (j *Forms) Paint(ctx context.Context, a Asker, view slack.ModalViewRequest) error {
	err := j.update(ctx, a, view)
	if err != nil || a.At.IsZero() {
		return err
	}
	return j.Documents.PutPersonal(ctx, a.User, answerNote(a.View), view, answerKept)
}

// RepaintArgs is the body of the job that paints the answer once more.
type RepaintArgs struct {
	View string    `json:"view"`
	User string    `json:"user"`
	At   time.Time `json:"at"` // when the second submission was acknowledged
}

// Repaint puts that job behind the one that answers, into its lane.
func (j *Forms) Repaint(ctx context.Context, lane, view, user string) error {
	now := time.Now()
	id := fmt.Sprintf("%s:%s:%d", job.Repaint, job.Hash(view), now.UnixNano())
	return j.Putter.Put(ctx, job.Repaint, id, lane, RepaintArgs{view, user, now})
}

// repaint paints it, if there was an answer and its window is still open: nobody is told otherwise.
func (j *Forms) repaint(ctx context.Context, d *queue.Delivery, args RepaintArgs) error {
	var view slack.ModalViewRequest
	err := j.Documents.Get(ctx, answerNote(args.View), &view)
	if err == nil {
		err = j.update(ctx, Asker{View: args.View, User: args.User, At: args.At}, view)
	}
	if errors.Is(err, store.ErrAbsent) || errors.Is(err, client.ErrGone) {
		return nil
	}
	return err
}

// RepaintKind declares the job that paints an answer again.
func (j *Forms) RepaintKind() queue.Declared {
	return queue.Kind[RepaintArgs]{Name: job.Repaint, Work: j.repaint, Unasked: true}.Declare()
}
