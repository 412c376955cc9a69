package commands

import (
	"fmt"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
)

// mixed is a message whose photos are known in every way.
func mixed(r *rig) slack.Msg {
	photo := func(id, name string) slack.File {
		return slack.File{ID: id, Name: name, Mimetype: "image/jpeg", Size: 3_000_000, FileAccess: "visible"}
	}
	r.screen.files = map[string]seenFile{
		"F1": {file: photo("F1", "mine.jpg")},
		"F3": {file: photo("F3", "partner.jpg")},
		"F5": {err: gone("file_not_found")},
		"F6": {err: gone("tombstone")},
		"F7": {err: fmt.Errorf("files.info: %w", bot.ErrTryLater)},
		"F8": {err: fmt.Errorf("files.info: %w", bot.ErrTryLater)},
		"F9": {err: fmt.Errorf("files.info: %w", bot.ErrNotAllowed)},
	}
	return slack.Msg{User: "maria", Text: "Brighten.", Timestamp: "9.1", Files: []slack.File{
		photo("F5", "theirs.jpg"), photo("F1", "mine.jpg"),
		{ID: "F3", FileAccess: "check_file_info"},
		{Name: "odd.jpg"},
		photo("F6", "deleted.jpg"), photo("F7", "unsure.jpg"),
		{ID: "F8", Name: "untold", FileAccess: "check_file_info"},
	}}
}

func gone(code string) error {
	return fmt.Errorf("%w: %w", &bot.Error{Method: "files.info", Code: code}, bot.ErrGone)
}

func TestThePhotosThatMayBeReadAreKeptAndTheOthersNamed(t *testing.T) {
	bubble(t, func(r *rig) {
		r.withFiles()
		r.shortcut(ShortcutPhotos, mixed(r))
		form := r.screen.modal()
		for _, says := range []string{
			"1 · mine.jpg", "2 · partner.jpg", "3 · unsure.jpg", "3 photos kept",
			"I cannot read this photo, because I am not in the conversation", "Invite me there", "upload it here: theirs.jpg",
			"odd.jpg: Slack does not tell me which file it is", "deleted.jpg: it was deleted", "untold: Slack tells me nothing about it just now",
		} {
			require.Contains(r.t, form, says)
		}
	})
}

func TestThePhotosThatMayBeReadAreGivenAsReference(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inThread()
		r.signs()
		m := mixed(r)
		m.ThreadTimestamp = card
		r.shortcut(ShortcutReference, m)
		form := r.screen.modal()
		for _, says := range []string{
			"• mine.jpg", "• partner.jpg", "• unsure.jpg", "theirs.jpg: I am not in the conversation that it was posted in",
			"invite me there", "odd.jpg: Slack does not tell me which file it is", "deleted.jpg: it was deleted",
		} {
			require.Contains(r.t, form, says)
		}
		r.adds(nil)
		require.Len(r.t, r.service.references, 3)
	})
}

// Nobody can invite an app into a direct message between people.
func TestPhotosOfADirectMessageThatCannotBeReadAskForNoInvitation(t *testing.T) {
	for name, where := range map[string]bot.Request{
		"of two":     {Channel: "D1", ChannelName: "directmessage"},
		"of several": {Channel: "G1", ChannelName: "mpdm-maria--ben--tom-1"},
	} {
		for callback, says := range map[string]string{
			ShortcutPhotos:    "upload it here, or post it in a channel that I am in: theirs.jpg",
			ShortcutReference: "post it in a channel that I am in and try again",
		} {
			t.Run(name+" "+callback, func(t *testing.T) {
				bubble(t, func(r *rig) {
					r.inThread()
					r.signs()
					q := where
					q.Kind, q.Name, q.Message = bot.KindShortcut, callback, &slack.Message{Msg: mixed(r)}
					r.click(q)
					require.Contains(r.t, r.screen.modal(), says)
					require.NotContains(r.t, r.screen.modal(), "nvite me")
				})
			})
		}
	}
}

func TestAFileThatSlackDeniesTheAppIsOneThatItMayNotRead(t *testing.T) {
	bubble(t, func(r *rig) {
		r.withFiles()
		m := mixed(r)
		m.Files = []slack.File{{ID: "F9", Name: "denied.jpg", Mimetype: "image/jpeg", Size: 3_000_000}}
		r.shortcut(ShortcutPhotos, m)
		require.Contains(r.t, r.screen.modal(), "upload it here: denied.jpg")
	})
}

func TestThePhotosOfAMessageDoNotWaitLongForTheCredits(t *testing.T) {
	bubble(t, func(r *rig) {
		r.withFiles()
		r.service.dawdles = time.Minute
		began := time.Now()
		q := bot.Request{Kind: bot.KindShortcut, Name: ShortcutPhotos, ID: "slow", User: "maria", Team: "T1", Channel: "C1", TriggerID: "t", At: began}
		q.Message = &slack.Message{Msg: mixed(r)}
		require.NoError(r.t, r.works(r.t.Context(), q))
		require.Contains(r.t, r.screen.modal(), "3 photos kept")
		require.LessOrEqual(r.t, time.Since(began), 2*time.Second)
	})
}
