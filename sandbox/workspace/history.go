package workspace

import "slices"

// readable is a channel whose messages the app may read: it needs the scope
// of its kind and membership.
func (w *Workspace) readable(c *call) (*Channel, error) {
	channel := w.channel(c.str("channel"))
	if channel == nil || channel.ID != c.str("channel") {
		return nil, fails(channelUnseen)
	}
	scope := map[string]string{"im": "im:history", "private_channel": "groups:history", "public_channel": "channels:history"}[channel.kind()]
	if err := w.scoped(scope); err != nil {
		return nil, err
	}
	switch {
	case channel.has(w.o.BotUserID):
		return channel, nil
	case channel.Private:
		return nil, fails(channelUnseen)
	}
	return nil, fails("not_in_channel")
}

// history are the messages of a channel, newest first, without replies.
func (w *Workspace) history(c *call) (object, error) {
	channel, err := w.readable(c)
	if err != nil {
		return nil, err
	}
	var found []*Message
	for _, m := range slices.Backward(w.messages[channel.ID]) {
		if (m.ThreadTS == "" || m.ThreadTS == m.TS || m.Broadcast) && c.within(m.TS) {
			found = append(found, m)
		}
	}
	return w.messagePage(c, found)
}

// threadReplies are a thread's messages, the root always first, oldest first.
func (w *Workspace) threadReplies(c *call) (object, error) {
	channel, err := w.readable(c)
	if err != nil {
		return nil, err
	}
	root := w.message(channel.ID, c.str("ts"))
	if root == nil {
		return nil, fails("thread_not_found")
	}
	found := []*Message{root}
	for _, m := range w.replies(channel.ID, root.TS) {
		if c.within(m.TS) {
			found = append(found, m)
		}
	}
	return w.messagePage(c, found)
}

// within tells whether the timestamp lies between oldest and latest.
func (c *call) within(ts string) bool {
	t, _ := number(ts)
	if oldest, given := number(c.str("oldest")); given && (t < oldest || t == oldest && !c.bool("inclusive")) {
		return false
	}
	if latest, given := number(c.str("latest")); given && (t > latest || t == latest && !c.bool("inclusive")) {
		return false
	}
	return true
}

func (w *Workspace) messagePage(c *call, found []*Message) (object, error) {
	usual, most := 100, mostListed
	if w.o.Unlisted {
		usual, most = fewMessages, fewMessages
	}
	page, next := paged(found, c.str("cursor"), c.limit(usual, most))
	wired := make([]object, 0, len(page))
	for _, m := range page {
		wired = append(wired, w.wire(m, c.bool("include_all_metadata")))
	}
	out := object{"messages": wired, "has_more": next != ""}
	setIf(out, "response_metadata", object{"next_cursor": next}, next != "")
	return out, nil
}
