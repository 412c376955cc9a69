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

// SlackFile is a file as Slack tells of it, in an event or with a shortcut.
type SlackFile struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Mimetype string `json:"mimetype"`
	Mode     string `json:"mode"`
	External bool   `json:"is_external"`
	Access   string `json:"file_access,omitempty"`
	Size     int64  `json:"size"`
	Lost     string `json:"lost,omitempty"` // why files.info does not show it: a sentence of cards
}

// SlackFiles are the files of a message.
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

// checkFileInfo is how Slack marks a file of which it tells nothing but an id: files.info knows more.
// https://docs.slack.dev/apis/slack-connect
const checkFileInfo = "check_file_info"

// isIncomplete tells of a file that cannot be judged by what came with it.
func (f SlackFile) isIncomplete() bool { return f.Access == checkFileInfo || f.Size <= 0 }

// Unclear tells of a file of which Slack told little more than that it is there: it must be asked.
func (f SlackFile) Unclear() bool { return f.isIncomplete() }

// Problem says why the service could not be given a file, or "".
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
	// looksAtOnce bounds how many files Slack is asked about at the same time.
	looksAtOnce = 8
	// lookTime bounds the looking: whoever waits for a form sees nothing else.
	lookTime = 5 * time.Second
)

// LookAt asks Slack about files, because the app reads only those of conversations that it
// is in, and Slack tells of some no more than an id. What Slack does not answer stays as it
// came: the photo service will tell. unread is the sentence for those that the app may not read.
func (j *Albums) LookAt(ctx context.Context, came []SlackFile, unread string) []SlackFile {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	looked := make([]SlackFile, len(came))
	var all errgroup.Group
	all.SetLimit(looksAtOnce)
	for i, f := range came {
		all.Go(func() error {
			looked[i] = j.lookAtOne(ctx, f, unread)
			return nil
		})
	}
	_ = all.Wait() // none fails
	return looked
}

func (j *Albums) lookAtOne(ctx context.Context, f SlackFile, unread string) SlackFile {
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
		if f.isIncomplete() {
			f.Lost = talk.UnknownFile
		}
	}
	return f
}
