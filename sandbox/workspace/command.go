package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"regexp"
	"strings"
)

// ErrNotMember says that the person is not in the channel.
var ErrNotMember = errors.New("not in that channel")

// Command types a slash command in a channel and waits for its acknowledgement.
// Slack's own commands never reach the app.
func (win *Window) Command(channel, line string) error {
	w := win.w
	command, text, _ := strings.Cut(line, " ")
	w.mu.Lock()
	c := w.channel(channel)
	if c == nil || !c.has(win.user) || c.Archived {
		w.mu.Unlock()
		return fmt.Errorf("%s: %w", channel, ErrNotMember)
	}
	win.place = c.ID
	if own := slackCommands[command]; own != nil {
		err := own(win, c, strings.Fields(text))
		w.unlock()
		return err
	}
	if !w.installed {
		w.whisper(&Message{Channel: c.ID, To: win.user, User: slackbot, Text: escaped(notThere(command))})
		w.unlock()
		return nil
	}
	response := w.newResponse(&responseURL{channel: c.ID, user: win.user})
	p := w.commandParcel(win, c, command, text, w.responseAddress(response))
	w.mu.Unlock()
	w.interpretCommand(win, c.ID, command, response, w.deliver(p))
	return nil
}

// slackCommands are carried out by Slack itself; the lock is held.
var slackCommands = map[string]func(win *Window, c *Channel, words []string) error{
	"/invite": func(win *Window, c *Channel, words []string) error { return win.w.each(words, c, win.invite) },
	"/remove": func(win *Window, c *Channel, words []string) error { return win.w.each(words, c, win.w.part) },
	"/join": func(win *Window, _ *Channel, words []string) error {
		return win.join(win.w.channel(strings.Join(words, " ")))
	},
	"/leave": func(win *Window, c *Channel, _ []string) error { return win.leave(c) },
	"/archive": func(win *Window, c *Channel, _ []string) error {
		win.w.archive(c)
		return nil
	},
}

// each does it with everyone named.
func (w *Workspace) each(names []string, c *Channel, do func(*Channel, *User)) error {
	for _, name := range names {
		u := w.user(name)
		if u == nil {
			return fmt.Errorf("%s: nobody of that name", name)
		}
		do(c, u)
	}
	return nil
}

// invite adds somebody to the channel and leaves a line there that says who did; the lock is held.
func (win *Window) invite(c *Channel, u *User) {
	if c.has(u.ID) {
		return
	}
	win.w.join(c, u)
	win.w.add(&Message{Channel: c.ID, User: u.ID, Subtype: joined, Inviter: win.user, Text: "<@" + u.ID + "> has joined the channel"})
}

// interpretCommand shows the person what the acknowledgement says.
func (w *Workspace) interpretCommand(win *Window, channel, command, response string, d Delivery) {
	if !d.Acknowledged() {
		w.mutter(win, channel, fmt.Sprintf("%s failed with the error \"%s\"", command, d.failure()))
		return
	}
	reply, err := commandReply(d)
	if err == nil && reply != nil {
		_, err = w.respond(response, reply)
	}
	if err != nil {
		w.noteRejected("answer to "+command, err)
		w.mutter(win, channel, fmt.Sprintf("%s failed with the error \"dispatch_failed\"", command))
	}
}

// commandReply is the message in an acknowledgement; nil: none.
func commandReply(d Delivery) (object, error) {
	body := strings.TrimSpace(string(d.Answer))
	if body == "" {
		return nil, nil
	}
	if kind, _, _ := mime.ParseMediaType(d.AnswerType); kind != "application/json" {
		return object{"text": body}, nil
	}
	var reply object
	err := json.Unmarshal([]byte(body), &reply)
	if len(reply) == 0 {
		return nil, err
	}
	return reply, err
}

// mutter is Slackbot speaking to one person.
func (w *Workspace) mutter(win *Window, channel, text string) {
	defer w.change()()
	w.whisper(&Message{Channel: channel, To: win.user, User: slackbot, Text: escaped(text)})
}

var mention = regexp.MustCompile(`[@#][\w.-]*\w`)

// mentions turns the @names and #names that exist into Slack's references;
// the caller holds the lock.
func (w *Workspace) mentions(text string) string {
	return mention.ReplaceAllStringFunc(text, func(name string) string {
		if u := w.user(name); strings.HasPrefix(name, "@") && u != nil {
			return "<@" + u.ID + ">"
		}
		if c := w.channel(name); strings.HasPrefix(name, "#") && c != nil {
			return "<#" + c.ID + "|" + c.shownName() + ">"
		}
		return name
	})
}

// shownName is the name in a reference: empty for a private channel.
func (c *Channel) shownName() string {
	if c.Private {
		return ""
	}
	return c.Name
}

// bareLink is an address in a text; the punctuation behind it is the sentence's.
var bareLink = regexp.MustCompile(`https?://[^\s<>]*[^\s<>.,;:!?'")\]}]`)

// stored is text as Slack keeps what a person typed: with references and links.
func (w *Workspace) stored(text string) string {
	return bareLink.ReplaceAllString(w.mentions(escaped(text)), "<$0>")
}

// Say posts a message as the person, in a thread when one is given. @names
// and #names become references, links get their brackets.
func (win *Window) Say(channel, thread, text string, files ...Upload) error {
	w := win.w
	defer w.change()()
	c := w.channel(channel)
	if c == nil || !c.has(win.user) || c.Archived {
		return fmt.Errorf("%s: %w", channel, ErrNotMember)
	}
	if thread != "" && w.message(c.ID, thread) == nil {
		return ErrGone
	}
	win.place = c.ID
	m := &Message{Channel: c.ID, User: win.user, ThreadTS: thread, Text: w.stored(text)}
	for _, f := range files {
		kept := w.keep(win.user, f)
		kept.Channels = []string{c.ID}
		m.Files, m.Subtype = append(m.Files, *kept), "file_share"
	}
	w.add(m)
	return nil
}

// EditMessage changes the text of the person's own message.
func (win *Window) EditMessage(channel, ts, text string) error {
	w := win.w
	defer w.change()()
	m, err := win.own(channel, ts)
	if err != nil {
		return err
	}
	before := m.clone()
	m.Text, m.Edited = w.stored(text), true
	w.emitChanged(m, "message_changed", &before)
	return nil
}

// DeleteMessage removes the person's own message.
func (win *Window) DeleteMessage(channel, ts string) error {
	w := win.w
	defer w.change()()
	m, err := win.own(channel, ts)
	if err != nil {
		return err
	}
	w.remove(m)
	return nil
}

func (win *Window) own(channel, ts string) (*Message, error) {
	m := win.w.message(channel, ts)
	switch {
	case m == nil, m.Subtype == "tombstone":
		return nil, ErrGone
	case m.User != win.user:
		return nil, errors.New("this is somebody else's message")
	}
	return m, nil
}

// Unfurl edits a message as Slack does when it shows a link's preview: the
// text stays, the app hears of a change.
func (w *Workspace) Unfurl(channel, ts string) {
	defer w.change()()
	if m := w.message(w.channel(channel).ID, ts); m != nil {
		before := m.clone()
		w.emitChanged(m, "message_changed", &before)
	}
}

// Dismiss takes a message that only the person sees off their screen.
func (win *Window) Dismiss(ts string) error {
	w := win.w
	defer w.change()()
	for _, m := range w.ephemerals {
		if m.TS == ts && m.To == win.user {
			w.dismiss(m)
			return nil
		}
	}
	return ErrGone
}
