package client

import (
	"bytes"
	"context"
	"io"

	"github.com/slack-go/slack"
)

// UploadImage uploads data as a file called name, which only the app has, and returns its
// id. Slack works on it for a while after: a block that shows it at once may be refused
// as invalid.
func (c *Files) UploadImage(ctx context.Context, name string, data []byte) (file string, err error) {
	file, err = c.UploadFile(ctx, name, int64(len(data)), bytes.NewReader(data))
	if err != nil {
		return "", err
	}
	return file, c.completeUpload(ctx, args{}, slack.FileSummary{ID: file, Title: name})
}

// SendFile uploads data as a file called name into the app's direct messages with user, below words.
// An [ErrUnknownOutcome] may have arrived: sent again it would be there twice.
func (c *Files) SendFile(ctx context.Context, user, name, words string, data []byte) error {
	return c.SendFileFrom(ctx, user, name, words, int64(len(data)), bytes.NewReader(data))
}

// SendFileFrom is [Files.SendFile] of so many bytes that are read while they are uploaded.
func (c *Files) SendFileFrom(ctx context.Context, user, name, words string, size int64, body io.Reader) error {
	channel, err := c.direct.Direct(ctx, user)
	if err != nil {
		return err
	}
	file, err := c.UploadFile(ctx, name, size, body)
	if err != nil {
		return err
	}
	return c.completeUpload(ctx, args{"channel_id": channel, "initial_comment": words}, slack.FileSummary{ID: file, Title: name})
}

// UploadFile uploads that many bytes as a file called name, while they are read, and returns its id. Nobody has it
// before [Files.ShareFiles].
// Slack: docs.slack.dev/messaging/working-with-files.
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

// ShareFiles shows files that were uploaded, [MaxShared] at most, as one message in a thread, with a comment if there
// is one. [ErrUnknownOutcome]: look for the files in the thread before sharing them again.
func (c *Files) ShareFiles(ctx context.Context, channel, thread, comment string, files []slack.FileSummary) error {
	return c.completeUpload(ctx, args{"channel_id": channel, "thread_ts": thread, "initial_comment": comment}, files...)
}

// completeUpload has Slack keep what was uploaded; where says where it is shown.
func (c *Files) completeUpload(ctx context.Context, where args, files ...slack.FileSummary) error {
	where["files"] = files
	return c.api.do(ctx, "files.completeUploadExternal", where)
}
