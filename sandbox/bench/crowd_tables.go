package main

import (
	"fmt"
	"strings"
)

// crowdTable is how one app for many workspaces grows with them.
func (r *results) crowdTable() string {
	c := r.Crowd
	if c == nil || len(c.Sizes) == 0 {
		return notMeasured
	}
	return c.growth() + "\n" + c.changes() + "\n" + c.weight()
}

// grow is a table with a column for each size.
func (c *crowdResult) grow(rows ...growing) string {
	head := []string{"workspaces, ten active orders each"}
	for _, f := range c.Sizes {
		head = append(head, thousands(f.Workspaces))
	}
	all := [][]string{head}
	for _, row := range rows {
		cells := []string{row.what}
		for _, f := range c.Sizes {
			cells = append(cells, row.of(f))
		}
		all = append(all, cells)
	}
	return table(all...)
}

// growing is a row of such a table.
type growing struct {
	what string
	of   func(f crowdFigures) string
}

func (c *crowdResult) growth() string {
	return c.grow(
		growing{"from the start until each was polled and none waits, or for two periods", func(f crowdFigures) string { return fmt.Sprintf("%.0f s", f.Settled) }},
		growing{"polls of workspaces a second", func(f crowdFigures) string { return fmt.Sprintf("%.1f", f.Polls) }},
		growing{"requests to the service a poll", func(f crowdFigures) string { return fmt.Sprintf("%.2f", f.Requests) }},
		growing{"a poll begins late, p50 · p99 (at most)", func(f crowdFigures) string { return fmt.Sprintf("%.1f s · %.1f s", f.Late.P50/1000, f.Late.P99/1000) }},
		growing{"the binary, of a core", func(f crowdFigures) string { return percent(f.App) }},
		growing{"Redis, of a core, node by node", func(f crowdFigures) string { return joined(f.Redis, percent) }},
		growing{"Redis commands a second, node by node", func(f crowdFigures) string { return joined(f.Commands, whole) }},
	)
}

func (c *crowdResult) changes() string {
	return c.grow(
		growing{"changes, spread over the period", func(f crowdFigures) string { return thousands(f.Changes) }},
		growing{"change to message, p50 · p99", func(f crowdFigures) string { return fmt.Sprintf("%.1f s · %.1f s", f.Told.P50/1000, f.Told.P99/1000) }},
		growing{"… after the poll that shows it, p50 · p99", func(f crowdFigures) string { return fmt.Sprintf("%.0f ms · %.0f ms", f.ToldPoll.P50, f.ToldPoll.P99) }},
		growing{"the binary meanwhile, of a core", func(f crowdFigures) string { return percent(f.BusyApp) }},
	)
}

func (c *crowdResult) weight() string {
	least := c.Sizes[0]
	each := func(of func(f crowdFigures) int64) func(f crowdFigures) string {
		return func(f crowdFigures) string {
			if f.Workspaces <= least.Workspaces {
				return ""
			}
			return fmt.Sprintf("%.1f kB", float64(of(f)-of(least))/float64(f.Workspaces-least.Workspaces)/(1<<10))
		}
	}
	says := c.grow(
		growing{"the binary's resident memory", func(f crowdFigures) string { return inMB(f.Quiet.RSS) + " MB" }},
		growing{"… after the changes", func(f crowdFigures) string { return inMB(f.Busy.RSS) + " MB" }},
		growing{"its live heap", func(f crowdFigures) string { return inMB(f.Quiet.Heap) + " MB" }},
		growing{"… for each workspace on top of the smallest crowd", each(func(f crowdFigures) int64 { return f.Quiet.Heap })},
		growing{"resident, in the same way", each(func(f crowdFigures) int64 { return f.Quiet.RSS })},
		growing{"Redis, data, in the same way", each(func(f crowdFigures) int64 { return f.RedisAfter })},
	)
	return says + "\n" + c.idle()
}

// idle says what workspaces weigh that have no order.
func (c *crowdResult) idle() string {
	if len(c.Idle) < 2 {
		return ""
	}
	few, many := c.Idle[0], c.Idle[len(c.Idle)-1]
	each := func(of func(f idleFigures) int64) float64 {
		return float64(of(many)-of(few)) / float64(many.Workspaces-few.Workspaces) / (1 << 10)
	}
	return fmt.Sprintf("%s workspaces that have added the app and have no active order: %s MB resident, %s MB of live heap, %s of a core; of %s: %s MB and %s MB. "+
		"An idle workspace weighs %.1f kB of resident memory, %.1f kB of live heap.\n",
		thousands(many.Workspaces), inMB(many.Memory.RSS), inMB(many.Memory.Heap), percent(many.App), thousands(few.Workspaces), inMB(few.Memory.RSS), inMB(few.Memory.Heap),
		each(func(f idleFigures) int64 { return f.Memory.RSS }), each(func(f idleFigures) int64 { return f.Memory.Heap }))
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

func whole(n float64) string { return fmt.Sprintf("%.0f", n) }

func joined(all []float64, says func(float64) string) string {
	words := make([]string, len(all))
	for i, n := range all {
		words[i] = says(n)
	}
	return strings.Join(words, ", ")
}
