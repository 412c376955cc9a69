package stories

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/commands"
	"darkroom/sandbox"
	"darkroom/sandbox/browser"
	"darkroom/sandbox/page"
)

// manyStage is a Slack of several workspaces in a browser.
type manyStage struct {
	*manyWorld
	chromium *browser.Chromium
	window   *page.Several
}

// onPages opens a Slack of workspaces of these names in one window, and each alone in one of its own.
func onPages(t *testing.T, names ...string) *manyStage {
	t.Helper()
	if why := browserless(); why != "" {
		require.False(t, required(), why)
		t.Skip(why)
	}
	windows <- struct{}{}
	t.Cleanup(func() { <-windows })
	c, err := chromium()
	require.NoError(t, err)
	s := &manyStage{chromium: c, manyWorld: openManyAtOnce(t, sandbox.OverHTTP, names)}
	o := page.SeveralOptions{Base: s.Slack.URL(), Install: s.app.url + "/slack/install"}
	order := page.Command{Command: commands.Slash, Description: "Order photo editing", UsageHint: commands.Hints()}
	for _, name := range names {
		o.Pages = append(o.Pages, page.Options{
			Workspace: s.Workspace(name), Photos: s.Photos(name), Commands: []page.Command{order},
			Pictures: []string{s.Samples()[0], s.app.url},
		})
	}
	s.window, err = page.NewSeveral(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(s.window.Close)
	s.Slack.Mount(s.window)
	return s
}

// sits is somebody's window on one workspace.
func (s *manyStage) sits(workspace, name string) *browser.T {
	s.t.Helper()
	x := s.chromium.Open(s.t, s.window.Origin(workspace)+"/#as="+name, browser.Options{
		Patience: glance, Before: fmt.Sprintf(morning, time.Now().UnixMilli()),
	})
	x.SeesField("Message #shoots")
	return x
}

// TestTwoNewWorkspacesOnThePage: as the new admin of each: added with a button, connected from the Home, the first order
// placed and delivered; and both side by side, each with its own.
func TestTwoNewWorkspacesOnThePage(t *testing.T) {
	t.Parallel()
	inCheck(t)
	s := onPages(t, "studio", "agency")
	shot := s.shots()
	for i, project := range []string{"The house on Elm Street", "Anna’s wedding cake"} {
		name, photo := s.Names()[i], s.Samples()[i+1]
		x := s.chromium.Open(t, s.app.url+"/slack/install", browser.Options{Patience: glance})
		shot.take(x, name, "studio", "add-to-slack")
		x.Press("Add to Slack")
		x.Press("Olga at " + s.Workspace(name).Team())
		x.Sees("is requesting permission")
		shot.take(x, name, "studio", "allow")
		x.Press("Allow")
		x.Sees("Darkroom was added to " + s.Workspace(name).Team())
		shot.take(x, name, "studio", "added")

		olga := s.sits(name, "olga")
		olga.Press("Darkroom APP")
		olga.Sees("is not connected to one yet")
		shot.take(olga, name, "studio", "not-connected")
		olga.Press("Connect")
		olga.SeesDialog("Connect photo service")
		account := s.Account(name)
		olga.Fill("Base URL", account.URL)
		olga.Fill("API key", account.Key)
		olga.Fill("API secret", account.Secret)
		shot.take(olga, name, "studio", "connect")
		olga.Press("Connect")
		olga.Sees("All full members of this workspace can order now")
		shot.take(olga, name, "studio", "connected")
		olga.Press("Close")
		olga.SeesNoDialog()

		maria := s.sits(name, "maria")
		types(maria, "shoots", "/order new "+photo)
		maria.SeesDialog("New photo order")
		maria.Fill("Instructions", "Brighten it.")
		maria.Fill("Project name", project)
		maria.Press("Place Order")
		maria.Sees("Order placed")
		maria.Press("Close")
		maria.SeesNoDialog()
		require.NoError(t, s.Photos(name).Deliver(s.Photos(name).Orders()[0].ID))
		maria.SeesPictures(1, browser.Where{Item: "Ready for review: " + project})
	}
	ben := s.sits("studio", "ben")
	ben.Sees("Ready for review: The house on Elm Street")
	ben.DoesNotSee("wedding cake")
	both := s.chromium.Open(t, s.Slack.URL()+"/#Studio=as%3Dmaria%26channel%3DC0SHOOTS&Agency=as%3Dmaria%26channel%3DC0SHOOTS", browser.Options{Patience: glance})
	both.Sees("Studio #shoots, as Maria", browser.Where{Region: "Shown"})
	both.Sees("Agency #shoots, as Maria", browser.Where{Region: "Shown"})
	shot.take(both, "studio", "studio", "side-by-side")
}

// manyShots takes pictures of one workspace's way, when they are wanted; they follow those of [TestScreenshots].
type manyShots struct {
	t   *testing.T
	dir string // "": nobody wants any
	n   int
}

const picturesBefore = 17 // those of one workspace

func (s *manyStage) shots() *manyShots {
	return &manyShots{t: s.t, dir: os.Getenv("DARKROOM_SCREENSHOTS"), n: picturesBefore}
}

// take takes a screen where it is the way of the workspace that pictures are taken of.
func (m *manyShots) take(x *browser.T, workspace, of, screen string) {
	m.t.Helper()
	if m.dir == "" || workspace != of {
		return
	}
	one := &shots{t: m.t, x: x, dir: m.dir, n: m.n}
	one.take(screen)
	m.n = one.n
}
