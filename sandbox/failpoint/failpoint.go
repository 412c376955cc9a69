// Package failpoint lets the chaos suite kill the app where it writes: before and after each
// write to Redis, to Slack and to the photo service. Only the suite's own binary, built with
// the tag failpoint, is linked with it.
package failpoint

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"
)

// Variable holds the URL of the chaos suite's conductor: it is told of every failpoint and
// may end the process at any of them.
const Variable = "DARKROOM_FAILPOINTS"

// Points reports each write, before it is made and after, to the conductor of the chaos
// suite, who answers whether the process lives on. A failpoint is named by the work in hand
// and by what is written: "place/before POST create", "announce/after store.EventPosted".
// A nil *Points wraps nothing.
type Points struct {
	Die func() // ends the process; it does not return

	conductor string
	client    *http.Client
}

// conductorTimeout is how long the conductor may take; without its answer life goes on.
const conductorTimeout = 5 * time.Second

// New reads the variable; nil when it is not set.
func New(environ []string) (*Points, error) {
	at := slices.IndexFunc(environ, func(line string) bool { return strings.HasPrefix(line, Variable+"=") })
	if at < 0 {
		return nil, nil
	}
	u, err := url.Parse(strings.TrimPrefix(environ[at], Variable+"="))
	if err != nil || u.Scheme != "http" {
		return nil, errors.New(Variable + ": it should hold the http URL of the chaos suite's conductor")
	}
	if ip := net.ParseIP(u.Hostname()); ip == nil || !ip.IsLoopback() {
		return nil, errors.New(Variable + ": the conductor must be on this machine, at a loopback address")
	}
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	return &Points{conductor: u.String(), client: &http.Client{Transport: transport, Timeout: conductorTimeout}, Die: die}, nil
}

// die ends the process as kill -9 does.
func die() {
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}

// reach tells the conductor of one failpoint, and returns only if it lets the process live.
func (f *Points) reach(failpoint string) {
	ctx, cancel := context.WithTimeout(context.Background(), conductorTimeout) // whatever became of the work's own
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, f.conductor, strings.NewReader(failpoint))
	if err != nil {
		return
	}
	resp, err := f.client.Do(req)
	if err != nil {
		return // the play is over
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, 16))
	if err == nil && bytes.Equal(answer, []byte("die")) {
		f.Die()
	}
}

// around is a failpoint before do and one after it.
func (f *Points) around(kind, name string, do func() error) error {
	f.reach(kind + "/before " + name)
	err := do()
	f.reach(kind + "/after " + name)
	return err
}

type kindKey struct{}

// During names the work in hand, for the failpoints reached with ctx.
func (f *Points) During(ctx context.Context, kind string) context.Context {
	if f == nil {
		return ctx
	}
	return context.WithValue(ctx, kindKey{}, kind)
}

// kindOf is the work in hand; what no work has a name for was asked by Slack.
func kindOf(ctx context.Context) string {
	if kind, ok := ctx.Value(kindKey{}).(string); ok {
		return kind
	}
	return "hear"
}

// Redis makes failpoints of the writes of a client.
func (f *Points) Redis(rdb redis.UniversalClient) {
	if f != nil {
		rdb.AddHook(redisHook{f})
	}
}

type redisHook struct{ *Points }

// DialHook implements [redis.Hook].
func (r redisHook) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessHook implements [redis.Hook].
func (r redisHook) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		name := writer(cmd)
		if name == "" {
			return next(ctx, cmd)
		}
		return r.around(kindOfWrite(ctx, name, cmd), name, func() error { return next(ctx, cmd) })
	}
}

// ProcessPipelineHook implements [redis.Hook].
func (r redisHook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		for _, cmd := range cmds {
			if name := writer(cmd); name != "" {
				return r.around(kindOf(ctx), name, func() error { return next(ctx, cmds) })
			}
		}
		return next(ctx, cmds)
	}
}

// writeCommands are those of Redis that change something; a script may.
var writeCommands = []string{
	"eval", "evalsha", "set", "setnx", "setex", "del", "expire", "pexpire", "incr", "hset", "hdel", "hincrby",
	"zadd", "zrem", "sadd", "srem", "rpush", "lpush", "xadd", "xdel", "xack",
}

// storeMethod matches a method of the store's packages, as the runtime spells it.
var storeMethod = regexp.MustCompile(`^darkroom/store(?:/(\w+))?\.(?:\(\*(\w+)\)|(claims|DeadLetters))\.(\w+)$`)

// writers are the types whose writes are failpoints, by their packages; of store and store/retention all are.
var writers = map[string][]string{
	"queue": {"Queue", "Delivery", "claims", "DeadLetters"}, "kv": {"Lock"}, "conn": {"Server"},
	"tenants": {"Connections", "Removals", "AccountNames"},
}

// writer is the method of the store or the queue that writes; "" when cmd writes nothing, or
// for itself alone, as the shared rate does. Of methods that call each other it is the
// outermost.
func writer(cmd redis.Cmder) string {
	if !slices.Contains(writeCommands, cmd.Name()) {
		return ""
	}
	callers := make([]uintptr, 48)
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers)])
	name := ""
	for {
		frame, more := frames.Next()
		switch method := methodName(storeMethod.FindStringSubmatch(frame.Function)); {
		case method != "":
			name = method
		case name != "" && !within.MatchString(frame.Function), !more:
			return name
		}
	}
}

// within matches what may stand between two methods of the store.
var within = regexp.MustCompile(`^darkroom/store(/kv|/conn|/tenants|/retention)?\.`)

// methodName is how a failpoint names a method: "store.Record", "queue.Put", "Delivery.SetState"; "" for any other method.
func methodName(found []string) string {
	if found == nil {
		return ""
	}
	pkg, receiver, method := found[1], found[2]+found[3], found[4]
	types, some := writers[pkg]
	switch {
	case some && !slices.Contains(types, receiver), !some && pkg != "" && pkg != "retention":
		return ""
	case receiver == "Delivery", receiver == "Lock":
		return receiver + "." + method
	case pkg == "queue":
		return "queue." + method
	}
	return "store." + method
}

// kindOfWrite is the work in hand. A job is settled when it is no longer in hand: its id,
// in the script's one argument, begins with its kind.
func kindOfWrite(ctx context.Context, name string, cmd redis.Cmder) string {
	var job struct {
		ID string `json:"id"`
	}
	args := cmd.Args()
	if name != "queue.settle" || len(args) < 3 {
		return kindOf(ctx)
	}
	keys, _ := args[2].(int)
	argument := 3 + keys // behind the command, the script, the number of keys and the keys
	if len(args) <= argument || json.Unmarshal([]byte(fmt.Sprint(args[argument])), &job) != nil {
		return kindOf(ctx)
	}
	kind, _, _ := strings.Cut(job.ID, ":")
	return kind
}

// Slack makes failpoints of the requests that write to Slack; nil wraps nothing.
func (f *Points) Slack() func(http.RoundTripper) http.RoundTripper { return f.http(slackWrite) }

// Service makes failpoints of the requests that write to the photo service.
func (f *Points) Service() func(http.RoundTripper) http.RoundTripper { return f.http(serviceWrite) }

// http makes failpoints of the requests that have a name.
func (f *Points) http(name func(*http.Request) string) func(http.RoundTripper) http.RoundTripper {
	if f == nil {
		return nil
	}
	return func(next http.RoundTripper) http.RoundTripper { return &roundTripper{f, name, next} }
}

type roundTripper struct {
	*Points
	name func(*http.Request) string
	next http.RoundTripper
}

// RoundTrip implements [http.RoundTripper].
func (h *roundTripper) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	name := h.name(req)
	if name == "" {
		return h.next.RoundTrip(req)
	}
	err = h.around(kindOf(req.Context()), name, func() error {
		resp, err = h.next.RoundTrip(req) //nolint:bodyclose // whoever asked closes it
		return err
	})
	return resp, err
}

// CloseIdleConnections is what http.Client hands down.
func (h *roundTripper) CloseIdleConnections() {
	if c, ok := h.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// slackReads are the methods that change nothing.
var slackReads = regexp.MustCompile(`^(auth\.test|apps\.connections\.open|.*\.(list|info|history|replies|members|getUploadURLExternal))$`)

// slackWrite names a write to Slack: its method, or where else it goes.
func slackWrite(req *http.Request) string {
	_, method, api := strings.Cut(req.URL.Path, "/api/")
	switch {
	case req.Method != http.MethodPost, api && slackReads.MatchString(method):
		return ""
	case api:
		return method
	}
	return "response_url" // or the bytes of a picture
}

// serviceWrite names a write to the photo service: "POST approve", "DELETE cancel".
func serviceWrite(req *http.Request) string {
	if req.Method == http.MethodGet {
		return ""
	}
	operation := path.Base(req.URL.Path)
	if path.Base(path.Dir(req.URL.Path)) == "refimages" {
		operation = "reference"
	}
	return req.Method + " " + operation
}
