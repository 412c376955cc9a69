// Package browser is a person before the sandbox's page: hands and eyes in a real
// Chromium. Like the person of package person they find things only by what is to be
// seen, a role and a name or words, and what they do goes through the browser's own
// mouse, keyboard and file chooser.
//
// It waits for what it expects and never for a time. What it does not find fails the
// test with a picture of the screen and all that could be read there. It knows nothing
// of how the page is made, and of Darkroom only what the screen says.
package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/chromedp/chromedp"
)

// ErrNone says that there is no Chromium on this machine.
var ErrNone = errors.New("no chromium on PATH")

// Chromium is a running browser. Each [Chromium.Open] is a window with nothing in
// common with the others.
type Chromium struct {
	ctx     context.Context
	stop    context.CancelFunc
	profile string
}

// Installed is where Chromium is; [ErrNone] when it is nowhere.
func Installed() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrNone
}

// starting is how long Chromium may take to start on a busy machine.
const starting = 40 * time.Second

// Start starts the Chromium of this machine with a profile of its own and without
// anything that would look for a network; [ErrNone] without one.
func Start() (*Chromium, error) {
	path, err := Installed()
	if err != nil {
		return nil, err
	}
	profile, err := os.MkdirTemp("", "darkroom-chromium-")
	if err != nil {
		return nil, err
	}
	c := &Chromium{profile: profile}
	options := append(chromedp.DefaultExecAllocatorOptions[:len(chromedp.DefaultExecAllocatorOptions):len(chromedp.DefaultExecAllocatorOptions)],
		chromedp.ExecPath(path), chromedp.UserDataDir(profile), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("headless", "new"),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-features", "Translate,BlinkGenPropertyTrees,SpareRendererForSitePerProcess"), // Puppeteer's two, and no process in reserve
		chromedp.Flag("no-proxy-server", true),
		chromedp.Flag("font-render-hinting", "none"),
		chromedp.Flag("enable-blink-features", "ComputedAccessibilityInfo"), // roles and names as it computes them
		chromedp.WSURLReadTimeout(starting))
	allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, stopBrowser := chromedp.NewContext(allocator)
	c.ctx, c.stop = ctx, func() { stopBrowser(); stopAllocator() }
	if err := chromedp.Do(c.ctx); err != nil {
		c.Close()
		return nil, fmt.Errorf("chromium: %w", err)
	}
	return c, nil
}

// Close ends it and removes its profile.
func (c *Chromium) Close() {
	ctx, cancel := context.WithTimeout(c.ctx, 10*time.Second)
	defer cancel()
	_ = chromedp.Cancel(ctx) // it is killed below when it does not end by itself
	c.stop()
	_ = os.RemoveAll(c.profile)
}
