package commands

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/order"
	"darkroom/store"
)

func (s *screen) marked(body json.RawMessage) error {
	var m store.Mark
	if err := json.Unmarshal(body, &m); err != nil {
		return err
	}
	s.Lock()
	defer s.Unlock()
	s.marks = append(s.marks, m.TS+" "+m.Emoji)
	return nil
}

// killed carries the call out, and the app dies before it hears of it.
func killed(do func() order.Order) (order.Order, error) {
	do()
	panic("killed")
}

// conversation is what the editor was sent, oldest first.
func (r *rig) conversation() []string {
	var sent []string
	r.service.edit("order1", func(o *order.Order) {
		for _, e := range o.Conversation {
			if e.FromClient() {
				sent = append([]string{e.Content}, sent...)
			}
		}
	})
	return sent
}

// events are those of one kind.
func (r *rig) eventsOf(kind order.EventKind) []order.Event {
	r.t.Helper()
	events, err := r.store.Events(r.t.Context(), "order1")
	require.NoError(r.t, err)
	var found []order.Event
	for _, e := range events {
		if e.Kind == kind {
			found = append(found, e)
		}
	}
	return found
}

// filled is the form opened last, with some of its fields filled in.
func (r *rig) filled(user string, fields map[string]string) bot.Request {
	r.t.Helper()
	view := r.screen.view(r.screen.last())
	view.State = &slack.ViewState{Values: map[string]map[string]slack.BlockAction{}}
	for _, block := range view.Blocks.BlockSet {
		input, ok := block.(*slack.InputBlock)
		if !ok {
			continue
		}
		id, action := "", slack.BlockAction{}
		switch box := input.Element.(type) {
		case *slack.PlainTextInputBlockElement:
			id, action.Value = box.ActionID, box.InitialValue
			if typed, ok := fields[input.Label.Text]; ok {
				action.Value = typed
			}
		case *slack.SelectBlockElement:
			id, action.SelectedOption.Value = box.ActionID, fields[input.Label.Text]
		}
		view.State.Values[input.BlockID] = map[string]slack.BlockAction{id: action}
	}
	r.clicks++
	return bot.Request{
		Kind: bot.KindSubmit, ID: fmt.Sprintf("submit%d", r.clicks), Name: view.CallbackID,
		Team: "T1", User: user, View: &view, At: time.Now(),
	}
}

// writes is maria filling in the message form that was opened last, and sending it.
func (r *rig) writes(fields map[string]string) bot.Reply {
	r.t.Helper()
	reply, err := r.handle(r.t.Context(), r.filled("maria", fields))
	require.NoError(r.t, err)
	r.settle(time.Second)
	return reply
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
			bubble(t, func(r *rig) {
				r.inReview()
				o, err := r.store.Order(r.t.Context(), "order1")
				require.NoError(r.t, err)
				if name == "in any case" {
					line = strings.Replace(line, "ORDER1", strings.ToLower(o.Reference), 1)
				}
				r.types(strings.Replace(line, "REF", o.Reference, 1))
				require.Equal(r.t, []string{"Soft shadows & more, please.\nThanks!"}, r.conversation())
				require.Contains(r.t, r.screen.lastTold(), "Sent to the editor of")
				require.Len(r.t, r.eventsOf(order.EventMessage), 1)
				require.Equal(r.t, "maria", r.eventsOf(order.EventMessage)[0].Actor)
			})
		})
	}
}

func TestAMistypedNameNeverReachesAnEditor(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inReview()
		r.types("message K7Q2XM Soft shadows, please.")
		require.Empty(r.t, r.conversation())
		require.Contains(r.t, r.screen.lastTold(), "Soft shadows, please.")
	})
}

func TestWhichOrderIsAskedAndTheWordsAreKept(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inReview()
		r.types("new")
		r.submits()
		r.types("message Less <b> & more")
		asked := fmt.Sprintf("trigger%d", r.clicks)
		require.Empty(r.t, r.conversation())
		require.Contains(r.t, r.screen.lastTold(), "Less &lt;b&gt; &amp; more")
		// picked: the desk hands the choice to the verb
		r.click(bot.Request{
			Kind: bot.KindAction, Name: cards.ActionMessage, Value: cards.Value("order1", 0),
			BlockID: cards.PickBlock + "words:" + jobs.Hash(asked),
		})
		r.writes(nil)
		require.Equal(r.t, []string{"Less <b> & more"}, r.conversation())
	})
}

func TestTheMessageForm(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.inReview()
		r.presses(cards.ActionMessage, cards.Value(id, 0))
		reply := r.writes(map[string]string{"Message": strings.Repeat("a", 3000), "Message (more)": strings.Repeat("ä", 2000)})
		require.Contains(r.t, text(reply.Body), "5,001 characters")
		require.Empty(r.t, r.conversation())
		reply = r.writes(map[string]string{"Message": " \n "})
		require.Contains(r.t, text(reply.Body), "Write what the editor should read")

		reply = r.writes(map[string]string{"Message": strings.Repeat("a", 3000), "Message (more)": strings.Repeat("ä", 1999)})
		require.Contains(r.t, text(reply.Body), "Sending your message")
		require.Equal(r.t, []string{strings.Repeat("a", 3000) + "\n" + strings.Repeat("ä", 1999)}, r.conversation())
		require.Contains(r.t, r.screen.modal(), "Sent to the editor of")
	})
}

func TestAMessageThatIsTooLongIsGivenBackWhole(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inReview()
		r.types("message order1 " + strings.Repeat("🎉", 5001))
		require.Empty(r.t, r.conversation())
		require.Contains(r.t, r.screen.lastTold(), "5,001 characters")
		r.types("message order1 " + strings.Repeat("🎉", 5000))
		require.Len(r.t, r.conversation(), 1, "characters, not bytes")
	})
}

func TestAMessageOfUnknownOutcome(t *testing.T) {
	for name, answers := range map[string][]func(func() order.Order) (order.Order, error){
		"that arrived":          {lost},
		"that did not":          {never, never},
		"of an app that died":   {killed},
		"that never left":       {unsent, unsent, unsent, lost},
		"whatever the order":    {never, unsent, killed},
		"for longer than a few": {never, never, never, never, never, never, never, never, lost},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.inReview()
				r.service.nextMessage = answers
				r.types("message order1 Soft shadows, please.")
				r.settle(10 * time.Minute)
				require.Equal(r.t, []string{"Soft shadows, please."}, r.conversation())
				require.Len(r.t, r.eventsOf(order.EventMessage), 1)
				require.Equal(r.t, "maria", r.eventsOf(order.EventMessage)[0].Actor)
				require.Contains(r.t, r.screen.lastTold(), "Sent to the editor of")
				order, err := r.store.Order(r.t.Context(), "order1")
				require.NoError(r.t, err)
				require.Nil(r.t, order.Intent)
			})
		})
	}
}

func TestADuplicateAtTheFirstTryIsShown(t *testing.T) {
	bubble(t, func(r *rig) {
		id := r.inReview()
		r.types("message order1 Soft shadows, please.")
		r.types("message order1 Soft shadows, please.")
		require.Contains(r.t, r.screen.lastTold(), "has this message already")
		require.Contains(r.t, r.screen.lastTold(), "Please do not post duplicated message")
		require.Contains(r.t, r.screen.lastTold(), "Soft shadows, please.", "the words are kept")

		r.presses(cards.ActionMessage, cards.Value(id, 0))
		r.writes(map[string]string{"Message": "Soft shadows, please."})
		require.Contains(r.t, r.screen.modal(), "has this message already")
		r.writes(map[string]string{"Message": "Soft shadows, please!"})
		require.Len(r.t, r.conversation(), 2)
		require.Len(r.t, r.eventsOf(order.EventMessage), 2)
	})
}

func TestARefusedMessageIsKeptWordForWord(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inReview()
		r.service.nextMessage = append(r.service.nextMessage, refused("the order is <archived>"))
		r.types("message order1 5 < 6 &amp;&amp; 7 > 6")
		require.Contains(r.t, r.screen.lastTold(), "the order is &lt;archived&gt;")
		order, err := r.store.Order(r.t.Context(), "order1")
		require.NoError(r.t, err)
		require.Nil(r.t, order.Intent)
		// the button of the answer opens the form, filled in
		r.click(bot.Request{
			Kind: bot.KindAction, Name: cards.ActionMessage, Value: cards.Value("order1", 0),
			BlockID: cards.PickBlock + "words:" + jobs.Hash("message:"+fmt.Sprintf("trigger%d", r.clicks)),
		})
		r.writes(nil)
		require.Equal(r.t, []string{"5 < 6 && 7 > 6"}, r.conversation())
	})
}

func TestAMessageWaitsForTheServiceAndSaysSoOnce(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inReview()
		for range 9 {
			r.service.nextMessage = append(r.service.nextMessage, unsent)
		}
		r.types("message order1 Soft shadows, please.")
		r.settle(2 * time.Minute)
		require.Len(r.t, r.screen.told, 1)
		require.Contains(r.t, r.screen.lastTold(), "as soon as the service is back")
		r.settle(10 * time.Minute)
		require.Len(r.t, r.screen.told, 2)
		require.Len(r.t, r.conversation(), 1)
	})
}

func TestWhatIsNeverAnsweredIsGivenBack(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inReview()
		for range 2 * jobs.MostTries {
			r.service.nextMessage = append(r.service.nextMessage, never)
		}
		r.types("message order1 Soft shadows, please.")
		r.settle(25 * time.Minute)
		require.Contains(r.t, r.screen.lastTold(), "I have stopped trying")
		require.Contains(r.t, r.screen.lastTold(), "Soft shadows, please.")
	})
}

func TestWhoMayNotWriteToAnEditor(t *testing.T) {
	bubble(t, func(r *rig) {
		r.inReview()
		r.screen.guests = map[string]bool{"gus": true}
		r.screen.out = map[string]bool{"otto": true}
		r.click(bot.Request{Kind: bot.KindCommand, Name: Slash, Verb: "message", Args: "order1 Hello", User: "gus"})
		require.Contains(r.t, r.screen.lastTold(), "Guests may look")
		require.Contains(r.t, r.screen.lastTold(), "Hello")
		r.click(bot.Request{Kind: bot.KindCommand, Name: Slash, Verb: "message", Args: "order1 Hello", User: "otto"})
		require.Contains(r.t, r.screen.lastTold(), "There is no order")
		require.Empty(r.t, r.conversation())
	})
}
