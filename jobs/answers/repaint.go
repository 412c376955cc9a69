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

// A form may be submitted twice, because Slack had trouble connecting the first time. That is one job with one answer,
// but two acknowledgements. The second may replace the answer, and would stay for good. So the answer is saved for a
// while, and shown again after the second acknowledgement.

// answerLife is how long the answer is saved; Slack stops retrying before that.
const answerLife = 5 * time.Minute

func answerDoc(window string) string { return "answer:" + job.Hash(window) }

// Paint replaces a form by the answer, and saves the answer if the form was submitted.
func (j *Forms) Paint(ctx context.Context, a Asker, view slack.ModalViewRequest) error {
	err := j.update(ctx, a, view)
	if err != nil || a.At.IsZero() {
		return err
	}
	return j.Documents.PutPersonal(ctx, a.User, answerDoc(a.View), view, answerLife)
}

// RepaintArgs is the body of the job that shows the answer again.
type RepaintArgs struct {
	View string    `json:"view"`
	User string    `json:"user"`
	At   time.Time `json:"at"` // when the second submission was acknowledged
}

// Repaint puts that job in the lane of the job that answers.
func (j *Forms) Repaint(ctx context.Context, lane, view, user string) error {
	now := time.Now()
	id := fmt.Sprintf("%s:%s:%d", job.Repaint, job.Hash(view), now.UnixNano())
	return j.Putter.Put(ctx, job.Repaint, id, lane, RepaintArgs{view, user, now})
}

// repaint shows the answer again, if there is one and its window is open.
func (j *Forms) repaint(ctx context.Context, d *queue.Delivery, args RepaintArgs) error {
	var view slack.ModalViewRequest
	err := j.Documents.Get(ctx, answerDoc(args.View), &view)
	if err == nil {
		err = j.update(ctx, Asker{View: args.View, User: args.User, At: args.At}, view)
	}
	if errors.Is(err, store.ErrAbsent) || errors.Is(err, client.ErrGone) {
		return nil
	}
	return err
}

// RepaintKind declares the job that shows an answer again.
func (j *Forms) RepaintKind() queue.Declared {
	return queue.Kind[RepaintArgs]{Name: job.Repaint, Work: j.repaint, Unasked: true}.Declare()
}
