package commands_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/cards/place"
	"darkroom/commands"
	"darkroom/commands/commandstest"
)

// threadMessage returns a message of a thread with these photos.
func threadMessage(n int, text string, names ...string) slack.Message {
	m := slack.Message{}
	m.Timestamp, m.Text, m.User = fmt.Sprintf("700.%06d", n), text, "peter"
	for _, name := range names {
		m.Files = append(m.Files, commandstest.SlackPhoto(name))
	}
	return m
}

// inThread adds a thread to C1, and chooses the shortcut on one of its messages.
func inThread(r *commandstest.Rig, at int, all ...slack.Message) {
	r.T.Helper()
	root := r.Begins(all[0].Timestamp, "peter", cards.About{})
	root.Message = all[0]
	r.Screen.Replies = map[string][]slack.Message{all[0].Timestamp: all[1:]}
	chosen := all[at]
	if at > 0 {
		chosen.ThreadTimestamp = all[0].Timestamp
	} else {
		chosen.ReplyCount = len(all) - 1
	}
	r.Click(bot.Request{Kind: bot.KindShortcut, Name: commands.ShortcutPhotos, Message: &chosen})
}

// choosesPhotos submits the window that asks which photos to order.
func choosesPhotos(r *commandstest.Rig, choice place.ThreadChoice, instructions string) string {
	r.T.Helper()
	return r.Answers(r.Completed(map[string]slack.BlockAction{
		"thread":       {SelectedOption: slack.OptionBlockObject{Value: string(choice)}},
		"instructions": {Value: instructions},
	}))
}

func TestOnlyAThreadWithSeveralMessagesOfPhotosIsAskedAbout(t *testing.T) {
	root, talk := threadMessage(1, "Look", "a.jpg"), threadMessage(2, "Nice!")
	sheet := threadMessage(3, "", "sheet.jpg")
	sheet.User, sheet.BotID = "UDARKROOM", "BDARKROOM"
	for name, at := range map[string]struct {
		chosen int
		thread []slack.Message
		asks   bool
	}{
		"others talk":       {0, []slack.Message{root, talk}, false},
		"the photo is ours": {0, []slack.Message{root, talk, sheet}, false},
		"two have photos":   {0, []slack.Message{root, talk, threadMessage(4, "And this", "b.jpg")}, true},
		"from a reply":      {2, []slack.Message{root, talk, threadMessage(4, "And this", "b.jpg")}, true},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.Signs()
				inThread(r, at.chosen, at.thread...)
				if at.asks {
					require.Contains(r.T, r.Screen.Modal(), "This thread has *2 photos in 2 messages*")
					return
				}
				require.NotContains(r.T, r.Screen.Modal(), "This thread has")
				require.Contains(r.T, r.Screen.Modal(), "1 photo in this order")
			})
		})
	}
}

func TestAThreadIsOneOrderForEachMessage(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Signs()
		many := make([]string, 60)
		for i := range many {
			many[i] = fmt.Sprintf("many%d.jpg", i)
		}
		inThread(r, 1, threadMessage(1, "Look"), threadMessage(2, "Warm these", "a.jpg", "b.jpg"), threadMessage(3, "Crop those", many...), threadMessage(4, "", "c.jpg"))
		require.Contains(r.T, r.Screen.Modal(), "Instructions for 1 message without text")
		require.Contains(r.T, choosesPhotos(r, place.ThreadEach, ""), "photos of messages without text")
		choosesPhotos(r, place.ThreadEach, "Brighten it.")
		r.Settle(time.Minute)
		require.Contains(r.T, r.Screen.Modal(), "4 orders, 63 photos", "more photos than one order holds are several")
		require.Contains(r.T, r.Screen.Modal(), "60 photos in 2 orders")
		creates, _ := r.Service.Sent()
		require.Zero(r.T, creates, "nothing is sent before it was seen")
		q := r.Completed(nil)
		r.Answers(q)
		r.Answers(q)
		r.Settle(10 * time.Minute)
		creates, _ = r.Service.Sent()
		require.Equal(r.T, 4, creates)
		require.Contains(r.T, r.Screen.Modal(), "Every order is placed: 4 orders.")
	})
}

func TestAllPhotosOfAThreadAreOneOrderAndTheRestIsNamed(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Signs()
		many := make([]string, 30)
		for i := range many {
			many[i] = fmt.Sprintf("many%d.jpg", i)
		}
		more := make([]string, 30)
		for i := range more {
			more[i] = fmt.Sprintf("more%d.jpg", i)
		}
		inThread(r, 0, threadMessage(1, "Warm these", many...), threadMessage(2, "Warm these", more...))
		shown := choosesPhotos(r, place.ThreadAll, "")
		r.Settle(time.Minute)
		shown += r.Screen.Modal()
		require.Contains(r.T, shown, "10 more photos: one order holds at most 50 photos.")
		require.Contains(r.T, shown, "50 photos in this order")
	})
}

func TestWhereAThreadCannotBeReadTheFormSaysWhy(t *testing.T) {
	for name, at := range map[string]struct {
		err  error
		says string
	}{
		"not in it":     {client.ErrNotInChannel, place.ThreadUnread},
		"no scope":      {commandstest.ErrNoScope, place.ThreadScope},
		"Slack is away": {client.ErrTryLater, place.ThreadLate},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.Signs()
				r.Begins("700.000001", "peter", cards.About{}).Meets(at.err)
				chosen := threadMessage(2, "These", "a.jpg")
				chosen.ThreadTimestamp = "700.000001"
				r.Click(bot.Request{Kind: bot.KindShortcut, Name: commands.ShortcutPhotos, Message: &chosen})
				require.Contains(r.T, r.Screen.Modal(), at.says)
				require.Contains(r.T, r.Screen.Modal(), "1 photo in this order")
			})
		})
	}
}

func TestAThreadOfSomebodyElseIsNotOrdered(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Signs()
		inThread(r, 0, threadMessage(1, "Look", "a.jpg"), threadMessage(2, "And", "b.jpg"))
		q := r.Completed(nil)
		q.User = "ben"
		require.Contains(r.T, r.Answers(q), "This window has expired")
	})
}
