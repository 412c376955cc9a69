package stories

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/commands"
	"darkroom/sandbox"
	"darkroom/sandbox/browser"
	"darkroom/sandbox/page"
)

// chromium is the browser of all stories, started by the first that needs it.
var (
	chromium = sync.OnceValues(func() (*browser.Chromium, error) {
		c, err := browser.Start()
		started = c
		return c, err
	})
	started *browser.Chromium
)

// closeBrowser ends the browser when all stories are told.
func closeBrowser() {
	if started != nil {
		started.Close()
	}
}

// windows are the seats of the stories that are told in the browser. There is one, because there it is the machine
// that works: two browsers' worth of drawing slow everybody down and end no sooner. These stories have none of the
// other seats: with both to wait for they would all come last, when nobody else is left.
var windows = make(chan struct{}, 1)

// glance is how long somebody before the page waits for what they expect.
const glance = 20 * time.Second

// required tells whether a machine without a browser fails.
func required() bool { return os.Getenv("DARKROOM_TEST_REQUIRE_BROWSER") == "1" }

// browserless says why no story is told in a browser; "" when they are.
func browserless() string {
	if _, err := browser.Installed(); err != nil {
		return fmt.Sprintf("Browser: none (%v), browser stories not run", err)
	}
	return ""
}

// stage is a world with its page, for stories told in the browser.
type stage struct {
	*world
	chromium *browser.Chromium
}

// onPage starts a world whose workspace has its page. Without a browser the story is not
// told, or fails when one is required.
func onPage(t *testing.T, change ...func(*sandbox.Options)) *stage {
	t.Helper()
	if why := browserless(); why != "" {
		require.False(t, required(), why)
		t.Skip(why)
	}
	windows <- struct{}{}
	t.Cleanup(func() { <-windows })
	c, err := chromium()
	require.NoError(t, err)
	s := &stage{chromium: c, world: openAtOnce(t, change...)}
	order := page.Command{Command: commands.Slash, Description: "Order photo editing", UsageHint: commands.Hints()}
	p := page.New(page.Options{
		Workspace: s.Workspace, Photos: s.Photos, Commands: []page.Command{order}, ReadOnly: true,
		Pictures: []string{s.Samples()[0], s.app.url},
	})
	t.Cleanup(p.Close)
	s.Workspace.Mount(p)
	return s
}

// sits is a window of the person's, in the channel.
func (s *stage) sits(name, channel string, o ...browser.Options) *browser.T {
	s.t.Helper()
	options := browser.Options{}
	if len(o) > 0 {
		options = o[0]
	}
	options.Patience = glance
	x := s.chromium.Open(s.t, s.at(name, channel, ""), options)
	x.SeesField("Message #" + channel)
	return x
}

// at is the page's address for a person in a channel with a panel open.
func (s *stage) at(name, channel, pane string) string {
	where := url.Values{"as": {name}, "channel": {s.Workspace.Channel(channel).ID}}
	if pane != "" {
		where.Set("pane", pane)
	}
	return s.Workspace.URL() + "/#" + where.Encode()
}

// onDisk are photos as files on somebody's laptop.
func (s *stage) onDisk(which ...int) []string {
	s.t.Helper()
	dir := s.t.TempDir()
	var all []string
	for _, i := range which {
		photo := s.picture(i)
		path := filepath.Join(dir, photo.Name)
		require.NoError(s.t, os.WriteFile(path, photo.Content, 0o600))
		all = append(all, path)
	}
	return all
}
