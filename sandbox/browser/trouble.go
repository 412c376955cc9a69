package browser

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// trouble is what a browser complained of.
type trouble struct {
	mu      sync.Mutex
	said    []string
	asked   map[network.RequestID]string
	chooser func(page.EventFileChooserOpened) // what to do with the next file chooser
}

// hear takes an event of the window; it must not wait.
func (t *trouble) hear(event any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if t.asked == nil {
			t.asked = map[network.RequestID]string{}
		}
		t.asked[e.RequestID] = e.Request.Method + " " + e.Request.URL
	case *network.EventLoadingFailed:
		if !e.Canceled { // a stream that the page let go
			t.say("request failed: %s: %s %s", t.asked[e.RequestID], e.ErrorText, e.BlockedReason)
		}
	case *network.EventResponseReceived:
		if e.Response.Status >= 400 {
			t.say("request refused: %s: %d", t.asked[e.RequestID], e.Response.Status)
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Source == log.EntrySourceSecurity {
			t.say("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL)
		}
	case *runtime.EventExceptionThrown:
		t.say("exception: %s", thrown(e.ExceptionDetails))
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning || e.Type == runtime.ConsoleAPICalledTypeAssert {
			t.say("console: %s", spoken(e.Args))
		}
	case *page.EventFileChooserOpened:
		if t.chooser != nil {
			t.chooser(*e)
		}
	}
}

func thrown(e *runtime.ExceptionDetails) string {
	if e.Exception != nil {
		return e.Text + " " + e.Exception.Description
	}
	return e.Text
}

func spoken(args []*runtime.RemoteObject) string {
	words := make([]string, len(args))
	for i, arg := range args {
		words[i] = arg.Description + strings.Trim(string(arg.Value), `"`)
	}
	return strings.Join(words, " ")
}

func (t *trouble) say(format string, args ...any) {
	if said := fmt.Sprintf(format, args...); !slices.Contains(t.said, said) {
		t.said = append(t.said, said)
	}
}

func (t *trouble) all() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.said)
}

func (t *trouble) choosing(do func(page.EventFileChooserOpened)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.chooser = do
}
