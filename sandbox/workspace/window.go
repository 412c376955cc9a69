package workspace

import (
	"errors"
	"slices"
)

// Window is one Slack client of one person: what is open before them and what
// they do there. Its methods return when the app has acknowledged or the
// three seconds are over; what went wrong is shown to the person.
type Window struct {
	w      *Workspace
	user   string
	place  string           // id of the channel before them, or last acted in
	stack  []*View          // of the open modal, top last
	toast  string           // what Slack says about the last click
	toasts int              // how many there were
	held   map[string]*View // by timestamp: what was chosen in messages
	since  string           // when the client was loaded: what only this person saw before is gone
}

// Window opens a Slack client for the person, by id or name.
func (w *Workspace) Window(user string) *Window {
	return &Window{w: w, user: w.User(user).ID, since: w.Clock()}
}

// Reload loads the client anew. What only this person saw is gone, and so are an open modal
// and what was chosen in messages; the app hears of none of it.
func (win *Window) Reload() {
	defer win.w.change()()
	win.w.dropAll(win)
	win.since, win.toast, win.held = win.w.clock(), "", nil
}

// remembers tells whether the client still shows a message that only one person sees.
func (win *Window) remembers(m *Message) bool {
	return m.To == win.user && compareStamps(m.TS, win.since) > 0
}

// Modal is the view on top of the open modal.
func (win *Window) Modal() (View, bool) {
	win.w.mu.Lock()
	defer win.w.mu.Unlock()
	if len(win.stack) == 0 {
		return View{}, false
	}
	return win.stack[len(win.stack)-1].clone(), true
}

// Stack is the open modal, its top view last; none is no modal.
func (win *Window) Stack() []View {
	win.w.mu.Lock()
	defer win.w.mu.Unlock()
	views := make([]View, 0, len(win.stack))
	for _, v := range win.stack {
		views = append(views, v.clone())
	}
	return views
}

// Home is the App Home as published for the person.
func (win *Window) Home() (View, bool) {
	win.w.mu.Lock()
	defer win.w.mu.Unlock()
	home := win.w.homes[win.user]
	if home == nil {
		return View{}, false
	}
	return home.clone(), true
}

// Toast is what Slack says about the last click; "" when it went well.
func (win *Window) Toast() string {
	win.w.mu.Lock()
	defer win.w.mu.Unlock()
	return win.toast
}

// Toasts is how many there were, so that one is told from the same again.
func (win *Window) Toasts() int {
	win.w.mu.Lock()
	defer win.w.mu.Unlock()
	return win.toasts
}

func (win *Window) toasted(text string) {
	win.toast = text
	win.toasts++
}

// Stand says which conversation is before the person: what they do next that belongs to
// no conversation, such as a global shortcut, is done from there.
func (win *Window) Stand(channel string) {
	defer win.w.change()()
	if c := win.w.channel(channel); c != nil && c.has(win.user) {
		win.place = c.ID
	}
}

// Visible are the messages of a channel, or of a thread in it when ts is not
// empty, that this person sees: ephemeral ones of theirs among them, in order.
func (win *Window) Visible(channel, ts string) []Message {
	found := win.w.Messages(channel)
	if ts != "" {
		found = win.w.Thread(channel, ts)
	}
	for _, m := range win.w.Ephemerals(win.user) {
		if m.Channel == channel && m.ThreadTS == ts && win.remembers(&m) {
			found = append(found, m)
		}
	}
	slices.SortStableFunc(found, func(a, b Message) int { return compareStamps(a.TS, b.TS) })
	return found
}

func compareStamps(a, b string) int {
	x, _ := number(a)
	y, _ := number(b)
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// Channels are those the person sees in the sidebar.
func (win *Window) Channels() []Channel {
	var mine []Channel
	for _, c := range win.w.Channels() {
		if c.Has(win.user) {
			mine = append(mine, c)
		}
	}
	return mine
}

func (win *Window) join(c *Channel) error {
	u := win.w.user(win.user)
	switch {
	case c == nil, c.Private && !c.has(u.ID):
		return errors.New("there is no such channel")
	case c.Archived:
		return errors.New("that channel is archived")
	case u.Guest, u.OneChannel, win.w.foreign(u):
		return errors.New("guests are invited to channels")
	}
	win.w.join(c, u)
	return nil
}

// Leave takes the person out of a channel.
func (win *Window) Leave(channel string) error {
	defer win.w.change()()
	return win.leave(win.w.channel(channel))
}

func (win *Window) leave(c *Channel) error {
	if c == nil || c.IM != "" || !c.has(win.user) {
		return ErrNotMember
	}
	win.w.part(c, win.w.user(win.user))
	return nil
}

// OpenMessages opens the app's Messages tab; the app hears of it.
func (win *Window) OpenMessages() {
	w := win.w
	defer w.change()()
	if !w.installed {
		return
	}
	win.place = w.openIM(w.user(win.user)).ID
	w.emit(object{
		"type": "app_home_opened", "user": win.user, "channel": win.place, "tab": "messages", "event_ts": w.stamp(),
	})
}

// OpenHome opens the App Home tab; the app hears of it.
func (win *Window) OpenHome() {
	w := win.w
	defer w.change()()
	win.place = ""
	if !w.installed {
		return
	}
	event := object{
		"type": "app_home_opened", "user": win.user, "channel": w.openIM(w.user(win.user)).ID, "tab": "home", "event_ts": w.stamp(),
	}
	if home := w.homes[win.user]; home != nil {
		event["view"] = w.wireView(home)
	}
	w.emit(event)
}
