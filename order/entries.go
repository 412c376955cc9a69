package order

import (
	"slices"
	"time"
)

// line is one entry of a conversation.
type line struct {
	Entry
	base string    // its side and words
	id   string    // of a new one: base, and from the second on the number of those equal to it so far
	at   time.Time // when it was written; without a time it stands where it was shown
	new  bool      // an answer shows it for the first time
}

// mergeConversation lays what an answer shows of a conversation over what was known of it, oldest first. The
// answer may show a part: the latest entries, or the same one twice. The same words of the same
// side at another time are another entry. Those that no time tells apart are as many as one
// answer shows.
//
// Of more than are kept the newest are left.
func mergeConversation(old, seen []Entry) []line {
	known, shown := linesOf(old), once(linesOf(seen))
	last := place(known, time.Time{})
	left := pair(known, shown)
	place(shown, last)
	all := append(left, shown...)
	slices.SortStableFunc(all, func(a, b line) int { return a.at.Compare(b.at) })
	kept := newest(all, func(l line) int { return len(l.Content) })
	gone := name(kept, known)
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

// place finds where lines stand in time, and returns where the last does. A line without a time follows the one before
// it. The first follow the last that was known, unless a later one has a time.
func place(lines []line, last time.Time) time.Time {
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

// name names new lines by their words and how many with the same words were known before them. Those that
// were let go may have had any words, so each of them counts: no name comes twice.
func name(lines, known []line) (gone int) {
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

// once drops what an answer repeats: the same words at the same time.
func once(seen []line) []line {
	var kept []line
	had := map[stamp]bool{}
	for _, l := range seen {
		if l.CreatedAt.IsZero() || !had[l.stamp()] {
			kept = append(kept, l)
		}
		had[l.stamp()] = true
	}
	return kept
}

// stamp is what tells entries apart that have times.
type stamp struct {
	base string
	at   time.Time
}

func (l line) stamp() stamp { return stamp{l.base, l.CreatedAt.UTC()} }

// pair finds for each shown line the known one that it is; the rest are new. It returns the known lines that are not shown.
func pair(known, shown []line) (left []line) {
	at := linesByWords(shown)
	left = known
	for _, like := range []func(known line) int{at.sameTime, at.ourTime, at.noTime} {
		known, left = left, nil
		for _, k := range known {
			s := like(k)
			if s < 0 {
				left = append(left, k)
				continue
			}
			shown[s].new = false
			if shown[s].CreatedAt.IsZero() {
				shown[s].CreatedAt = k.CreatedAt
			}
		}
	}
	return left
}

// newLines find among the lines of an answer the new one that a known line is: its place, or -1.
type newLines struct {
	lines   []line
	at      map[stamp]int    // those with times
	all     map[string][]int // by their words
	untimed map[string][]int
}

// linesByWords marks all lines as new.
func linesByWords(shown []line) *newLines {
	n := &newLines{lines: shown, at: map[stamp]int{}, all: map[string][]int{}, untimed: map[string][]int{}}
	for i := range shown {
		l := &shown[i]
		l.new = true
		n.all[l.base] = append(n.all[l.base], i)
		if l.CreatedAt.IsZero() {
			n.untimed[l.base] = append(n.untimed[l.base], i)
			continue
		}
		n.at[l.stamp()] = i
	}
	return n
}

func (n *newLines) sameTime(known line) int {
	if s, is := n.at[known.stamp()]; is && !known.CreatedAt.IsZero() && n.lines[s].new {
		return s
	}
	return -1
}

// ourTime is that of a message which no answer has shown yet: the nearest counts. It is never a whole second, as the
// service's are: see withUnshown. There are few of the same words.
func (n *newLines) ourTime(known line) int {
	if !known.FromClient() || known.CreatedAt.Nanosecond() == 0 {
		return -1
	}
	best, least := -1, time.Duration(0)
	for _, s := range n.all[known.base] {
		apart := known.CreatedAt.Sub(n.lines[s].CreatedAt).Abs()
		if n.lines[s].new && !n.lines[s].CreatedAt.IsZero() && (best < 0 || apart < least) {
			best, least = s, apart
		}
	}
	return best
}

// noTime tells entries apart by nothing: the first counts.
func (n *newLines) noTime(known line) int {
	of := n.untimed
	if known.CreatedAt.IsZero() {
		of = n.all
	}
	places := of[known.base]
	for len(places) > 0 && !n.lines[places[0]].new {
		places = places[1:]
	}
	of[known.base] = places
	if len(places) == 0 {
		return -1
	}
	return places[0]
}
