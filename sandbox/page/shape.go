package page

import (
	"cmp"
	"net/url"

	"darkroom/sandbox/workspace"
)

// snapshot is all that is before one person.
type snapshot struct {
	App      string    `json:"app"` // the user id of its bot; "": nobody has added it
	Me       user      `json:"me"`
	Channels []channel `json:"channels"`
	Channel  string    `json:"channel"` // the one shown: asked for, else their first
	Messages []message `json:"messages"`
	More     bool      `json:"more"`
	Thread   string    `json:"thread"`
	Replies  []message `json:"replies"`
	Modal    *view     `json:"modal"`
	Depth    int       `json:"depth"`
	Home     *view     `json:"home"`
	Toast    string    `json:"toast"`
	Tour     *tourView `json:"tour"`
	Toasts   int       `json:"toasts"` // how many there were: the same again is another
}

type user struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	RealName string `json:"real_name"`
	Guest    bool   `json:"guest"`
	Admin    bool   `json:"admin"`
	Bot      bool   `json:"bot"`
	Foreign  bool   `json:"foreign"`
}

type channel struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Private     bool     `json:"private"`
	Archived    bool     `json:"archived"`
	IM          bool     `json:"im"`
	MemberCount int      `json:"member_count"`
	Members     []string `json:"members"`
	App         bool     `json:"app"` // the app is a member
	Unread      int      `json:"unread"`
	Mention     bool     `json:"mention"`
	Last        string   `json:"last"`
}

type message struct {
	Channel   string           `json:"channel"`
	TS        string           `json:"ts"`
	ThreadTS  string           `json:"thread_ts"`
	User      string           `json:"user"`
	Name      string           `json:"name"`
	App       bool             `json:"app"`
	Subtype   string           `json:"subtype"`
	Inviter   string           `json:"inviter"`
	Text      string           `json:"text"`
	Blocks    []map[string]any `json:"blocks"`
	Files     []file           `json:"files"`
	Reactions []reaction       `json:"reactions"`
	Broadcast bool             `json:"broadcast"`
	Edited    bool             `json:"edited"`
	Ephemeral bool             `json:"ephemeral"`
	Mine      bool             `json:"mine"`
	Held      values           `json:"held"`
	Replies   *thread          `json:"replies"`
	Shortcuts bool             `json:"shortcuts"`
}

// values are the states of elements by block id and action id, as on Slack's wire.
type values map[string]map[string]any

type file struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Type string `json:"type"`
	Size int    `json:"size"`
	URL  string `json:"url"`
}

type reaction struct {
	Name  string   `json:"name"`
	Users []string `json:"users"`
}

type thread struct {
	Count int      `json:"count"`
	Users []string `json:"users"`
	Last  string   `json:"last"`
}

type view struct {
	ID     string            `json:"id"`
	Type   string            `json:"type"`
	Title  string            `json:"title"`
	Submit string            `json:"submit"`
	Close  string            `json:"close"`
	Blocks []map[string]any  `json:"blocks"`
	Values values            `json:"values"`
	Errors map[string]string `json:"errors"`
	Notice string            `json:"notice"`
}

func shapeUser(u workspace.User) user {
	return user{
		ID: u.ID, Name: u.Name, RealName: u.RealName, Guest: u.Guest, Admin: u.Admin, Bot: u.Bot, Foreign: u.Team != "",
	}
}

func shapeView(v workspace.View) *view {
	shown := &view{
		ID: v.ID, Type: v.Type, Title: v.Title, Submit: v.Submit, Close: v.Close, Blocks: v.Blocks,
		Values: v.Values, Errors: v.Errors, Notice: v.Notice,
	}
	if shown.Errors == nil {
		shown.Errors = map[string]string{}
	}
	return shown
}

// fileAddress is where the person's browser finds a file, kept or staged.
func fileAddress(id, as string) string {
	return "/page/file/" + url.PathEscape(id) + "?as=" + url.QueryEscape(as)
}

func shapeFile(f workspace.File, as string) file {
	return file{ID: f.ID, Name: cmp.Or(f.Title, f.Name), Type: f.Type, Size: len(f.Content), URL: fileAddress(f.ID, as)}
}
