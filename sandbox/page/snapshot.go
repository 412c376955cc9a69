package page

import (
	"net/http"

	"darkroom/sandbox/workspace"
)

const maxShown = 200 // messages of a channel in a snapshot

// look is what a tab has open.
type look struct {
	channel, thread string
	home            bool
}

func lookOf(r *http.Request) look {
	q := r.URL.Query()
	return look{channel: q.Get("channel"), thread: q.Get("thread"), home: q.Get("home") == "1"}
}

// snapshot is all that is before the person who has this open. A channel that is not, or
// no longer, theirs gives way to their first.
func (p *Page) snapshot(s *seat, l look) snapshot {
	shown := snapshot{Me: shapeUser(s.user), Messages: []message{}, Replies: []message{}, Toast: s.win.Toast(), Toasts: s.win.Toasts(), App: p.ws.App().User}
	p.direct(s)
	shown.Channels = p.sidebar(s)
	p.showConversation(&shown, s, l)
	if stack := s.win.Stack(); len(stack) > 0 {
		shown.Modal, shown.Depth = shapeView(stack[len(stack)-1]), len(stack)
	}
	if home, published := s.win.Home(); l.home && published {
		shown.Home = shapeView(home)
		p.homeShown()
	}
	if shown.App != "" { // what the tour asks for needs the app
		shown.Tour = p.tourNow()
	}
	return shown
}

func (p *Page) showConversation(shown *snapshot, s *seat, l look) {
	sight, err := s.win.Sight(l.channel, l.thread, maxShown)
	if err != nil {
		if len(shown.Channels) == 0 {
			return
		}
		l.channel, l.thread = shown.Channels[0].ID, ""
		if sight, err = s.win.Sight(l.channel, "", maxShown); err != nil {
			return
		}
	}
	shown.Channel, shown.Thread, shown.More = sight.Channel.ID, l.thread, sight.More
	shown.Messages = p.shapeMessages(s, sight.Messages, sight.Threads)
	shown.Replies = p.shapeMessages(s, sight.Replies, sight.Threads)
}

// sidebar are the person's conversations, the direct message with the app last.
func (p *Page) sidebar(s *seat) []channel {
	all := []channel{}
	var direct []channel
	for _, c := range s.win.Channels() {
		shown := p.shapeChannel(c)
		news := s.win.News(c.ID, p.readTo(s, c.ID))
		shown.Unread, shown.Mention, shown.Last = news.Unread, news.Mention, news.Last
		if c.IM != "" {
			direct = append(direct, shown)
			continue
		}
		all = append(all, shown)
	}
	return append(all, direct...)
}

func (p *Page) shapeChannel(c workspace.Channel) channel {
	name := c.Name
	if c.IM != "" {
		name = p.ws.App().Name
	}
	return channel{
		ID: c.ID, Name: name, Private: c.Private, Archived: c.Archived, IM: c.IM != "",
		MemberCount: len(c.Members), Members: c.Members, App: c.Has(p.ws.App().User),
	}
}

func (p *Page) shapeMessages(s *seat, messages []workspace.Message, threads map[string]workspace.Thread) []message {
	shown := make([]message, 0, len(messages))
	for _, m := range messages {
		one := p.shapeMessage(s, m)
		if t, found := threads[m.TS]; found && !m.Ephemeral {
			one.Replies = &thread{Count: t.Count, Users: t.Users, Last: t.Last}
		}
		shown = append(shown, one)
	}
	return shown
}

func (p *Page) shapeMessage(s *seat, m workspace.Message) message {
	shown := message{
		Channel: m.Channel, TS: m.TS, ThreadTS: m.ThreadTS, User: m.User, Name: p.ws.User(m.User).RealName, App: m.BotID != "",
		Subtype: m.Subtype, Inviter: m.Inviter, Text: m.Text, Broadcast: m.Broadcast, Edited: m.Edited, Ephemeral: m.Ephemeral,
		Mine: m.BotID == "" && m.User == s.user.ID, Files: []file{}, Reactions: []reaction{}, Held: values{},
		Shortcuts: !m.Ephemeral && m.Subtype != "tombstone" && m.Subtype != "channel_join",
	}
	if len(m.Blocks) > 0 {
		shown.Blocks, shown.Held = m.Blocks, s.win.Held(m)
	}
	for _, f := range m.Files {
		shown.Files = append(shown.Files, shapeFile(f, s.user.ID))
	}
	for _, r := range m.Reactions {
		shown.Reactions = append(shown.Reactions, reaction{Name: r.Name, Users: r.Users})
	}
	return shown
}
