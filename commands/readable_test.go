package commands_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/commands"
	"darkroom/commands/commandstest"
)

// mixed returns a message with photos of every kind of access.
func mixed(r *commandstest.Rig) slack.Msg {
	photo := func(id, name string) slack.File {
		return slack.File{ID: id, Name: name, Mimetype: "image/jpeg", Size: 3_000_000, FileAccess: "visible"}
	}
	r.Screen.Files = map[string]commandstest.SeenFile{
		"F1": {File: photo("F1", "mine.jpg")},
		"F3": {File: photo("F3", "partner.jpg")},
		"F5": {Err: gone("file_not_found")},
		"F6": {Err: gone("tombstone")},
		"F7": {Err: fmt.Errorf("files.info: %w", client.ErrTryLater)},
		"F8": {Err: fmt.Errorf("files.info: %w", client.ErrTryLater)},
		"F9": {Err: fmt.Errorf("files.info: %w", client.ErrNotAllowed)},
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
	return fmt.Errorf("%w: %w", &client.Error{Method: "files.info", Code: code}, client.ErrGone)
}

func TestThePhotosThatMayBeReadAreKeptAndTheOthersNamed(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Signs()
		r.Shortcut(commands.ShortcutPhotos, mixed(r))
		form := r.Screen.Modal()
		for _, says := range []string{
			"1 · mine.jpg", "2 · partner.jpg", "3 · unsure.jpg", "3 photos in this order",
			"I am not in the conversation of theirs.jpg", "Invite me there", "or upload it",
			"odd.jpg: Slack does not tell me which file it is", "deleted.jpg: it was deleted", "untold: Slack tells me nothing about it just now",
		} {
			require.Contains(r.T, form, says)
		}
	})
}

func TestThePhotosThatMayBeReadAreGivenAsReference(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InThread()
		r.Signs()
		m := mixed(r)
		m.ThreadTimestamp = commandstest.CardTS
		r.Shortcut(commands.ShortcutReference, m)
		form := r.Screen.Modal()
		for _, says := range []string{
			"• mine.jpg", "• partner.jpg", "• unsure.jpg", "theirs.jpg: I am not in the conversation that it was posted in",
			"invite me there", "odd.jpg: Slack does not tell me which file it is", "deleted.jpg: it was deleted",
		} {
			require.Contains(r.T, form, says)
		}
		r.Fills(nil)
		require.Len(r.T, r.Service.References, 3)
	})
}

// Nobody can invite an app into a direct message between people.
func TestPhotosOfADirectMessageThatCannotBeReadAskForNoInvitation(t *testing.T) {
	for name, where := range map[string]bot.Request{
		"of two":     {Channel: "D1", ChannelName: "directmessage"},
		"of several": {Channel: "G1", ChannelName: "mpdm-maria--ben--tom-1"},
	} {
		for callback, says := range map[string]string{
			commands.ShortcutPhotos:    "I cannot read the direct message with theirs.jpg. Upload it, or post it in a channel that I am in.",
			commands.ShortcutReference: "post it in a channel that I am in and try again",
		} {
			t.Run(name+" "+callback, func(t *testing.T) {
				commandstest.Bubble(t, func(r *commandstest.Rig) {
					r.InThread()
					r.Signs()
					q := where
					q.Kind, q.Name, q.Message = bot.KindShortcut, callback, &slack.Message{Msg: mixed(r)}
					r.Click(q)
					require.Contains(r.T, r.Screen.Modal(), says)
					require.NotContains(r.T, r.Screen.Modal(), "nvite me")
				})
			})
		}
	}
}

func TestAFileThatSlackDeniesTheAppIsOneThatItMayNotRead(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Signs()
		m := mixed(r)
		m.Files = []slack.File{{ID: "F9", Name: "denied.jpg", Mimetype: "image/jpeg", Size: 3_000_000}}
		r.Shortcut(commands.ShortcutPhotos, m)
		require.Contains(r.T, r.Screen.Modal(), "I am not in the conversation of denied.jpg")
	})
}

func TestThePhotosOfAMessageDoNotWaitLongForTheCredits(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Signs()
		r.Service.BalanceDelay = time.Minute
		began := time.Now()
		q := bot.Request{Kind: bot.KindShortcut, Name: commands.ShortcutPhotos, ID: "slow", User: "maria", Team: "T1", Channel: "C1", TriggerID: "t", At: began}
		q.Message = &slack.Message{Msg: mixed(r)}
		require.NoError(r.T, works(r.T.Context(), r, q))
		require.Contains(r.T, r.Screen.Modal(), "3 photos in this order")
		require.LessOrEqual(r.T, time.Since(began), 2*time.Second)
	})
}
