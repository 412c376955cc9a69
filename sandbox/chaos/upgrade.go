package chaos

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"
)

// Upgrade plays a rolling upgrade and its rollback. All replicas begin as one binary. While people
// work, one after the other is replaced: by the new version, by the earlier one again, and by the
// new one for good. Every third goes without a word, as kill -9 has it; now
// and then an answer of Slack or of the service is lost. The comparison is that of a [Run]: nothing
// may be lost, doubled or out of order.
func Upgrade(ctx context.Context, o Options, from string) (Report, error) {
	began := time.Now()
	to := o.Binary
	o.Binary = from
	w, err := open(ctx, o)
	if w != nil {
		defer w.close()
	}
	if err != nil {
		return Report{}, err
	}
	w.o.Log("chaos: upgrade: seed %d, logs in %s", o.Seed, w.dir)
	trouble, calm := context.WithCancel(ctx)
	var troubled sync.WaitGroup
	troubled.Go(func() { w.roll(trouble, from, to) })
	troubled.Go(func() { w.hiccups(trouble) })
	troubled.Go(func() { w.switchover(trouble) })
	troubled.Go(func() { w.tell(trouble) })
	open := w.act(ctx)
	calm()
	troubled.Wait()
	w.replace(ctx, to, len(w.replicas.all)) // those whose turn did not come
	w.heal()
	healed := time.Now()
	w.farewell(ctx, open)
	left, err := w.quiet(ctx, max(o.patience(), settlement), !o.Gentle)
	report := w.report(w.compare(healed), left, time.Since(began))
	w.versions(&report, from, to)
	w.o.Keep = !report.Clean
	return report, errors.Join(err, ctx.Err())
}

// passes are the ways of an upgrade: there, back, and there for good.
const passes = 3

// roll replaces the replicas one after the other, as people get on with their courses.
func (w *world) roll(ctx context.Context, from, to string) {
	all := w.replicas.all
	versions := [passes]string{to, from, to}
	for n := range passes * len(all) {
		due := int64(w.o.Orders*courseSteps) * int64(n+1) / int64(passes*len(all)+2)
		if !poll(ctx, time.Hour, 20*time.Millisecond, func() bool { return w.progress.Load() >= due }) {
			return
		}
		w.become(ctx, all[n%len(all)], versions[n/len(all)], n%3 == 2)
	}
}

// replace brings so many replicas to the binary, those that run it already left as they are.
func (w *world) replace(ctx context.Context, binary string, n int) {
	for _, one := range w.replicas.all[:n] {
		if one.runs() != binary {
			w.become(ctx, one, binary, false)
		}
	}
}

// become ends one replica and has it begin again as the binary, and waits until it serves: no
// operator takes the next one down before.
func (w *world) become(ctx context.Context, one *replica, binary string, suddenly bool) {
	if w.o.Gentle && suddenly { // who places an order meanwhile waits for its settlement
		w.placing.Lock()
		defer w.placing.Unlock()
	}
	starts := one.starts.Load()
	one.as(binary)
	if suddenly {
		w.conductor.strike()
		one.kill()
	} else {
		w.faults.retired.Add(1)
		one.retire()
	}
	if !poll(ctx, 20*time.Second, 20*time.Millisecond, func() bool { return one.starts.Load() > starts && one.serves(ctx) }) && ctx.Err() == nil {
		w.ledger.note("replica " + one.name + " does not serve after it was replaced")
	}
}

// hiccups lose an answer now and then.
func (w *world) hiccups(ctx context.Context) {
	for w.o.Network > 0 && ctx.Err() == nil {
		pause(ctx, w.o.Network/2+time.Duration(w.rand.Int64N(int64(w.o.Network))))
		w.hurtNetwork()
	}
}

// deedOf is something that a version did.
type deedOf struct{ binary, deed string }

// deeds are what each version must have done some of: what it did not do was not tried. A deed is
// known by a part of its failpoints' names.
var deeds = map[string]string{
	"took what people asked for":   "hear/after queue.",
	"wrote to the service":         "/after POST ",
	"recorded what came back":      "/after store.Record",
	"posted in a channel":          "/after chat.postMessage",
	"edited a message":             "/after chat.update",
	"answered in a window":         "/after views.update",
	"finished a job":               "/after queue.settle",
	"recorded what the poll found": "poll/after store.Record",
}

// note counts what a version did.
func (c *conductor) note(binary, failpoint string) {
	for deed, part := range deeds {
		if strings.Contains(failpoint, part) {
			c.did[deedOf{binary, deed}]++
		}
	}
}

// versions adds what each version did to the report.
func (w *world) versions(r *Report, from, to string) {
	w.conductor.mu.Lock()
	defer w.conductor.mu.Unlock()
	var out strings.Builder
	t := tabwriter.NewWriter(&out, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(t, "\tfrom\tto\t")
	for _, deed := range slices.Sorted(maps.Keys(deeds)) {
		former, present := w.conductor.did[deedOf{filepath.Base(from), deed}], w.conductor.did[deedOf{filepath.Base(to), deed}]
		_, _ = fmt.Fprintf(t, "%s\t%d\t%d\t\n", deed, former, present)
		if former == 0 || present == 0 {
			r.Wrong = append(r.Wrong, "not tried, only one of the two versions "+deed)
		}
	}
	_ = t.Flush()
	r.Clean = len(r.Wrong) == 0
	r.Text = "what each version did:\n" + out.String() + r.Text
}
