package browser_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/browser"
)

// moving is a page whose button goes elsewhere under the finger, the first time.
const moving = `<!doctype html><title>Moving</title><main>
<div id=gap></div><button>Deliver</button><p id=told>not yet</p>
<script>
const button = document.querySelector("button");
button.addEventListener("pointerdown", () => { document.getElementById("gap").style.height = "200px"; });
button.addEventListener("click", () => { document.getElementById("told").textContent = "delivered"; });
</script>`

// late is a page one of whose buttons comes late, when whoever looks for it has been around often.
const late = `<!doctype html><title>Late</title><main aria-label="Place"><button>First</button><ul aria-label="Things"><li>Only this</li></ul>
<p class=sr aria-live=polite>Somebody whispers</p></main>
<script>
setTimeout(() => { document.querySelector("main").append(Object.assign(document.createElement("button"), { textContent: "Late" })); }, 4000);
</script>`

// faint is a test that may fail.
type faint struct {
	testing.TB
	said string
}

func (f *faint) Fatalf(format string, args ...any) {
	f.said = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func (f *faint) Errorf(string, ...any) {}

func TestAButtonThatMovesUnderTheFingerIsPressedAgain(t *testing.T) {
	x := shows(t, moving)(t, browser.Options{})
	x.Press("Deliver")
	x.Sees("delivered")
}

func TestTheKeyboardWaitsForWhatComesLate(t *testing.T) {
	shows(t, late)(t, browser.Options{}).TabTo("Late")
}

func TestWhatIsNotInAPartThatIsNotThereIsNotKnownToBeAbsent(t *testing.T) {
	x := shows(t, late)(t, browser.Options{})
	x.Sees("Only this", browser.Where{Region: "Things"})
	x.DoesNotSee("First", browser.Where{Region: "Things"})
	x.SeesNoButton("First", browser.Where{Region: "Things"})
	x.DoesNotSee("anything", browser.Where{Item: "an item that is gone"})
	x.DoesNotSee("whispers")
	for name, look := range map[string]func(*browser.T){
		"words":  func(x *browser.T) { x.DoesNotSee("First", browser.Where{Region: "Thread"}) },
		"button": func(x *browser.T) { x.SeesNoButton("First", browser.Where{Region: "Thread"}) },
	} {
		f := &faint{TB: t}
		done := make(chan struct{})
		go func() {
			defer close(done)
			look(shows(t, late)(f, browser.Options{Patience: time.Second}))
		}()
		<-done
		require.Contains(t, f.said, `there is no part called "Thread"`, name)
	}
}

// chromium is one browser for all tests.
var chromium = sync.OnceValues(browser.Start)

func TestMain(m *testing.M) {
	code := m.Run()
	if _, err := browser.Installed(); err == nil {
		if c, err := chromium(); err == nil {
			c.Close()
		}
	}
	os.Exit(code)
}

// shows opens windows that show a page.
func shows(t *testing.T, page string) func(testing.TB, browser.Options) *browser.T {
	t.Helper()
	browser.ThePagesOwn(t)
	browser.Needed(t)
	c, err := chromium()
	require.NoError(t, err)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, page)
	}))
	t.Cleanup(server.Close)
	return func(tb testing.TB, o browser.Options) *browser.T {
		tb.Helper()
		return c.Open(tb, server.URL, o)
	}
}
