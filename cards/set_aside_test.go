package cards

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/order"
)

// dead is a job that was set aside in this scene: what an order is called, and what somebody else wrote.
func (s scene) dead(n int) Letter {
	t := s.tracked(order.StatusReviewing)
	return Letter{
		ID: fmt.Sprint("approve:1700000000.", n), Ref: fmt.Sprintf("A1B2C%d", n), Does: "approving an order", Order: &t, By: "U0MARIA",
		At: now.Add(-time.Duration(n) * time.Hour), Why: "order 1042: " + s.words + "\n`" + s.words + "`",
	}
}

func (s scene) asides() map[string]any {
	shown := map[string]any{}
	page := func(name string, a SetAside) {
		shown[name] = HomeView(Home{Aside: a.Total, Letters: &a}, previews, now)
	}
	nobodys := Letter{ID: "announce:1", Ref: "0F0F0F", Does: "posting news of an order in its channel", At: now}
	page("empty", SetAside{Pages: 1})
	page("one", SetAside{Total: 1, Pages: 1, Letters: []Letter{s.dead(1)}})
	many := SetAside{Total: 32, Pages: 4, Page: 1}
	for n := range PageSize - 1 {
		many.Letters = append(many.Letters, s.dead(n))
	}
	many.Letters = append(many.Letters, nobodys)
	page("many", many)
	for name, said := range map[string]Decided{
		"put_back":  {Ref: "A1B2C3", Verdict: BackAgain, By: "U0OLGA"},
		"dropped":   {Ref: "A1B2C3", Verdict: Dropped, By: "U0OLGA"},
		"late":      {Ref: "A1B2C3", Verdict: Dropped, By: "U0BEN", Late: true},
		"elsewhere": {Ref: "A1B2C3", Verdict: BackAgain},
	} {
		page(name, SetAside{Pages: 1, Said: said})
	}
	shown["front"] = HomeView(Home{Aside: 3}, previews, now)
	shown["front_one"] = HomeView(Home{Aside: 1}, previews, now)
	return shown
}

func TestSetAside(t *testing.T) { golden(t, scene.asides) }

func TestAReasonTellsNoAddress(t *testing.T) {
	signed := "https://darkroom.example.com/files/v1.abc.def/beach.jpg"
	l := scene{"beach", 1}.dead(1)
	l.Why = `Get "` + signed + `": one file is not accessible: ` + signed
	shown := pretty(t, HomeView(Home{Aside: 1, Letters: &SetAside{Total: 1, Pages: 1, Letters: []Letter{l}}}, previews, now))
	require.NotContains(t, shown, "/files/")
	require.Contains(t, shown, "one file is not accessible: (address)")
}

func TestALettersValueComesBack(t *testing.T) {
	l := Letter{ID: "click:1 2:3", At: now}
	id, died, ok := ParseLetterValue(LetterValue(l))
	require.True(t, ok)
	require.Equal(t, l.ID, id)
	require.Equal(t, now.UnixMilli(), died)
	for _, wrong := range []string{"", "1", "x y", "1 "} {
		_, _, ok := ParseLetterValue(wrong)
		require.False(t, ok, wrong)
	}
}

func TestAFrontWithoutLettersSaysNothingOfThem(t *testing.T) {
	require.NotContains(t, pretty(t, HomeView(Home{}, previews, now)), "set aside")
}

func TestALetterWhoseIDIsTooLongHasNoButtonThatWouldNameAnother(t *testing.T) {
	l := Letter{ID: strings.Repeat("x", 2000), Ref: "ABCDEF", Does: "placing an order", At: now}
	view := HomeView(Home{Letters: &SetAside{Total: 1, Pages: 1, Letters: []Letter{l}}}, previews, now)
	checkLimits(t, view)
	require.NotContains(t, pretty(t, view), ActionDrop)
	require.Contains(t, pretty(t, view), "darkroom jobs retry")
}
