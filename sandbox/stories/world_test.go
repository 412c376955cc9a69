package stories

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
	"darkroom/sandbox/person"
	"darkroom/sandbox/photos"
	"darkroom/sandbox/shipped"
	"darkroom/store/conn"
	"darkroom/store/storetest"
)

// binary is the app, built once for all stories.
var binary string

func TestMain(m *testing.M) {
	os.Exit(build(m))
}

func build(m *testing.M) int {
	dir, err := os.MkdirTemp("", "darkroom-stories")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	binary = filepath.Join(dir, "darkroom")
	if err := shipped.Build(context.Background(), "", binary, "production", buildFlags()...); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	flag.Parse()
	if err := crowd(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if whole() {
		go func() { _, _ = buildShortWaits() }() // nobody's seat waits for it
	}
	code := m.Run()
	closeBrowser()
	if code != 0 || !whole() {
		return code
	}
	return everythingDriven()
}

// buildFlags are those of the app beside the flags of `make build`: DARKROOM_TEST_RACE=1 has it report data races.
func buildFlags() []string {
	if os.Getenv("DARKROOM_TEST_RACE") == "1" {
		return []string{shipped.Race}
	}
	return nil
}

// inCheck skips a story that only `make check` plays, which sets DARKROOM_TEST_ALL=1.
func inCheck(t *testing.T) {
	t.Helper()
	if os.Getenv("DARKROOM_TEST_ALL") != "1" {
		t.Skip("stories that make check plays")
	}
}

// delivery is how Slack reaches the app in a story that does not choose: by HTTP, or with
// DARKROOM_TEST_DELIVERY=socket over Socket Mode.
func delivery() sandbox.Delivery {
	if os.Getenv("DARKROOM_TEST_DELIVERY") == "socket" {
		return sandbox.OverSocket
	}
	return sandbox.OverHTTP
}

// stories is how many are played at the same time: they wait far more than they compute. With twice as many they end one
// fifth sooner, and each answer takes twice as long.
const stories = 12

// seats are for the stories that are being played. Every story may begin at once and waits for its seat, so that those in the
// browser can wait for its window without one.
var seats chan struct{}

// crowd sets the seats up, as many as the command line says if it does.
func crowd() error {
	n := stories
	parallel := flag.Lookup("test.parallel")
	if given := parallel.Value.String(); given != parallel.DefValue {
		var err error
		if n, err = strconv.Atoi(given); err != nil {
			return err
		}
	}
	seats = make(chan struct{}, n)
	return parallel.Value.Set("10000")
}

// seated waits for a seat, and leaves it when the story is over.
func seated(t *testing.T) {
	t.Helper()
	seats <- struct{}{}
	t.Cleanup(func() { <-seats })
}

// whole tells whether all stories were told.
func whole() bool {
	for _, narrows := range []string{"test.run", "test.skip", "test.list"} {
		if flag.Lookup(narrows).Value.String() != "" {
			return false
		}
	}
	return true
}

// everythingDriven fails when a person can do something that no story does.
func everythingDriven() int {
	missing, err := undriven()
	if err == nil && len(missing) == 0 {
		return 0
	}
	fmt.Fprintln(os.Stderr, "no story does:", strings.Join(missing, ", "), err)
	return 1
}

// world is one story's: both outsides, Redis, and the app between them.
type world struct {
	*sandbox.Sandbox
	t        *testing.T
	redis    string
	app      *process
	delivery sandbox.Delivery
	environ  []string // what this story adds
	binary   string
}

// patience is how long people wait for what they expect to see.
const (
	patience = 40 * time.Second
	tick     = 10 * time.Millisecond
)

// open starts a world in which the editor works only on command.
func open(t *testing.T, change ...func(*sandbox.Options)) *world {
	t.Helper()
	seated(t)
	return openAtOnce(t, change...)
}

// openAtOnce is open without a seat: for a story that has a place of its own, and for one that
// does nothing but wait for minutes. With a seat it might be the last to get one, and then
// everybody would wait for it.
func openAtOnce(t *testing.T, change ...func(*sandbox.Options)) *world {
	t.Helper()
	return openOver(t, itsRedis(t), change...)
}

// itsRedis is the URL of an empty Redis for this story. With DARKROOM_TEST_WAIT=1 the app waits for a replica,
// which that of DARKROOM_TEST_REDIS=sentinel has.
func itsRedis(t *testing.T) string {
	t.Helper()
	url, kind := storetest.Redis(t)
	if os.Getenv("DARKROOM_TEST_WAIT") != "" {
		url, kind = url+"&wait_replicas=1&wait_timeout=2s", kind+" with WAIT" // a busy machine is no outage
	}
	t.Logf("Redis: %s", kind)
	return url
}

// openOver is open over a Redis that the story has; it is seated already.
func openOver(t *testing.T, redis string, change ...func(*sandbox.Options)) *world {
	t.Helper()
	return openWith(t, binary, redis, change...)
}

// asOperator is a client of that Redis, beside the app's.
func asOperator(t *testing.T, url string) redis.UniversalClient {
	t.Helper()
	rdb, err := conn.Connect(url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = rdb.Close() })
	return rdb
}

// openWith is openOver with the binary of another version.
func openWith(t *testing.T, binary, redis string, change ...func(*sandbox.Options)) *world {
	t.Helper()
	o := sandbox.Options{Delivery: delivery()}
	o.Photos.Manual = true
	o.Workspace.Scopes, o.Workspace.Events = manifest(t)
	for _, c := range change {
		c(&o)
	}
	s, err := sandbox.Start(o)
	require.NoError(t, err)
	t.Cleanup(s.Close)
	w := &world{Sandbox: s, t: t, redis: redis, binary: binary, delivery: o.Delivery, environ: []string{"OPERATORS=" + s.Workspace.User("olga").ID}}
	w.startApp()
	t.Cleanup(w.end)
	return w
}

// end is how every story ends.
func (w *world) end() {
	w.app.stop()
	require.NotContains(w.t, w.app.said(), "DATA RACE")
	record(w.Workspace)
	require.NoError(w.t, w.Strangers())
}

// startApp runs `darkroom serve` and waits until it listens.
func (w *world) startApp() {
	w.t.Helper()
	w.app = w.launch()
	w.Workspace.SetAppURL(w.app.url)
	if w.delivery != sandbox.OverHTTP {
		require.Eventually(w.t, func() bool { return w.Workspace.Sockets() > 0 }, patience, tick, "the app dials out")
	}
}

// launch starts one more process of the app, beside those that run.
func (w *world) launch() *process {
	w.t.Helper()
	for range 5 { // somebody else may take the address first
		addr := freeAddress(w.t)
		p := start(w.t, w.binary, slices.Concat(w.Environ(), []string{
			"REDIS_URL=" + w.redis, "LISTEN_ADDR=" + addr, "ADMIN_ADDR=127.0.0.1:0", "LOG_LEVEL=debug",
			"PUBLIC_URL=http://" + addr, "FILE_SIGNING_KEY=" + fileKey,
		}, w.environ))
		if p != nil {
			return p
		}
	}
	require.FailNow(w.t, "no address to listen on")
	return nil
}

// freeAddress is where nobody listens: photos get an address before the app does.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, listener.Close()) }()
	return listener.Addr().String()
}

// maria and the others are the people of the workspace.
func (w *world) person(name string) *person.T {
	return person.In(w.t, w.Workspace, name, person.Options{Patience: patience})
}

// order is the only order at the service.
func (w *world) order() photos.Order {
	w.t.Helper()
	orders := w.Photos.Orders()
	require.Len(w.t, orders, 1, "orders at the service")
	return orders[0]
}

// process is one `darkroom serve`.
type process struct {
	t    *testing.T
	cmd  *exec.Cmd
	url  string
	mu   sync.Mutex
	log  strings.Builder
	read chan struct{}
	over bool
}

var serving = regexp.MustCompile(`msg=serving addr=(\S+)`)

// start runs `darkroom serve`; nil when its address was taken.
func start(t *testing.T, binary string, environ []string) *process {
	t.Helper()
	p := &process{t: t, cmd: exec.Command(binary, "serve"), read: make(chan struct{})} //nolint:noctx // the story stops it
	p.cmd.Env = environ
	stderr, err := p.cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, p.cmd.Start())
	t.Cleanup(p.kill)
	addr := make(chan string, 1)
	go func() {
		defer close(p.read)
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			p.note(lines.Text())
			if found := serving.FindStringSubmatch(lines.Text()); found != nil {
				addr <- found[1]
			}
		}
	}()
	select {
	case a := <-addr:
		p.url = "http://" + a
	case <-p.read:
		require.Contains(t, p.said(), "address already in use", "the app did not start")
		p.kill()
		return nil
	case <-time.After(patience):
		require.FailNow(t, "the app does not listen", p.said())
	}
	return p
}

func (p *process) note(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.log.WriteString(line + "\n")
}

func (p *process) said() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.String()
}

// stop tells the app to stop and requires that it does so cleanly.
func (p *process) stop() {
	if p.over {
		return
	}
	p.over = true
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.read:
	case <-time.After(20 * time.Second):
		p.t.Error("the app did not stop within 20 s")
		_ = p.cmd.Process.Kill()
	}
	if err := p.cmd.Wait(); err != nil {
		p.t.Errorf("the app did not stop cleanly: %v", err)
	}
	if p.t.Failed() {
		p.t.Logf("what the app said:\n%s", p.said())
	}
}

// kill is the end of an app that a failed story left running.
func (p *process) kill() {
	if !p.over {
		p.over = true
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
	}
}

// manifest is what the app asks for, permissions and events: the workspace grants no
// more.
func manifest(t *testing.T) (scopes, events []string) {
	t.Helper()
	raw, err := os.ReadFile("../../manifest.yml")
	require.NoError(t, err)
	var m struct {
		OAuth struct {
			Scopes struct{ Bot []string } `yaml:"scopes"`
		} `yaml:"oauth_config"`
		Settings struct {
			Subscriptions struct {
				Events []string `yaml:"bot_events"`
			} `yaml:"event_subscriptions"`
		} `yaml:"settings"`
	}
	require.NoError(t, yaml.Unmarshal(raw, &m))
	require.NotEmpty(t, m.OAuth.Scopes.Bot)
	require.NotEmpty(t, m.Settings.Subscriptions.Events)
	return m.OAuth.Scopes.Bot, m.Settings.Subscriptions.Events
}

// inDM is what somebody does in their conversation with the app before they come back to #shoots.
func inDM(p *person.T, does func()) {
	p.Goto("@darkroom")
	does()
	p.Goto("#shoots")
}
