package chaos

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// Report is what a run found.
type Report struct {
	Clean    bool     // all zeros, nothing left over
	Wrong    []string // what is not
	Text     string   // all of it, to be read
	Unkilled []string // failpoints that were passed and at which nobody was killed
	Kills    int
	Redis    int // faults of Redis
	Pins     int // that the page called saved
}

// report writes everything down.
func (w *world) report(c *comparison, left leftovers, took time.Duration) Report {
	r := Report{Kills: w.conductor.killed(), Redis: w.faults.redis(), Pins: c.row(actPin).did, Wrong: slices.Clone(c.wrong)}
	var out strings.Builder
	_, _ = fmt.Fprintf(&out, "%s · seed %d · %d orders · %d channels · %d replicas · %s\n", w.o.describe(), w.o.Seed, w.o.Orders, w.o.Channels, w.o.Replicas, took.Round(time.Second))
	_, _ = fmt.Fprintf(&out, "%d kill -9, %d rolling restarts, %d asleep longer than their lease · Redis killed %d times, frozen %d times · faults: %d at Slack, %d at the service, %d acknowledgements lost\n",
		r.Kills, w.faults.retired.Load(), w.faults.stalled.Load(), w.faults.redisKills.Load(), w.faults.redisFreezes.Load(), w.faults.slack.Load(), w.faults.service.Load(), w.faults.acks.Load())
	out.WriteString(w.unkindness.text())
	out.WriteString(c.table())
	_, _ = fmt.Fprintf(&out, "told that it was not done: %d · Slack had no answer, and it was not done: %d · words of an editor that no answer showed: %d\n", c.told, c.never, c.aside)
	_, _ = fmt.Fprintf(&out, "jobs left over: %d · dead letters: %d · doubles deleted later: %d · told to stop, and could not hand back everything: %d\n", len(left.jobs), len(left.dead), w.deleted(), w.unclean())
	_, _ = fmt.Fprintf(&out, "said in the operations channel: %d\n", len(w.Workspace.Messages(opsChannel)))
	out.WriteString(w.waits())
	out.WriteString(w.notes())
	r.Unkilled = w.conductor.unkilled()
	out.WriteString(w.conductor.table())
	if w.o.mayForget() { // what was lost with a server is named, and only what was done twice is wrong
		for _, lost := range append(r.Wrong, left.wrong()...) {
			out.WriteString("lost or shown otherwise: " + lost + "\n")
		}
		r.Wrong, left = c.doubled(), leftovers{}
	}
	r.Wrong = append(append(r.Wrong, left.wrong()...), w.replicas.panics()...)
	if err := w.Strangers(); err != nil {
		r.Wrong = append(r.Wrong, err.Error())
	}
	for _, wrong := range r.Wrong {
		out.WriteString("WRONG: " + wrong + "\n")
	}
	r.Clean, r.Text = len(r.Wrong) == 0, out.String()
	return r
}

// table is the comparison.
func (c *comparison) table() string {
	var out strings.Builder
	t := tabwriter.NewWriter(&out, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(t, "\tdid\tlost\tdoubled\tout of order\t")
	for _, r := range c.rows {
		_, _ = fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t\n", r.kind, r.did, r.lost, r.doubled, r.misplaced)
	}
	_ = t.Flush()
	return out.String()
}

// table is the list of failpoints with how often they were passed and how often somebody died
// there.
func (c *conductor) table() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out strings.Builder
	t := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(t, "failpoint\tpasses\tkills")
	for _, failpoint := range slices.Sorted(maps.Keys(c.passes)) {
		_, _ = fmt.Fprintf(t, "%s\t%d\t%d\n", failpoint, c.passes[failpoint], c.kills[failpoint])
	}
	_ = t.Flush()
	return out.String()
}

// unkilled are the failpoints that were passed and at which nobody died.
func (c *conductor) unkilled() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []string
	for _, failpoint := range slices.Sorted(maps.Keys(c.passes)) {
		if c.kills[failpoint] == 0 {
			all = append(all, failpoint)
		}
	}
	return all
}

// waits tell how long people waited from Slack's 200 until the service had it.
func (w *world) waits() string {
	var all []time.Duration
	for _, a := range w.ledger.acts {
		if !a.elsewhere && !a.acked.IsZero() && !a.done.IsZero() {
			all = append(all, a.done.Sub(a.acked))
		}
	}
	if len(all) == 0 {
		return ""
	}
	slices.Sort(all)
	return fmt.Sprintf("from the acknowledgement until the service had it: median %s, nine of ten within %s, longest %s\n",
		all[len(all)/2].Round(time.Millisecond), all[len(all)*9/10].Round(time.Millisecond), all[len(all)-1].Round(time.Millisecond))
}

func (w *world) notes() string {
	var out strings.Builder
	for _, what := range slices.Sorted(maps.Keys(w.ledger.notes)) {
		_, _ = fmt.Fprintf(&out, "%d × %s\n", w.ledger.notes[what], what)
	}
	return out.String()
}

// deleted counts the younger doubles that the app took away again.
func (w *world) deleted() int {
	w.conductor.mu.Lock()
	defer w.conductor.mu.Unlock()
	return w.conductor.passes["look/after chat.delete"]
}

func (w *world) unclean() (n int) {
	for _, r := range w.replicas.all {
		n += int(r.unclean.Load())
	}
	return n
}
