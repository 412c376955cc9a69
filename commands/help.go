package commands

import (
	"context"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/commands/answer"
)

// help renders the table that routes requests.
type help struct {
	helps   func() map[string]bot.Reply
	verbs   []verb
	answers *answer.Messages
}

var helpHelp = cards.HelpRow{
	Verb: "help", Usage: "help [verb]", Does: "says what I can do", Example: "help approve",
}

// mainVerbs are the verbs that help shows with examples, and the usage hint of the slash command.
var mainVerbs = []string{"new", "list", "approve", "revise", "message"}

// Hints returns the usage hint of the slash command for the manifest.
func Hints() string {
	main, _ := mainRows()
	usages := make([]string, len(main))
	for i, row := range main {
		usages[i] = row.Usage
	}
	return strings.Join(append(usages, helpHelp.Usage), " | ")
}

// mainRows returns the rows of the main verbs, and the names of the others.
func mainRows() (main []cards.HelpRow, others []string) {
	for _, row := range Rows() {
		switch {
		case slices.Contains(mainVerbs, row.Verb):
			main = append(main, row)
		case row.Verb != helpHelp.Verb:
			others = append(others, row.Verb)
		}
	}
	return main, others
}

// help answers with the list of verbs, or the details of one.
func (c *help) help(ctx context.Context, r bot.Request) error {
	topic := helpTopic(r)
	if about, ok := c.helpOn(topic); ok {
		return c.answers.Send(ctx, r, about)
	}
	return c.answers.Send(ctx, r, cards.Suggest(topic, c.nearest(topic), ""))
}

// helpTopic returns the verb of a help line, "" for all verbs.
func helpTopic(r bot.Request) string {
	topic, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(r.Args)), " ")
	return topic
}

// helpOn returns the help on a verb, or on all for "".
func (c *help) helpOn(topic string) (m kit.Message, ok bool) {
	if topic == "" {
		return cards.Help(mainRows()), true
	}
	v, ok := c.verb(topic)
	if !ok {
		return kit.Message{}, false
	}
	return cards.HelpFor(v.HelpRow), true
}

// suggest answers an unknown verb with the nearest one. It repeats the line, which may hold a whole message.
func (c *help) suggest(ctx context.Context, r bot.Request) error {
	return c.answers.Send(ctx, r, c.suggestion(r))
}

func (c *help) suggestion(r bot.Request) kit.Message {
	return cards.Suggest(r.Verb, c.nearest(r.Verb), answer.TypedLine(r))
}

// encodedHelp returns the encoded help for each verb, and for all under "". Help too large for an acknowledgement is
// left out.
func (c *help) encodedHelp() map[string]bot.Reply {
	all := map[string]bot.Reply{}
	add := func(topic string) {
		m, _ := c.helpOn(topic)
		if says, fits := answer.InAck(m); fits {
			all[topic] = says.Encoded()
		}
	}
	add("")
	for _, v := range c.verbs {
		add(v.Verb)
	}
	return all
}

// instant answers help and unknown verbs without a handler: the answer depends on the line alone.
func (c *help) instant(r bot.Request) (bot.Reply, bool) {
	if r.Verb == helpHelp.Verb {
		return c.instantTopic(helpTopic(r))
	}
	if _, known := c.verb(r.Verb); known || r.Verb == "" || looksLikeURL(r.Verb) {
		return bot.Reply{}, false
	}
	return answer.InAck(c.suggestion(r))
}

func (c *help) instantTopic(topic string) (bot.Reply, bool) {
	if says, ok := c.helps()[topic]; ok {
		return says, true
	}
	if _, known := c.verb(topic); known || topic == "" {
		return bot.Reply{}, false
	}
	return answer.InAck(cards.Suggest(topic, c.nearest(topic), ""))
}

// verb returns the row with that name.
func (c *help) verb(name string) (verb, bool) {
	for _, v := range c.verbs {
		if v.Verb == name {
			return v, true
		}
	}
	return verb{}, false
}

// nearest returns the verb at most two typing mistakes away, or "".
func (c *help) nearest(typed string) string {
	best, mistakes := "", 3
	for _, v := range c.verbs {
		if n := levenshtein.ComputeDistance(typed, v.Verb); n < mistakes && n < len(v.Verb) {
			best, mistakes = v.Verb, n
		}
	}
	return best
}
