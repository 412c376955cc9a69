package client

import (
	"bytes"
	"context"
	"io"

	"github.com/slack-go/slack"
)

// UploadImage uploads an image that only the app can see, and returns its id. Slack processes it for a
// while: a block that shows it too early may be refused as invalid.
func (c *Files) UploadImage(ctx context.Context, name string, data []byte) (file string, err error) {
	file, err = c.UploadFile(ctx, name, int64(len(data)), bytes.NewReader(data))
	if err != nil {
		return "", err
	}
	return file, c.completeUpload(ctx, args{}, slack.FileSummary{ID: file, Title: name})
}

// SendFile sends a file with a comment to the app's direct messages with user. After [ErrUnknownOutcome]
// it may have arrived, and sending it again may show it twice.
func (c *Files) SendFile(ctx context.Context, user, name, comment string, data []byte) error {
	return c.SendFileFrom(ctx, user, name, comment, int64(len(data)), bytes.NewReader(data))
}

// SendFileFrom is [Files.SendFile] with a body of known size that is read during the upload.
func (c *Files) SendFileFrom(ctx context.Context, user, name, comment string, size int64, body io.Reader) error {
	channel, err := c.direct.Direct(ctx, user)
	if err != nil {
		return err
	}
	file, err := c.UploadFile(ctx, name, size, body)
	if err != nil {
		return err
	}
	return c.completeUpload(ctx, args{"channel_id": channel, "initial_comment": comment}, slack.FileSummary{ID: file, Title: name})
}

// UploadFile uploads a body of known size, and returns the file's id. Nobody sees the file before
// [Files.ShareFiles]. See docs.slack.dev/messaging/working-with-files.
func (c *Files) UploadFile(ctx context.Context, name string, size int64, body io.Reader) (file string, err error) {
	var to struct {
		URL  string `json:"upload_url"`
		File string `json:"file_id"`
	}
	if _, err := c.api.call(ctx, "files.getUploadURLExternal", args{"filename": name, "length": size}, &to); err != nil {
		return "", err
	}
	if _, _, err := c.api.transport.stream(ctx, uploadURL, to.URL, "application/octet-stream", body, size); err != nil {
		return "", err
	}
	return to.File, nil
}

// MaxShared is how many files one message shows.
const MaxShared = 10

// ShareFiles posts at most [MaxShared] uploaded files as one message in a thread, with an optional
// comment. After [ErrUnknownOutcome], look for the files in the thread before sharing them again.
func (c *Files) ShareFiles(ctx context.Context, channel, thread, comment string, files []slack.FileSummary) error {
	return c.completeUpload(ctx, args{"channel_id": channel, "thread_ts": thread, "initial_comment": comment}, files...)
}

// completeUpload makes Slack store uploaded files and show them at a place.
func (c *Files) completeUpload(ctx context.Context, where args, files ...slack.FileSummary) error {
	where["files"] = files
	return c.api.do(ctx, "files.completeUploadExternal", where)
}
