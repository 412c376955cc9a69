package jobs

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"darkroom/cards/talk"
	"darkroom/files"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store"
)

// Albums stores images that a person may add as references.
type Albums struct {
	slack     answers.Slack
	documents *store.DocumentStore
	files     *files.Signer
	log       *slog.Logger
}

// PhotosOf returns the files as photos. Usable files get a public address.
func (j *Albums) PhotosOf(some []SlackFile) []answers.RefPhoto {
	photos := make([]answers.RefPhoto, len(some))
	for i, f := range some {
		photos[i] = answers.RefPhoto{Name: f.Name, File: f.ID, Problem: f.Problem()}
		photos[i].Picture = photos[i].Problem == ""
		switch {
		case !photos[i].Picture:
		case j.files == nil:
			photos[i].Problem = talk.NoAddress
		default:
			photos[i].URL = j.files.URL(f.ID, f.Name, time.Now())
		}
	}
	return photos
}

// SaveAlbum saves an album. Its name is derived from the id of the job or request that it belongs to.
func (j *Albums) SaveAlbum(ctx context.Context, of string, a answers.Album) (note string, err error) {
	note = "album:" + job.Hash(of)
	return note, j.documents.PutPersonal(ctx, a.User, note, a, answers.TypedLife)
}

// Album reads a person's album; [store.ErrAbsent] if it is another person's.
func (j *Albums) Album(ctx context.Context, note, user string) (answers.Album, error) {
	var a answers.Album
	if !strings.HasPrefix(note, "album:") {
		return a, store.ErrAbsent
	}
	err := j.documents.Get(ctx, note, &a)
	if err == nil && a.User != user {
		err = store.ErrAbsent
	}
	return a, err
}
