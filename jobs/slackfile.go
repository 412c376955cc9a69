package jobs

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/slack-go/slack"
	"golang.org/x/sync/errgroup"

	"darkroom/bot/client"
	"darkroom/cards/talk"
	"darkroom/files"
)

// SlackFile is a file as an event or a shortcut of Slack describes it.
type SlackFile struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Mimetype string `json:"mimetype"`
	Mode     string `json:"mode"`
	External bool   `json:"is_external"`
	Access   string `json:"file_access,omitempty"`
	Size     int64  `json:"size"`
	Lost     string `json:"lost,omitempty"` // why files.info does not show it, a sentence for people
}

// SlackFiles returns the files of a message.
func SlackFiles(all []slack.File) []SlackFile {
	some := make([]SlackFile, len(all))
	for i, f := range all {
		some[i] = fileOf(f)
	}
	return some
}

func fileOf(f slack.File) SlackFile {
	return SlackFile{
		ID: f.ID, Name: cmp.Or(f.Name, f.Title), Mimetype: f.Mimetype, Mode: f.Mode,
		External: f.IsExternal, Access: f.FileAccess, Size: int64(f.Size),
	}
}

// checkFileInfo marks a file that came with its id alone: files.info knows more.
// https://docs.slack.dev/apis/slack-connect
const checkFileInfo = "check_file_info"

// IsIncomplete reports whether the description is too short to judge the file: Slack must be asked.
func (f SlackFile) IsIncomplete() bool { return f.Access == checkFileInfo || f.Size <= 0 }

// Problem returns why the service could not be given the file, or "".
func (f SlackFile) Problem() string {
	switch {
	case f.Lost != "":
		return f.Lost
	case f.ID == "":
		return talk.NamelessFile
	case f.Access == checkFileInfo:
		return talk.ForeignFile
	case f.External || f.Mode == "external":
		return talk.AwayFile
	}
	err := files.Check(f.Name, f.Mimetype, f.Size)
	switch {
	case err == nil:
		return ""
	case errors.Is(err, files.ErrTooLarge):
		return talk.HugeFile
	case errors.Is(err, files.ErrEmpty):
		return talk.EmptyFile
	}
	return talk.NotAPicture
}

const (
	// maxFileRequests bounds the concurrent requests for files.
	maxFileRequests = 8
	// fileTimeout bounds all requests together, because a person waits for a form.
	fileTimeout = 5 * time.Second
)

// Inspect asks Slack about files: the app reads only those of conversations that it is in, and some come with their id
// alone. A file stays as it came if Slack does not answer, and the service judges it. unread is the sentence for files
// that the app may not read.
func (j *Albums) Inspect(ctx context.Context, came []SlackFile, unread string) []SlackFile {
	ctx, cancel := context.WithTimeout(ctx, fileTimeout)
	defer cancel()
	looked := make([]SlackFile, len(came))
	var all errgroup.Group
	all.SetLimit(maxFileRequests)
	for i, f := range came {
		all.Go(func() error {
			looked[i] = j.inspectOne(ctx, f, unread)
			return nil
		})
	}
	_ = all.Wait() // never fails
	return looked
}

func (j *Albums) inspectOne(ctx context.Context, f SlackFile, unread string) SlackFile {
	if f.ID == "" || f.Lost != "" {
		return f
	}
	known, err := j.slack.File(ctx, f.ID)
	var refusal *client.Error
	switch {
	case err == nil:
		seen := fileOf(known)
		seen.Name = cmp.Or(seen.Name, f.Name)
		return seen
	case errors.Is(err, client.ErrGone) && errors.As(err, &refusal) && refusal.Code != "file_not_found":
		f.Lost = talk.GoneFile
	case errors.Is(err, client.ErrGone), errors.Is(err, client.ErrNotAllowed):
		f.Lost = unread
	default:
		j.log.InfoContext(ctx, "file not looked at", "file", f.ID, "err", err)
		if f.IsIncomplete() {
			f.Lost = talk.UnknownFile
		}
	}
	return f
}
