package workspace

import (
	"net/http"
	"strings"
)

// Mount serves the handler to people's browsers: for "/", "/favicon.ico" and all that
// begins with /static/ or /page/. No path of Slack's is among them; any other stays
// unknown.
func (w *Workspace) Mount(page http.Handler) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.page = page
}

func (w *Workspace) mounted() http.Handler {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.page
}

func onPage(path string) bool {
	return path == "/" || path == "/favicon.ico" || strings.HasPrefix(path, "/static/") || strings.HasPrefix(path, "/page/")
}

// App is the app installed here, as people see it.
type App struct {
	ID, Name string
	User     string // the id of its bot
}

// App is the app installed here; it has no user before it is added.
func (w *Workspace) App() App {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.installed {
		return App{ID: w.o.AppID, Name: title(w.o.BotName)}
	}
	return App{ID: w.o.AppID, Name: title(w.o.BotName), User: w.o.BotUserID}
}

// Team is the workspace's name.
func (w *Workspace) Team() string { return title(w.o.TeamDomain) }

// Shortcuts are all the app has.
func (w *Workspace) Shortcuts() []Shortcut { return DefaultShortcuts() }
