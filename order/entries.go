package order

import (
	"slices"
	"time"
)

// line is one entry of a conversation during a merge.
type line struct {
	Entry
	base string    // ID of its side and text; see entryID
	id   string    // of a new line: base, numbered if the same text came before
	at   time.Time // sort time; a line without a time follows its predecessor
	new  bool      // first shown by this answer
}

// mergeConversation merges the entries of an answer into the known ones, oldest first. The answer may show
// only the latest entries, or repeat one. Equal texts of one side at different times are different entries.
// Without times, there are as many equal entries as one answer shows.
//
// Only the newest lines within the bounds remain.
func mergeConversation(old, seen []Entry) []line {
	known, shown := linesOf(old), unrepeated(linesOf(seen))
	last := setSortTimes(known, time.Time{})
	unshown := pair(known, shown)
	setSortTimes(shown, last)
	all := append(unshown, shown...)
	slices.SortStableFunc(all, func(a, b line) int { return a.at.Compare(b.at) })
	kept := newest(all, func(l line) int { return len(l.Content) })
	gone := nameNew(kept, known)
	for i := range all[:len(all)-len(kept)] {
		if !all[i].new {
			gone++
		}
	}
	for i := range kept {
		kept[i].Before, gone = gone, 0
	}
	return kept
}

func linesOf(entries []Entry) []line {
	lines := make([]line, len(entries))
	for i, e := range entries {
		lines[i] = line{Entry: e, base: entryID(e)}
	}
	return lines
}

// setSortTimes sets the sort time of each line and returns the last one. A line without a time has that of its
// predecessor. The first lines have that of the first line with a time, or else last.
func setSortTimes(lines []line, last time.Time) time.Time {
	if i := slices.IndexFunc(lines, func(l line) bool { return !l.CreatedAt.IsZero() }); i >= 0 {
		last = lines[i].CreatedAt
	}
	for i := range lines {
		if l := &lines[i]; !l.CreatedAt.IsZero() {
			last = l.CreatedAt
		}
		lines[i].at = last
	}
	return last
}

// nameNew gives each new line an ID that is numbered by the earlier lines with the same text. A dropped line may
// have had any text, so each counts: no ID occurs twice. It returns the number of dropped lines.
func nameNew(lines, known []line) (gone int) {
	count := map[string]int{}
	for _, l := range known {
		count[l.base]++
		gone = max(gone, l.Before)
	}
	for i := range lines {
		if l := &lines[i]; l.new {
			count[l.base]++
			l.id = numbered(l.base, gone+count[l.base])
		}
	}
	return gone
}

// unrepeated drops repeated lines of an answer: those with the same text and the same time.
func unrepeated(shown []line) []line {
	seen := map[stamp]bool{}
	return slices.DeleteFunc(shown, func(l line) bool {
		repeats := seen[l.stamp()]
		seen[l.stamp()] = true
		return repeats && !l.CreatedAt.IsZero()
	})
}

// stamp identifies a line that has a time.
type stamp struct {
	base string
	at   time.Time
}

func (l line) stamp() stamp { return stamp{l.base, l.CreatedAt.UTC()} }

// pair matches shown lines with known ones; unmatched shown lines stay new. It returns the known lines not shown.
func pair(known, shown []line) (unshown []line) {
	index := indexNew(shown)
	unshown = known
	for _, find := range []func(known line) int{index.sameTime, index.localTime, index.noTime} {
		known, unshown = unshown, nil
		for _, k := range known {
			s := find(k)
			if s < 0 {
				unshown = append(unshown, k)
				continue
			}
			shown[s].new = false
			if shown[s].CreatedAt.IsZero() {
				shown[s].CreatedAt = k.CreatedAt
			}
		}
	}
	return unshown
}

// newLines indexes the lines of an answer. Its methods return the index of the new line that equals a known one, or -1.
type newLines struct {
	lines   []line
	timed   map[stamp]int
	all     map[string][]int // by line.base
	untimed map[string][]int // by line.base
}

// indexNew marks all lines as new and indexes them.
func indexNew(shown []line) *newLines {
	n := &newLines{lines: shown, timed: map[stamp]int{}, all: map[string][]int{}, untimed: map[string][]int{}}
	for i := range shown {
		l := &shown[i]
		l.new = true
		n.all[l.base] = append(n.all[l.base], i)
		if l.CreatedAt.IsZero() {
			n.untimed[l.base] = append(n.untimed[l.base], i)
			continue
		}
		n.timed[l.stamp()] = i
	}
	return n
}

func (n *newLines) sameTime(known line) int {
	if s, is := n.timed[known.stamp()]; is && !known.CreatedAt.IsZero() && n.lines[s].new {
		return s
	}
	return -1
}

// localTime finds a message that no answer has shown yet, by the nearest time. Its known time is never a whole second:
// see withUnshown. Few lines have the same text.
func (n *newLines) localTime(known line) int {
	if !known.FromClient() || known.CreatedAt.Nanosecond() == 0 {
		return -1
	}
	nearest, least := -1, time.Duration(0)
	for _, s := range n.all[known.base] {
		apart := known.CreatedAt.Sub(n.lines[s].CreatedAt).Abs()
		if n.lines[s].new && !n.lines[s].CreatedAt.IsZero() && (nearest < 0 || apart < least) {
			nearest, least = s, apart
		}
	}
	return nearest
}

// noTime finds the first line with the same text, if either has no time.
func (n *newLines) noTime(known line) int {
	byText := n.untimed
	if known.CreatedAt.IsZero() {
		byText = n.all
	}
	left := byText[known.base]
	for len(left) > 0 && !n.lines[left[0]].new {
		left = left[1:]
	}
	byText[known.base] = left
	if len(left) == 0 {
		return -1
	}
	return left[0]
}
