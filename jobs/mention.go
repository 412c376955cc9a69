package jobs

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/slack-go/slack"

	"darkroom/bot/client"
	"darkroom/cards/place"
	"darkroom/cards/talk"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store"
)

// Mentions answers people who mention the app outside an order's thread.
type Mentions struct {
	slack     answers.Slack
	documents *store.DocumentStore
	albums    *Albums
	messages  *answers.Messages
}

// Mentioned is a message with photos that its person may order.
type Mentioned struct {
	User    string        `json:"user"` // who mentioned the app
	Message slack.Message `json:"message"`
}

const mentionDoc = "mention"

// mentionedMessages is how many messages of a thread are searched for photos.
const mentionedMessages = 50

// answer offers to order the photos of the message, or else of its thread; without photos it says what can be done. of
// is the id of the message's job.
func (j *Mentions) answer(ctx context.Context, of string, b RelayArgs) error {
	m, photos, err := j.photosOf(ctx, b)
	if err != nil {
		return err
	}
	if photos == 0 {
		return j.messages.Hint(ctx, b.Asker, place.MentionHint())
	}
	note := mentionDoc + ":" + job.Hash(of)
	if err := j.documents.PutPersonal(ctx, b.User, note, Mentioned{b.User, m}, answers.TypedLife); err != nil {
		return err
	}
	return j.messages.Hint(ctx, b.Asker, place.MentionPhotos(photos, note))
}

// photosOf returns the message with the photos, and how many it has. Its text is that of the mention, if it has any. The
// files of the thread are those that its person sees: who sees one message of a thread sees all.
func (j *Mentions) photosOf(ctx context.Context, b RelayArgs) (m slack.Message, photos int, err error) {
	me, err := j.slack.Identity(ctx)
	if err != nil {
		return m, 0, err
	}
	m.User, m.Timestamp, m.ThreadTimestamp = b.Author, b.TS, b.Thread
	m.Text = strings.TrimSpace(WithoutMention(b.Raw, me.BotUser))
	if photos = j.count(ctx, b.Files); photos > 0 || b.Thread == "" {
		m.Files = filesFor(b.Files)
		return m, photos, nil
	}
	messages, _, err := j.slack.Begin(ctx, b.Channel, b.Thread, mentionedMessages)
	if unreadableThread(err) {
		return m, 0, nil
	}
	for _, one := range messages {
		if me.Wrote(one) {
			continue
		}
		if photos = j.count(ctx, SlackFiles(one.Files)); photos > 0 {
			m.Files, m.Text = one.Files, cmp.Or(m.Text, one.Text)
			return m, photos, nil
		}
	}
	return m, 0, err
}

// unreadableThread reports whether the app may not read a thread, or it is gone.
func unreadableThread(err error) bool {
	for _, known := range []error{client.ErrNotInChannel, client.ErrNoChannel, client.ErrNotAllowed, client.ErrGone, client.ErrMissingScope} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}

// count returns how many of the files can be ordered.
func (j *Mentions) count(ctx context.Context, files []SlackFile) (n int) {
	if len(files) == 0 {
		return 0
	}
	for _, f := range j.albums.Inspect(ctx, files, talk.UnreadFile) {
		if f.Problem() == "" {
			n++
		}
	}
	return n
}

// filesFor returns files as Slack describes them.
func filesFor(some []SlackFile) (all []slack.File) {
	for _, f := range some {
		all = append(all, slack.File{ID: f.ID, Name: f.Name, Mimetype: f.Mimetype, Mode: f.Mode, IsExternal: f.External, FileAccess: f.Access, Size: int(f.Size)})
	}
	return all
}

// Mentioned returns the message whose photos a person may order; [store.ErrAbsent] if it is another person's.
func (j *Mentions) Mentioned(ctx context.Context, note, user string) (slack.Message, error) {
	var m Mentioned
	if !strings.HasPrefix(note, mentionDoc+":") {
		return m.Message, store.ErrAbsent
	}
	err := j.documents.Get(ctx, note, &m)
	if err == nil && m.User != user {
		err = store.ErrAbsent
	}
	return m.Message, err
}
