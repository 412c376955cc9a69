package browser

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

//go:embed eyes.js
var eyes string

// Options say what a window is like; the zero value is a desktop by day, in UTC.
type Options struct {
	Phone    bool          // 390 pixels wide, with a finger
	Dark     bool          // the system prefers it
	Sharp    bool          // two dots a pixel
	Before   string        // a script that every document starts with
	Patience time.Duration // for what is expected to appear; 0: 20 s
}

// size is a window's, in CSS pixels.
type size struct{ width, height int64 }

var (
	desktop = size{1280, 860}
	narrow  = size{820, 1180}
	phone   = size{390, 844}
)

// T is one window in a test.
type T struct {
	tb       testing.TB
	ctx      context.Context
	patience time.Duration
	trouble  *trouble
	look     Look
	sharp    bool
}

// Look is how the window shows the page; the zero value is a desktop by day.
type Look struct{ Phone, Narrow, Dark bool } // a phone is not narrow as well

func (l Look) size() size {
	switch {
	case l.Phone:
		return phone
	case l.Narrow:
		return narrow
	}
	return desktop
}

// Width is how wide the window is then, in CSS pixels.
func (l Look) Width() int64 { return l.size().width }

// String says it in words.
func (l Look) String() string {
	return fmt.Sprintf("%d pixels wide, %s", l.Width(), map[bool]string{false: "light", true: "dark"}[l.Dark])
}

// Open opens a window at the address. When the test is over it requires that the browser
// had nothing to complain of: no error in the console, no failed request, nothing that
// the page's own policy forbids.
func (c *Chromium) Open(tb testing.TB, address string, o Options) *T {
	tb.Helper()
	ctx, closeWindow := chromedp.NewContext(c.ctx, chromedp.WithNewBrowserContext())
	tb.Cleanup(closeWindow)
	x := &T{tb: tb, ctx: ctx, patience: o.Patience, trouble: &trouble{}, sharp: o.Sharp}
	if x.patience == 0 {
		x.patience = 20 * time.Second
	}
	x.must(chromedp.Listen(ctx, x.trouble.hear))
	run(x, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: eyes + o.Before})
	run(x, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: "UTC"})
	run(x, emulation.SetLocaleOverride, emulation.SetLocaleOverrideParams{Locale: "en-US"})
	run(x, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	run(x, accessibility.Enable, cdp.Empty{}) // else every look builds the whole tree anew
	x.Turn(Look{Phone: o.Phone, Dark: o.Dark})
	x.do(chromedp.Navigate(address))
	tb.Cleanup(func() {
		if said := x.trouble.all(); len(said) > 0 {
			tb.Errorf("the browser complained:\n%s", strings.Join(said, "\n"))
		}
	})
	return x
}

// Turn gives the window another width, by day or by night.
func (x *T) Turn(l Look) {
	x.tb.Helper()
	x.look = l
	is := l.size()
	metrics := emulation.SetDeviceMetricsOverrideParams{Width: is.width, Height: is.height, DeviceScaleFactor: 1, Mobile: l.Phone}
	if x.sharp {
		metrics.DeviceScaleFactor = 2
	}
	scheme := map[bool]string{false: "light", true: "dark"}[l.Dark]
	run(x, emulation.SetDeviceMetricsOverride, metrics)
	run(x, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}})
}

// Reload loads the page again.
func (x *T) Reload() {
	x.tb.Helper()
	x.do(chromedp.Reload())
}

// Screen is all that can be read now.
func (x *T) Screen() string {
	x.tb.Helper()
	return see[string](x, "eyes.screen()")
}

// Picture is what the window shows, as a PNG.
func (x *T) Picture() []byte {
	x.tb.Helper()
	return run(x, page.CaptureScreenshot, page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatPng}).Data
}

// Evaluate is the value of a script's expression, a promise awaited. It is for checks of
// the whole page; people do not read scripts.
func Evaluate[R any](x *T, expression string) R {
	x.tb.Helper()
	return see[R](x, expression)
}

// lost fails the test with what the person sees instead.
func (x *T) lost(why string) {
	x.tb.Helper()
	said, err := chromedp.Run(x.ctx, chromedp.Evaluate[string]("eyes.screen()"))
	if err != nil {
		said = "nothing: " + err.Error()
	}
	x.tb.Fatalf("%s\nIn the browser (%s) there is:\n%s\n%s\npicture: %s", why, x.look, said, strings.Join(x.trouble.all(), "\n"), x.keep())
}

// keep leaves a picture of the screen where it outlives the test.
func (x *T) keep() string {
	shot, err := chromedp.Run(x.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		return err.Error()
	}
	dir, err := os.MkdirTemp("", "darkroom-seen-")
	if err != nil {
		return err.Error()
	}
	path := filepath.Join(dir, strings.ReplaceAll(x.tb.Name(), "/", "-")+".png")
	if err := os.WriteFile(path, shot, 0o600); err != nil {
		return err.Error()
	}
	return path
}

const tick = 40 * time.Millisecond

// until waits for something; try says why it is not so yet, "" when it is.
func (x *T) until(what string, try func() string) {
	x.tb.Helper()
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	over := time.NewTimer(x.patience)
	defer over.Stop()
	for {
		why := try()
		if why == "" {
			return
		}
		select {
		case <-ticker.C:
		case <-over.C:
			x.lost(what + ": " + why)
		case <-x.ctx.Done():
			x.tb.Fatalf("%s: the browser is gone", what)
		}
	}
}

// call is a function of the eyes with its arguments.
func call(name string, args ...any) string {
	encoded := make([]string, len(args))
	for i, arg := range args {
		raw, _ := json.Marshal(arg) // strings and flat structs
		encoded[i] = string(raw)
	}
	return "eyes." + name + "(" + strings.Join(encoded, ", ") + ")"
}

// left is how Chromium says that the page was left while it was looked at.
var left = regexp.MustCompile(`navigated or closed|context was destroyed|Cannot find context`)

// see evaluates an expression, anew on the page that follows when the one that is there is left meanwhile.
func see[R any](x *T, expression string) R {
	x.tb.Helper()
	ctx, cancel := context.WithTimeout(x.ctx, x.patience)
	defer cancel()
	for {
		value, err := chromedp.Run(ctx, chromedp.Evaluate[R]("(async () => ("+expression+"))()", chromedp.EvalAwaitPromise))
		if err == nil {
			return value
		}
		if ctx.Err() != nil || !left.MatchString(err.Error()) {
			x.must(fmt.Errorf("%s: %w", expression[:min(len(expression), 200)], err))
		}
	}
}

func (x *T) do(action chromedp.Action[chromedp.Void]) {
	x.tb.Helper()
	ctx, cancel := context.WithTimeout(x.ctx, x.patience)
	defer cancel()
	x.must(chromedp.Do(ctx, action))
}

func (x *T) must(err error) {
	x.tb.Helper()
	if err != nil {
		x.tb.Fatalf("browser: %v", err)
	}
}

// Settle waits until the page has been drawn anew after a [T.Turn].
func (x *T) Settle() {
	x.tb.Helper()
	x.until("the page at rest", func() string {
		return see[string](x, call("settled", x.look.Phone, x.look.Dark))
	})
}
