package workspace

import (
	"errors"
	"strings"
)

const (
	maxPostText   = 40_000              // longer is cut
	maxEditText   = 4000                // longer is refused
	maxEphemeral  = 4000                // bytes
	channelUnseen = "channel_not_found" // also a private channel without the app
)

func chatMethods() map[string]method {
	write := []string{"chat:write"}
	return map[string]method{
		"chat.postMessage":   {scopes: write, check: (*Workspace).checkPost, run: (*Workspace).postMessage},
		"chat.update":        {scopes: write, check: (*Workspace).checkEdit, run: (*Workspace).updateMessage},
		"chat.delete":        {scopes: write, run: (*Workspace).deleteMessage},
		"chat.postEphemeral": {scopes: write, check: (*Workspace).checkEphemeral, run: (*Workspace).postEphemeral},
	}
}

func (w *Workspace) checkPost(c *call) error {
	if err := w.paced(c); err != nil {
		return err
	}
	return w.checkContent(c)
}

// paced holds the channel to its one message a second.
func (w *Workspace) paced(c *call) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if wait := w.rates.post(strings.TrimPrefix(c.str("channel"), "#"), c.at); wait > 0 {
		return &apiError{code: "ratelimited", retryAfter: wait}
	}
	return nil
}

func (w *Workspace) checkEdit(c *call) error {
	if length(c.str("text")) > maxEditText {
		return fails("msg_too_long")
	}
	return w.checkContent(c)
}

func (w *Workspace) checkEphemeral(c *call) error {
	if len(c.str("text")) > maxEphemeral {
		return fails("msg_too_long")
	}
	return w.checkContent(c)
}

// checkContent judges text, blocks and metadata of a message.
func (w *Workspace) checkContent(c *call) error {
	blocks, given, err := c.blocks()
	if err != nil {
		return err
	}
	_, hasText := c.args["text"]
	if len(blocks) == 0 && c.str("text") == "" && (c.method != "chat.update" || !given && !hasText) {
		return fails("no_text")
	}
	metadata, hasMetadata, err := c.json("metadata")
	if err != nil {
		return fails("invalid_metadata_format")
	}
	if hasMetadata {
		if err := checkMetadata(metadata); err != nil {
			return err
		}
	}
	return w.checkBlocks(blocks)
}

// place is the channel the app may post in; a user's id is their direct
// message. The caller holds the lock.
func (w *Workspace) place(name string) (*Channel, error) {
	c := w.channel(name)
	if u := w.user(name); c == nil && u != nil && u.ID == name {
		c = w.openIM(u)
	}
	switch {
	case c == nil, c.Private && !c.has(w.o.BotUserID):
		return nil, fails(channelUnseen)
	case c.Archived:
		return nil, fails("is_archived")
	case !c.has(w.o.BotUserID) && w.scoped("chat:write.public") != nil:
		return nil, fails("not_in_channel")
	}
	return c, nil
}

func (w *Workspace) postMessage(c *call) (object, error) {
	channel, err := w.place(c.str("channel"))
	if err != nil {
		return nil, err
	}
	thread, err := w.root(channel, c.str("thread_ts"))
	if err != nil {
		return nil, err
	}
	blocks, _, _ := c.blocks()
	m := &Message{
		Channel: channel.ID, User: w.o.BotUserID, BotID: w.o.BotID, ThreadTS: thread,
		Text: cut(c.str("text"), maxPostText), Blocks: blocks, Metadata: c.metadata(),
	}
	if thread != "" && c.bool("reply_broadcast") {
		m.Broadcast, m.Subtype = true, "thread_broadcast"
	}
	w.add(m)
	return object{"channel": channel.ID, "ts": m.TS, "message": w.wire(m, true)}, nil
}

// root is the thread a reply goes to. A reply to a root that is gone lands in
// the channel, which is never what the app wants; a reply to a reply fails.
func (w *Workspace) root(channel *Channel, ts string) (string, error) {
	if ts == "" {
		return "", nil
	}
	root := w.message(channel.ID, ts)
	switch {
	case root == nil, root.Subtype == "tombstone":
		w.violate("chat.postMessage", "reply to "+ts+", which does not exist: it lands in the channel")
		return "", nil
	case root.ThreadTS != "" && root.ThreadTS != root.TS:
		w.violate("chat.postMessage", "reply to "+ts+", which is itself a reply")
		return "", fails("cannot_reply_to_message")
	}
	return ts, nil
}

func (c *call) metadata() object {
	value, _, _ := c.json("metadata")
	m, _ := value.(object)
	if len(m) == 0 {
		return nil
	}
	return m
}

func cut(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most])
	}
	return text
}

// own is a message of the app that it may change.
func (w *Workspace) own(c *call, refusal string) (*Message, error) {
	channel, err := w.place(c.str("channel"))
	var refused *apiError
	if errors.As(err, &refused) && refused.code == "is_archived" {
		return nil, fails("is_inactive")
	}
	if err != nil {
		return nil, err
	}
	m := w.message(channel.ID, c.str("ts"))
	switch {
	case m == nil, m.Subtype == "tombstone":
		return nil, fails("message_not_found")
	case m.BotID != w.o.BotID:
		return nil, fails(refusal)
	}
	return m, nil
}

func (w *Workspace) updateMessage(c *call) (object, error) {
	m, err := w.own(c, "cant_update_message")
	if err != nil {
		return nil, err
	}
	blocks, hasBlocks, _ := c.blocks()
	_, hasText := c.args["text"]
	before := m.clone()
	w.edit(m, edit{text: c.str("text"), hasText: hasText, blocks: blocks, hasBlocks: hasBlocks})
	if _, given, _ := c.json("metadata"); given {
		m.Metadata = c.metadata()
	}
	w.emitChanged(m, "message_changed", &before)
	w.emitMetadata(m, before.Metadata, m.Metadata)
	return object{"channel": m.Channel, "ts": m.TS, "text": m.Text, "message": w.wire(m, true)}, nil
}

// edit is a new content of a message: text without blocks removes the blocks.
type edit struct {
	text               string
	hasText, hasBlocks bool
	blocks             []object
}

func (w *Workspace) edit(m *Message, e edit) {
	m.Edited = m.Edited || e.hasText && e.text != m.Text
	if e.hasText {
		m.Text = e.text
	}
	if e.hasText || e.hasBlocks {
		w.wasShown(m.Blocks, m.Channel)
		m.Blocks = w.identified(e.blocks)
	}
}

func (w *Workspace) deleteMessage(c *call) (object, error) {
	m, err := w.own(c, "cant_delete_message")
	if err != nil {
		return nil, err
	}
	w.remove(m)
	return object{"channel": m.Channel, "ts": m.TS}, nil
}

func (w *Workspace) postEphemeral(c *call) (object, error) {
	channel, err := w.place(c.str("channel"))
	if err != nil {
		return nil, err
	}
	reader := w.user(c.str("user"))
	if reader == nil || !channel.has(reader.ID) {
		return nil, fails("user_not_in_channel")
	}
	thread := c.str("thread_ts")
	if w.message(channel.ID, thread) == nil {
		thread = ""
	}
	blocks, _, _ := c.blocks()
	m := w.whisper(&Message{Channel: channel.ID, To: reader.ID, ThreadTS: thread, Text: c.str("text"), Blocks: blocks})
	return object{"message_ts": m.TS}, nil
}

// whisper shows a message to one person only; the caller holds the lock.
func (w *Workspace) whisper(m *Message) *Message {
	m.TS, m.Ephemeral = w.stamp(), true
	m.Blocks = w.identified(m.Blocks)
	if m.User == "" {
		m.User, m.BotID = w.o.BotUserID, w.o.BotID
	}
	w.ephemerals = append(w.ephemerals, m)
	return m
}
