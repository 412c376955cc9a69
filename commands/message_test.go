package commands_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/commands"
	"darkroom/commands/commandstest"
	"darkroom/jobs/job"
	"darkroom/order"
)

// A number is text, unless it is as long as an order's id.
func TestAShortNumberBeginsAMessage(t *testing.T) {
	for line, sent := range map[string]string{
		"message 3 more like this":       "3 more like this",
		"message 2nd photo: softer":      "2nd photo: softer",
		"message 50% less yellow":        "50% less yellow",
		"message 100 percent sure":       "100 percent sure",
		"message 4711 has a soft shadow": "", // as long as an id: perhaps mistyped
		"message ab12 has a soft shadow": "",
	} {
		t.Run(line, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.InReview()
				r.Types(line)
				if sent == "" {
					require.Empty(r.T, r.Conversation())
					require.Contains(r.T, r.Screen.LastMessage(), "There is no order")
					return
				}
				require.Equal(r.T, []string{sent}, r.Conversation())
			})
		})
	}
}

func TestAMessageWithItsTextGoesAtOnce(t *testing.T) {
	for name, line := range map[string]string{
		"with the id":       "message order1 Soft shadows & more, please.\nThanks!",
		"with the id in *":  "message `order1` Soft shadows & more, please.\nThanks!",
		"the only one":      "message Soft shadows & more, please.\nThanks!",
		"escaped by Slack":  "message Soft shadows &amp; more, please.\nThanks!",
		"in any case":       "message ORDER1 Soft shadows & more, please.\nThanks!",
		"with its name":     "message REF Soft shadows & more, please.\nThanks!",
		"and blanks around": "message   order1   Soft shadows & more, please.\nThanks!  ",
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.InReview()
				o, err := r.Store.Orders.Order(r.T.Context(), "order1")
				require.NoError(r.T, err)
				if name == "in any case" {
					line = strings.Replace(line, "ORDER1", strings.ToLower(o.Reference), 1)
				}
				r.Types(strings.Replace(line, "REF", o.Reference, 1))
				require.Equal(r.T, []string{"Soft shadows & more, please.\nThanks!"}, r.Conversation())
				require.Contains(r.T, r.Screen.LastMessage(), "Sent to the editor of")
				require.Len(r.T, r.Events(order.EventMessage), 1)
				require.Equal(r.T, "maria", r.Events(order.EventMessage)[0].Actor)
			})
		})
	}
}

func TestAMistypedNameNeverReachesAnEditor(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InReview()
		r.Types("message K7Q2XM Soft shadows, please.")
		require.Empty(r.T, r.Conversation())
		require.Contains(r.T, r.Screen.LastMessage(), "Soft shadows, please.")
	})
}

func TestWhichOrderIsAskedAndTheWordsAreKept(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InReview()
		r.Types("new")
		r.Submits()
		r.Types("message Less <b> & more")
		asked := fmt.Sprintf("trigger%d", r.Clicks)
		require.Empty(r.T, r.Conversation())
		require.Contains(r.T, r.Screen.LastMessage(), "Less &lt;b&gt; &amp; more")
		// the picker hands the choice to the verb
		r.Click(bot.Request{
			Kind: bot.KindAction, Name: cards.ActionMessage, Value: cards.Value("order1", 0),
			BlockID: cards.PickBlock + "words:" + job.Hash(asked),
		})
		r.Fills(nil)
		require.Equal(r.T, []string{"Less <b> & more"}, r.Conversation())
	})
}

func TestTheMessageForm(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.InReview()
		r.Presses(cards.ActionMessage, cards.Value(id, 0))
		reply := r.Fills(map[string]string{"Message": strings.Repeat("a", 3000), "Message (more)": strings.Repeat("ä", 2000)})
		require.Contains(r.T, commandstest.Text(reply.Body), "5,001 characters")
		require.Empty(r.T, r.Conversation())
		reply = r.Fills(map[string]string{"Message": " \n "})
		require.Contains(r.T, commandstest.Text(reply.Body), "Write what the editor should read")

		reply = r.Fills(map[string]string{"Message": strings.Repeat("a", 3000), "Message (more)": strings.Repeat("ä", 1999)})
		require.Contains(r.T, commandstest.Text(reply.Body), "Sending your message")
		require.Equal(r.T, []string{strings.Repeat("a", 3000) + "\n" + strings.Repeat("ä", 1999)}, r.Conversation())
		require.Contains(r.T, r.Screen.Modal(), "Sent to the editor of")
	})
}

func TestAMessageThatIsTooLongIsGivenBackWhole(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InReview()
		r.Types("message order1 " + strings.Repeat("🎉", 5001))
		require.Empty(r.T, r.Conversation())
		require.Contains(r.T, r.Screen.LastMessage(), "5,001 characters")
		r.Types("message order1 " + strings.Repeat("🎉", 5000))
		require.Len(r.T, r.Conversation(), 1, "characters, not bytes")
	})
}

func TestWhoMayNotWriteToAnEditor(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InReview()
		r.Screen.Guests = map[string]bool{"gus": true}
		r.Screen.Out = map[string]bool{"otto": true}
		r.Click(bot.Request{Kind: bot.KindCommand, Name: commands.Slash, Verb: "message", Args: "order1 Hello", User: "gus"})
		require.Contains(r.T, r.Screen.LastMessage(), "Guests may look")
		require.Contains(r.T, r.Screen.LastMessage(), "Hello")
		r.Click(bot.Request{Kind: bot.KindCommand, Name: commands.Slash, Verb: "message", Args: "order1 Hello", User: "otto"})
		require.Contains(r.T, r.Screen.LastMessage(), "There is no order")
		require.Empty(r.T, r.Conversation())
	})
}
