package page_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http/httptest"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox/browser"
	"darkroom/sandbox/page"
	"darkroom/sandbox/workspace"
)

const (
	goldens   = "../../cards"    // its folders named testdata, and those of the packages in it
	waitLimit = 10 * time.Second // for the browser to do one thing
)

// size is a browser window's, in CSS pixels.
type size struct{ width, height int64 }

var (
	desktop = size{1280, 900}
	phone   = size{390, 844}
)

// gallery is a page that draws golden files with the modules of the real one,
// behind the real one's policies, in a browser.
type gallery struct {
	tb  testing.TB
	ctx context.Context

	mu   sync.Mutex
	said []string // errors of the browser's console
}

func openGallery(tb testing.TB, s size) *gallery {
	tb.Helper()
	path := browser.Needed(tb)
	p := page.New(page.Options{Workspace: workspace.New(workspace.Options{}), Static: gallerySite(tb)})
	tb.Cleanup(p.Close)
	server := httptest.NewServer(p)
	tb.Cleanup(server.Close)
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-component-update", true), chromedp.UserDataDir(tb.TempDir()))
	ctx, stop := context.WithTimeout(context.Background(), 5*time.Minute)
	tb.Cleanup(stop)
	ctx, stopBrowser := chromedp.NewExecAllocator(ctx, options...)
	tb.Cleanup(stopBrowser)
	ctx, stopTab := chromedp.NewContext(ctx)
	tb.Cleanup(stopTab)
	g := &gallery{tb: tb, ctx: ctx}
	g.listen()
	g.do(chromedp.EmulateViewport(s.width, s.height), chromedp.Navigate(server.URL+"/static/gallery/gallery.html"),
		chromedp.Poll[chromedp.Void]("window.gallery !== undefined"))
	return g
}

// drawn is a gallery for a test, which is one of the page's own.
func drawn(t *testing.T, s size) *gallery {
	t.Helper()
	browser.ThePagesOwn(t)
	return openGallery(t, s)
}

// listen keeps what the browser complains of.
func (g *gallery) listen() {
	console := chromedp.Console(g.ctx)
	go func() {
		for message, err := range console {
			if err != nil {
				return
			}
			if message.Type == chromedp.ConsoleError || message.Type == chromedp.ConsoleException {
				g.mu.Lock()
				g.said = append(g.said, message.Text+" "+message.URL)
				g.mu.Unlock()
			}
		}
	}()
}

// gallerySite is what the page ships, the gallery, and every golden file.
func gallerySite(tb testing.TB) fs.FS {
	tb.Helper()
	site := fstest.MapFS{}
	for prefix, root := range map[string]string{"": "static", "gallery": "testdata/gallery", "golden": goldens} {
		from := os.DirFS(root)
		require.NoError(tb, fs.WalkDir(from, ".", func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			name := file
			if root == goldens {
				if name = goldenName(name); name == "" {
					return nil
				}
			}
			content, err := fs.ReadFile(from, file)
			site[path.Join(prefix, name)] = &fstest.MapFile{Data: content}
			return err
		}))
	}
	return addSamples(site)
}

func (g *gallery) complaints() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.said)
}

func (g *gallery) do(actions ...chromedp.Action[chromedp.Void]) {
	g.tb.Helper()
	require.NoError(g.tb, chromedp.Do(g.ctx, actions...))
}

// run evaluates an expression and waits for what it promises.
func run[T any](g *gallery, expression string, args ...any) T {
	g.tb.Helper()
	for i, arg := range args {
		encoded, err := json.Marshal(arg)
		require.NoError(g.tb, err)
		args[i] = encoded
	}
	result, err := chromedp.Run(g.ctx, chromedp.Evaluate[T]("(async () => ("+fmt.Sprintf(expression, args...)+"))()", chromedp.EvalAwaitPromise))
	require.NoError(g.tb, err)
	return result
}

// goldenName returns the path of a golden file inside its folder named testdata; "" for other files.
func goldenName(file string) string {
	_, name, _ := strings.Cut("/"+file, "/testdata/")
	return name
}

// goldenFiles are the paths of all golden files of the cards.
func goldenFiles(tb testing.TB) []string {
	tb.Helper()
	var all []string
	require.NoError(tb, fs.WalkDir(os.DirFS(goldens), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(name, ".json") && goldenName(name) != "" {
			all = append(all, goldenName(name))
		}
		return err
	}))
	require.NotEmpty(tb, all)
	return all
}

// onPhones are the golden files that are hardest on a narrow window: most images, most buttons, the longest names and menus, words
// from right to left, pictures side by side, and forms of each kind of field.
var onPhones = []string{
	"TestTheChannelSees/many_images/digest.json", "TestTheChannelSees/many_images/ready.json",
	"TestTheChannelSees/long_title/card_editing.json", "TestTheChannelSees/eighty_characters/card_review.json", "TestTheChannelSees/right_to_left/ready.json",
	"TestReviews/many_images/one_new_sheets.json", "TestReviews/long_title/first.json", "TestVerdicts/many_images/revise_some.json",
	"TestModals/many_images/revise.json", "TestModals/long_title/approve_several.json", "TestModals/right_to_left/new_filled.json",
	"TestModals/many_images/settings_all.json", "TestOrderForms/many_images/images.json", "TestOrderForms/long_title/photos.json",
	"TestPresets/long_title/list.json", "TestGoldenBatch/long_title/check_many.json", "TestPrivateAnswers/many_images/show.json",
	"TestPrivateAnswers/long_title/list_full.json", "TestPrivateAnswers/plain/help_operators.json", "TestHome/many_images/thousand.json",
	"TestHome/long_title/ten.json", "TestConnecting/long_title/form_wrong.json",
}

// What the app sends can be read and used: no block that the page does not know, no words missing, nothing sticks out, nothing
// without a name, no error in the console. On a phone a handful shows that the page's layout works there.
func TestEveryGoldenFileIsDrawn(t *testing.T) {
	all := goldenFiles(t)
	require.Subset(t, all, onPhones)
	for name, row := range map[string]struct {
		window size
		files  []string
	}{"desktop": {desktop, all}, "phone": {phone, onPhones}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := drawn(t, row.window)
			wrong := run[map[string][]string](g, "window.gallery.check(%s)", row.files)
			for path, faults := range wrong {
				t.Errorf("%s: %s", path, strings.Join(faults, "; "))
			}
			require.Empty(t, g.complaints())
		})
	}
}
