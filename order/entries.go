package order

import (
	"slices"
	"time"
)

// line is one entry of a conversation under its name.
type line struct {
	Entry
	base string // its side and words
	id   string // and from the second on the number of those equal to it so far
	new  bool   // an answer shows it for the first time
}

// mergeConversation lays what an answer shows of a conversation over what was known of it, oldest first. The
// answer may show a part: the latest entries, or the same one twice. The same words of the same
// side at another time are another entry. Those that no time tells apart are as many as one
// answer shows.
//
// What was known keeps its name; new entries are named by their words and how many with the
// same words were known before them.
func mergeConversation(old, seen []Entry) []line {
	known, shown := linesOf(old), once(linesOf(seen))
	count := map[string]int{}
	for _, l := range known {
		count[l.base]++
	}
	left := pair(known, shown)
	for i := range shown {
		if l := &shown[i]; l.new {
			count[l.base]++
			l.id = numbered(l.base, count[l.base])
		}
	}
	all := append(shown, left...)
	slices.SortStableFunc(all, func(a, b line) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return all
}

// linesOf names the entries of a conversation.
func linesOf(entries []Entry) []line {
	lines := make([]line, len(entries))
	count := map[string]int{}
	for i, e := range entries {
		base := entryID(e)
		count[base]++
		lines[i] = line{Entry: e, base: base, id: numbered(base, count[base])}
	}
	return lines
}

// once drops what an answer repeats: the same words at the same time.
func once(seen []line) []line {
	var kept []line
	for _, l := range seen {
		repeats := func(k line) bool {
			return k.base == l.base && !l.CreatedAt.IsZero() && k.CreatedAt.Equal(l.CreatedAt)
		}
		if !slices.ContainsFunc(kept, repeats) {
			kept = append(kept, l)
		}
	}
	return kept
}

// pair finds for each shown line the known one that it is, and gives it that one's name; the
// rest are new. It returns the known lines that are not shown.
func pair(known, shown []line) (left []line) {
	for i := range shown {
		shown[i].new = true
	}
	left = known
	for _, like := range []likeness{sameTime, ourTime, noTime} {
		known, left = left, nil
		for _, k := range known {
			s := nearest(k, shown, like)
			if s < 0 {
				left = append(left, k)
				continue
			}
			shown[s].new, shown[s].id = false, k.id
			if shown[s].CreatedAt.IsZero() {
				shown[s].CreatedAt = k.CreatedAt
			}
		}
	}
	return left
}

// nearest is the new line with the same words that is most like a known one, -1 when none is.
func nearest(known line, shown []line, like likeness) int {
	best, least := -1, time.Duration(0)
	for s, l := range shown {
		if !l.new || l.base != known.base {
			continue
		}
		if apart, may := like(known, l); may && (best < 0 || apart < least) {
			best, least = s, apart
		}
	}
	return best
}

// likeness tells whether a known line with the same words may be the shown one, and how far apart
// their times are.
type likeness func(known, shown line) (apart time.Duration, may bool)

func sameTime(known, shown line) (time.Duration, bool) {
	return 0, !known.CreatedAt.IsZero() && known.CreatedAt.Equal(shown.CreatedAt)
}

// ourTime is that of a message which no answer has shown yet. It is never a whole second, as the
// service's are: see withUnshown.
func ourTime(known, shown line) (time.Duration, bool) {
	ours := known.FromClient() && known.CreatedAt.Nanosecond() != 0
	return known.CreatedAt.Sub(shown.CreatedAt).Abs(), ours && !shown.CreatedAt.IsZero()
}

// noTime tells entries apart by nothing.
func noTime(known, shown line) (time.Duration, bool) {
	return 0, known.CreatedAt.IsZero() || shown.CreatedAt.IsZero()
}
