package workspace

import (
	"slices"
	"strings"
)

// object is a JSON object on Slack's wire.
type object = map[string]any

// Message is one message as the workspace keeps it. The blocks are shared and
// never changed: an edit replaces them.
type Message struct {
	Channel   string
	TS        string
	ThreadTS  string // the root's timestamp; "" is not in a thread
	User      string
	BotID     string // the app wrote it
	Subtype   string // "thread_broadcast", "tombstone", "file_share", "channel_join" …
	Inviter   string // who added the user to the channel, of a "channel_join"
	Text      string
	Blocks    []map[string]any
	Metadata  map[string]any
	Files     []File
	Reactions []Reaction
	Broadcast bool
	Edited    bool
	Ephemeral bool
	To        string // the only person who sees it, when ephemeral

	origin string // the response_url that made it
}

// joined is the subtype of the line that somebody's coming leaves in a channel.
const joined = "channel_join"

// Reaction is an emoji under a message with the ids of those who chose it.
type Reaction struct {
	Name  string
	Users []string
}

// Messages are those of the channel itself, oldest first: replies only when
// they were also sent to the channel.
func (w *Workspace) Messages(channel string) []Message {
	return w.selected(channel, func(m *Message) bool { return m.ThreadTS == "" || m.ThreadTS == m.TS || m.Broadcast })
}

// Thread is the root and its replies, oldest first.
func (w *Workspace) Thread(channel, ts string) []Message {
	return w.selected(channel, func(m *Message) bool { return m.TS == ts || m.ThreadTS == ts })
}

// DMs are the messages between the person and the app, oldest first.
func (w *Workspace) DMs(user string) []Message {
	id := w.User(user).ID
	for _, c := range w.Channels() {
		if c.IM == id {
			return w.Messages(c.ID)
		}
	}
	return nil
}

// Ephemerals are the messages only this person saw, oldest first, wherever.
func (w *Workspace) Ephemerals(user string) []Message {
	id := w.User(user).ID
	w.mu.Lock()
	defer w.mu.Unlock()
	var found []Message
	for _, m := range w.ephemerals {
		if m.To == id {
			found = append(found, *m)
		}
	}
	return found
}

// DeleteMessage removes a message as an admin would; a root with replies
// leaves a tombstone.
func (w *Workspace) DeleteMessage(channel, ts string) {
	defer w.change()()
	if m := w.message(w.channel(channel).ID, ts); m != nil {
		w.remove(m)
	}
}

func (w *Workspace) selected(channel string, wanted func(*Message) bool) []Message {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := w.channel(channel)
	if c == nil {
		return nil
	}
	var found []Message
	for _, m := range w.messages[c.ID] {
		if wanted(m) {
			found = append(found, m.clone())
		}
	}
	return found
}

func (m *Message) clone() Message {
	copied := *m
	copied.Reactions = slices.Clone(m.Reactions)
	return copied
}

func (w *Workspace) message(channel, ts string) *Message {
	for _, m := range w.messages[channel] {
		if m.TS == ts {
			return m
		}
	}
	return nil
}

func (w *Workspace) replies(channel, ts string) []*Message {
	var found []*Message
	for _, m := range w.messages[channel] {
		if m.ThreadTS == ts && m.TS != ts {
			found = append(found, m)
		}
	}
	return found
}

// add stores a new message and tells the app about it.
func (w *Workspace) add(m *Message) *Message {
	m.TS = w.stamp()
	m.Blocks = w.identified(m.Blocks)
	w.messages[m.Channel] = append(w.messages[m.Channel], m)
	if root := w.message(m.Channel, m.ThreadTS); root != nil && root != m {
		root.ThreadTS = root.TS
	}
	w.emitMessage(m)
	w.emitMetadata(m, nil, m.Metadata)
	return m
}

// remove takes a message away. A root with replies becomes a tombstone: the
// app hears of a change then, not of a deletion.
func (w *Workspace) remove(m *Message) {
	before := m.clone()
	if len(w.replies(m.Channel, m.TS)) > 0 {
		m.Subtype, m.Text, m.Blocks, m.Metadata, m.Files = "tombstone", "This message was deleted.", nil, nil, nil
		w.emitChanged(m, "message_changed", &before)
		w.emitMetadata(m, before.Metadata, nil)
		return
	}
	w.messages[m.Channel] = slices.DeleteFunc(w.messages[m.Channel], func(o *Message) bool { return o == m })
	w.emitChanged(m, "message_deleted", &before)
	w.emitMetadata(m, before.Metadata, nil)
}

// wire is the message as Slack shows it to the app.
func (w *Workspace) wire(m *Message, metadata bool) object {
	out := object{"type": "message", "ts": m.TS, "user": m.User, "text": m.Text, "team": w.teamOf(w.user(m.User))}
	setIf(out, "subtype", m.Subtype, m.Subtype != "")
	setIf(out, "inviter", m.Inviter, m.Inviter != "")
	setIf(out, "thread_ts", m.ThreadTS, m.ThreadTS != "")
	setIf(out, "blocks", m.Blocks, len(m.Blocks) > 0)
	setIf(out, "bot_id", m.BotID, m.BotID != "")
	setIf(out, "app_id", w.o.AppID, m.BotID != "")
	setIf(out, "edited", object{"user": m.User, "ts": m.TS}, m.Edited)
	if m.Metadata != nil {
		out["metadata"] = object{"event_type": m.Metadata["event_type"]}
		setIf(out, "metadata", m.Metadata, metadata)
	}
	if len(m.Files) > 0 {
		var files []object
		for _, f := range m.Files {
			files = append(files, w.seenFile(&f))
		}
		out["files"] = files
	}
	w.wireThread(out, m)
	w.wireReactions(out, m)
	return out
}

func (w *Workspace) wireThread(out object, m *Message) {
	if m.ThreadTS != "" && m.ThreadTS != m.TS {
		if root := w.message(m.Channel, m.ThreadTS); root != nil {
			out["parent_user_id"] = root.User
		}
	}
	replies := w.replies(m.Channel, m.TS)
	if len(replies) == 0 {
		return
	}
	out["reply_count"] = len(replies)
	out["latest_reply"] = replies[len(replies)-1].TS
}

func (w *Workspace) wireReactions(out object, m *Message) {
	var all []object
	for _, r := range m.Reactions {
		all = append(all, object{"name": r.Name, "users": slices.Clone(r.Users), "count": len(r.Users)})
	}
	setIf(out, "reactions", all, len(all) > 0)
}

func setIf(o object, key string, value any, when bool) {
	if when {
		o[key] = value
	}
}

// escaped is text as Slack stores what a person typed.
func escaped(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}
