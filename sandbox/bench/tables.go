package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// tables are what stands between the page's markers, by name. What was not measured yet says so.
func (r *results) tables() map[string]string {
	return map[string]string{
		"machine": r.machineTable(), "show": r.showTable(), "door": r.doorTable(), "start": r.startTable(),
		"poll": r.pollTable(), "delivery": r.deliveryTable(), "crowd": r.crowdTable(),
	}
}

const notMeasured = "*not measured yet*"

// table is rows of cells in Markdown, the first of them the head.
func table(rows ...[]string) string {
	var out strings.Builder
	for i, row := range rows {
		out.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i == 0 {
			out.WriteString(strings.Repeat("|---", len(row)) + "|\n")
		}
	}
	return out.String()
}

func (r *results) machineTable() string {
	m := r.Machine
	if m.Cores == 0 {
		return notMeasured
	}
	rows := [][]string{
		{"", ""},
		{"processor", fmt.Sprintf("%s, %d cores", m.CPU, m.Cores)},
		{"cores", m.Share},
		{"kernel", m.Kernel},
		{"Go", m.Go},
		{"Node", m.Node},
		{"Redis", m.Redis},
	}
	for _, part := range parts {
		if when := r.Measured[part.name]; when != "" {
			rows = append(rows, []string{part.name, "measured " + when})
		}
	}
	return table(rows...)
}

// aim is one row of the table of aims: what it says, and whether it is met.
type aim struct {
	what, want string
	measured   string
	met        bool
}

func (r *results) showTable() string {
	rows := [][]string{{"what", "at least", "measured", ""}}
	var aims []aim
	for _, of := range []func() []aim{r.doorAims, r.openAims, r.deliveryAims, r.pollAims, r.startAims} {
		aims = append(aims, of()...)
	}
	for _, a := range aims {
		verdict := "**short**"
		if a.met {
			verdict = "met"
		}
		rows = append(rows, []string{a.what, a.want, a.measured, verdict})
	}
	if len(aims) == 0 {
		return notMeasured
	}
	return table(rows...)
}

func (r *results) doorAims() []aim {
	if r.Door == nil {
		return nil
	}
	ratio := func(what, other string) span { return r.Door.Ratios[what][other] }
	helpBolt, helpFloor, form := ratio("help per second", nameBolt), ratio("help per second", nameFloor), ratio("form per second", nameBolt)
	helpP99, formP99 := ratio("help p99", nameBolt), ratio("form p99", nameBolt)
	return []aim{
		{"`/order help`, 16 at once, against Bolt · against the floor", "4.5 × · 0.7 ×", times(helpBolt) + " · " + times(helpFloor), helpBolt.Median >= 4.5 && helpFloor.Median >= 0.7},
		{"the order form made durable, against Bolt that stores nothing", "2 ×", times(form), form.Median >= 2},
		{"p99 of both against Bolt's, 16 at once", "0.25 × · 0.25 ×", times(helpP99) + " · " + times(formP99), helpP99.Median <= 0.25 && formP99.Median <= 0.25},
	}
}

func (r *results) openAims() []aim {
	if r.Open == nil {
		return nil
	}
	return []aim{{"opening the order form: click to `views.open` sent, p50, idle machine", "≤ 1 ms", fmt.Sprintf("%.2f ms (p99 %.2f ms, %d clicks)", r.Open.P50, r.Open.P99, r.Open.Clicks), r.Open.P50 <= 1}}
}

func (r *results) deliveryAims() []aim {
	d := r.Delivery
	if d == nil {
		return nil
	}
	spread := d.SpreadS / d.FloorS
	later := d.ReviewSlow.P50 - d.Review.P50
	return []aim{
		{"a change to its message, idle channel: after the tick that could see it", "≤ 300 ms", d.IdleAfter.words(), d.IdleAfter.Most <= 300},
		{"the same in a channel that just had a message: after the later of tick and pace", "≤ 100 ms", d.BusyAfter.words(), d.BusyAfter.Most <= 100},
		{fmt.Sprintf("%d announcements over %d channels, against one a second a channel", d.Announcements, d.Channels), "≤ 1.05 ×", fmt.Sprintf("%.3f × (%.2f s)", spread, d.SpreadS), spread <= 1.05},
		{"*Ready for review* with one picture that never loads, later than without", "≤ 2 s", seconds(later), later <= 2000},
	}
}

func (f figures) words() string { return fmt.Sprintf("%.0f ms (most %.0f ms)", f.P50, f.Most) }

func seconds(ms float64) string { return fmt.Sprintf("%.2f s", ms/1000) }

func (r *results) pollAims() []aim {
	if r.Poll == nil {
		return nil
	}
	var all []aim
	var words []string
	requests, commands, worst := true, true, 0.0
	for _, t := range r.Poll.Ticks {
		if t.Foreign > 0 {
			all = append(all, aim{fmt.Sprintf("upstream requests of a quiet tick, %d active among %s foreign", t.Active, thousands(t.Foreign)), "≤ 6", fmt.Sprint(t.Requests), t.Requests <= 6})
			continue
		}
		if t.Rate < 1000 { // the same tick once more, at a gentler rate
			continue
		}
		allowed := (t.Active+perPage-1)/perPage + 2
		requests = requests && t.Requests <= allowed && !t.Cut
		words = append(words, fmt.Sprintf("%s: %d", thousands(t.Active), t.Requests)+map[bool]string{true: ", not over"}[t.Cut])
		over := t.Commands / (10 + float64(t.Active)/200)
		commands, worst = commands && over <= 1, max(worst, over)
	}
	all = append([]aim{{"upstream requests of a quiet tick, N active, none foreign", "≤ ⌈N/20⌉ + 2", strings.Join(words, ", "), requests}}, all...)
	all = append(all, aim{"Redis commands of a quiet tick, any N, against 10 + N/200", "≤ 1 ×", fmt.Sprintf("%.2f × at worst", worst), commands})
	for _, t := range r.Poll.Ticks {
		if t.Active == 10_000 && t.Bare > 0 {
			all = append(all, aim{"wall time of a 10,000-order tick at 50 ms latency against the bare requests, 8 in flight", "≤ 1.15 ×", fmt.Sprintf("%.2f × (%s)", t.Wall/t.Bare, seconds(t.Wall)), t.Wall/t.Bare <= 1.15})
		}
		if t.Active == 100_000 {
			all = append(all, aim{"resident memory at 100,000 active orders, the most it ever was", "≤ 120 MB", megabytes(t.After.Peak), t.After.Peak <= 120<<20 && !t.Cut})
		}
	}
	return all
}

func (r *results) startAims() []aim {
	if r.Start == nil {
		return nil
	}
	d := r.Start.Servers[nameDarkroom]
	return []aim{
		{"start to ready, Redis up", "≤ 30 ms", fmt.Sprintf("%.1f ms", d.Ready.Median), d.Ready.Median <= 30},
		{"idle memory", "≤ 20 MB", megabytes(d.Idle.RSS) + ", of it " + megabytes(d.Idle.Anon) + " anonymous", d.Idle.RSS <= 20<<20},
		{"the binary, stripped", "≤ 20 MB", megabytes(r.Start.Binary), r.Start.Binary <= 20<<20},
	}
}

// times is a ratio with its spread.
func times(s span) string { return fmt.Sprintf("%.2f × (%.2f to %.2f)", s.Median, s.Least, s.Most) }

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/(1<<20)) }

func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}

func (r *results) doorTable() string {
	d := r.Door
	if d == nil {
		return notMeasured
	}
	ratios := [][]string{{"Darkroom against", "`/order help` a second", "its p99", "p99 at one rate", "the form a second", "its p99", "p99 at one rate"}}
	for _, other := range []string{nameBolt, nameFloor} {
		row := []string{other}
		for _, what := range []string{"help per second", "help p99", "help p99 at one rate", "form per second", "form p99", "form p99 at one rate"} {
			row = append(row, times(d.Ratios[what][other]))
		}
		ratios = append(ratios, row)
	}
	plain := [][]string{{"", "a second", "p50", "p99", "CPU a request", "of its core", "at one rate: p50", "p99", "answered", "wrong"}}
	for _, kind := range []string{"`/order help`", "the form"} {
		for _, name := range servers {
			k := d.Servers[name].Form
			if kind == "`/order help`" {
				k = d.Servers[name].Help
			}
			plain = append(plain, []string{
				kind + ", " + name, fmt.Sprintf("%.0f", k.PerSecond), milli(k.P50), milli(k.P99), fmt.Sprintf("%.0f µs", k.CPU), fmt.Sprintf("%.0f %%", k.CPU*k.PerSecond/1e4),
				milli(k.OpenP50), milli(k.OpenP99), fmt.Sprintf("%.0f %%", 100*k.OpenGot), fmt.Sprint(k.Wrong),
			})
		}
	}
	out := table(ratios...) + "\n" + table(plain...) + "\n" + fmt.Sprintf(
		"%d rounds of %.1f s each. The one rate is half of Bolt's: %.0f helps and %.0f forms a second. The form is %.1f kB of JSON, the answer to help %.1f kB. "+
			"%d acknowledged submissions were looked up in Redis afterwards: each had its draft on the way and its job. While 64 workers wait for the service and nothing comes in, "+
			"the binary uses %.1f ms of CPU a second. The generator and what it shares its process with use %.0f µs for each `/order help` sent to the floor.\n",
		d.Rounds, d.Seconds, d.HelpRate, d.FormRate, float64(d.FormBytes)/1000, float64(d.HelpBytes)/1000, d.Checked, d.Background, d.GeneratorUS)
	if j := d.WithJobs; j != nil {
		out += fmt.Sprintf("\nWith the jobs done too (the service answers at once, Slack as well): %.0f forms a second, p99 %s, %.0f µs of CPU for each with all that was done meanwhile; %.0f orders a second are placed at the same time.\n",
			j.PerSecond, milli(j.P99), j.CPU, j.Done)
	}
	return out
}

func milli(ms float64) string { return fmt.Sprintf("%.2f ms", ms) }

func (r *results) startTable() string {
	if r.Start == nil {
		return notMeasured
	}
	rows := [][]string{{"", "to the first `/readyz` 200", "to the first answered command", "idle memory", "of it anonymous"}}
	for _, name := range servers {
		f := r.Start.Servers[name]
		ready := "none"
		if f.Ready.Median > 0 {
			ready = fmt.Sprintf("%.1f ms (%.1f to %.1f)", f.Ready.Median, f.Ready.Least, f.Ready.Most)
		}
		rows = append(rows, []string{name, ready, fmt.Sprintf("%.1f ms (%.1f to %.1f)", f.Answered.Median, f.Answered.Least, f.Answered.Most), megabytes(f.Idle.RSS), megabytes(f.Idle.Anon)})
	}
	out := table(rows...) + fmt.Sprintf("\nMedians of %d starts. The stripped binary has %s.\n", r.Start.Starts, megabytes(r.Start.Binary))
	if o := r.Open; o != nil {
		out += fmt.Sprintf("\nThe order form opens %s after the click (p99 %s, %d clicks).\n", milli(o.P50), milli(o.P99), o.Clicks)
	}
	return out
}

func (r *results) pollTable() string {
	if r.Poll == nil {
		return notMeasured
	}
	rows := [][]string{{"a quiet tick over", "requests", "at once", "Redis commands", "background, subtracted", "wall", "bare, 8 in flight", "ratio", "CPU", "memory before", "after", "most"}}
	for _, t := range r.Poll.Ticks {
		bare, ratio := "", ""
		if t.Bare > 0 {
			bare, ratio = seconds(t.Bare), fmt.Sprintf("%.2f ×", t.Wall/t.Bare)
		}
		wall := seconds(t.Wall)
		if t.Cut {
			wall = "> " + wall + ", not over"
		}
		rows = append(rows, []string{
			t.Name, fmt.Sprint(t.Requests), fmt.Sprint(t.InFlight), fmt.Sprintf("%.0f", t.Commands), fmt.Sprintf("%.1f/s", t.Rest), wall, bare, ratio,
			fmt.Sprintf("%.0f ms", t.CPU), megabytes(t.Before.RSS), megabytes(t.After.RSS), megabytes(t.After.Peak),
		})
	}
	return table(rows...) + "\n" + r.commandsByName()
}

// commandsByName tells which commands the tick of 10,000 orders, else the last, consisted of.
func (r *results) commandsByName() string {
	if len(r.Poll.Ticks) == 0 {
		return ""
	}
	at := max(slices.IndexFunc(r.Poll.Ticks, func(t tickFigures) bool { return t.Active == 10_000 }), 0)
	t := r.Poll.Ticks[at]
	names := slices.SortedFunc(maps.Keys(t.ByName), func(a, b string) int { return cmp.Or(cmp.Compare(t.ByName[b], t.ByName[a]), cmp.Compare(a, b)) })
	var words []string
	for _, name := range names[:min(12, len(names))] {
		words = append(words, fmt.Sprintf("%s %d", name, t.ByName[name]))
	}
	return fmt.Sprintf("Commands during the tick of %s, the background included: %s.\n", t.Name, strings.Join(words, ", "))
}

func (r *results) deliveryTable() string {
	d := r.Delivery
	if d == nil {
		return notMeasured
	}
	return table(
		[]string{"from the change at the service to the message", "p50", "most"},
		[]string{"a channel that is idle", milli(d.Idle.P50), milli(d.Idle.Most)},
		[]string{"… after the tick that could see it first", milli(d.IdleAfter.P50), milli(d.IdleAfter.Most)},
		[]string{"a channel that just had a message", milli(d.Busy.P50), milli(d.Busy.Most)},
		[]string{"… after the later of that tick and " + pace.Round(time.Millisecond).String() + " since the message", milli(d.BusyAfter.P50), milli(d.BusyAfter.Most)},
		[]string{"*Ready for review*, three pictures that load", milli(d.Review.P50), milli(d.Review.Most)},
		[]string{"… one of three never loads", milli(d.ReviewSlow.P50), milli(d.ReviewSlow.Most)},
		[]string{"… none of three ever loads", milli(d.ReviewNone.P50), milli(d.ReviewNone.Most)},
		[]string{"another order, paused in the channel of the one that never loads", milli(d.Beside.P50), milli(d.Beside.Most)},
	) + fmt.Sprintf("\n%d announcements over %d channels: %.2f s from the first to the last (one a second a channel takes %.0f s at least), the last %.2f s after the change. Slack limited %d calls in the whole part.\n",
		d.Announcements, d.Channels, d.SpreadS, d.FloorS, d.FromChangeS, d.Limited)
}

func inMB(n int64) string { return fmt.Sprintf("%.1f", float64(n)/(1<<20)) }
