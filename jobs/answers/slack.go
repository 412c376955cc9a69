package answers

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot/client"
)

// Slack is the Slack client as jobs and commands use it.
type Slack interface {
	OpenView(ctx context.Context, trigger string, v slack.ModalViewRequest) error
	PushView(ctx context.Context, trigger string, v slack.ModalViewRequest) error
	UpdateView(ctx context.Context, externalID, viewID, hash string, v slack.ModalViewRequest) error
	PublishHome(ctx context.Context, user string, v slack.HomeTabViewRequest) error
	Respond(ctx context.Context, responseURL, text string, blocks ...slack.Block) error
	Notify(ctx context.Context, where client.Recipient, text string, blocks ...slack.Block) error
	DM(ctx context.Context, user string, p client.Post) (channel, ts string, err error)
	Edit(ctx context.Context, ts string, p client.Post) error
	Channel(ctx context.Context, id string) (slack.Channel, error)
	Forget(channel, user string)
	User(ctx context.Context, id string) (slack.User, error)
	File(ctx context.Context, id string) (slack.File, error)
	OpenFile(ctx context.Context, id, rng string) (*http.Response, error)
	UploadImage(ctx context.Context, name string, data []byte) (file string, err error)
	SendFile(ctx context.Context, user, name, words string, data []byte) error
	UploadFile(ctx context.Context, name string, size int64, body io.Reader) (file string, err error)
	ShareFiles(ctx context.Context, channel, thread, comment string, files []slack.FileSummary) error
	SendFileFrom(ctx context.Context, user, name, words string, size int64, body io.Reader) error
	Identity(ctx context.Context) (client.Identity, error)
	Root(ctx context.Context, channel, thread string) (slack.Message, error)
	Begin(ctx context.Context, channel, thread string, most int) (messages []slack.Message, more bool, err error)
	History(ctx context.Context, channel string, oldest time.Time) ([]slack.Message, error)
	Read(ctx context.Context, r client.Reading) ([]slack.Message, error)
	Direct(ctx context.Context, user string) (channel string, err error)
}
