package page_test

import (
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

const (
	newer   = "gallery/newer.json"  // one of each of the newer blocks in a message
	alerts  = "gallery/alerts.json" // a modal with an alert of each level
	axePath = "../../.ci/node_modules/axe-core/axe.min.js"
)

// violations are what axe-core finds to be seriously or critically wrong.
func (g *gallery) violations() []string {
	g.tb.Helper()
	axe, err := os.ReadFile(axePath)
	if err != nil {
		require.Empty(g.tb, os.Getenv("DARKROOM_TEST_REQUIRE_BROWSER"), "axe-core: npm ci --prefix .ci brings it: %v", err)
		g.tb.Logf("no axe-core (%v): npm ci --prefix .ci brings it", err)
		return nil
	}
	_, err = chromedp.Run(g.ctx, chromedp.Evaluate[bool]("(() => {"+string(axe)+"; return true })()"))
	require.NoError(g.tb, err)
	return run[[]string](g, `axe.run("#stage", {resultTypes: ["violations"]}).then(({ violations }) => violations
		.filter(({ impact }) => impact === "serious" || impact === "critical")
		.map(({ id, nodes }) => id + ": " + nodes.map((n) => n.html.slice(0, 200)).join("; ")))`)
}

// boxes are where the elements are, as left, top, right and width.
func (g *gallery) boxes(css string) (all []struct{ Left, Top, Right, Width float64 }) {
	g.tb.Helper()
	return run[[]struct{ Left, Top, Right, Width float64 }](g, `[...document.querySelectorAll(%s)].map((e) => {
		const { left, top, right, width } = e.getBoundingClientRect();
		return { Left: left, Top: top, Right: right, Width: width };
	})`, css)
}

func TestTheNewerBlocksAreDrawn(t *testing.T) {
	for name, window := range map[string]size{"desktop": desktop, "phone": phone} {
		t.Run(name, func(t *testing.T) {
			g := drawn(t, window)
			for path, faults := range run[map[string][]string](g, "window.gallery.check(%s)", []string{newer, alerts}) {
				t.Errorf("%s: %s", path, strings.Join(faults, "; "))
			}
			for _, theme := range []string{"light", "dark"} {
				run[any](g, "(document.documentElement.dataset.theme = %s)", theme)
				for _, path := range []string{newer, alerts} {
					g.open(path, "{}")
					require.Empty(t, g.violations(), "%s, %s", path, theme)
				}
			}
			g.open(newer, "{}")
			items := g.boxes(".bk-layout__row:nth-of-type(1) > *")
			require.Len(t, items, 3)
			fields := g.boxes(".bk-fields > *")
			if window == phone {
				require.Less(t, items[0].Top, items[1].Top, "below each other")
				require.Less(t, fields[0].Top, fields[1].Top, "below each other")
			} else {
				require.Equal(t, items[0].Top, items[2].Top, "side by side")
				require.InDelta(t, items[0].Width, items[2].Width, 1)
				require.Equal(t, fields[0].Top, fields[1].Top, "side by side")
			}
			sections, beside := g.boxes(".bk-section"), g.boxes(".bk-section__beside")
			require.Less(t, sections[0].Top, sections[1].Top, "a section a row")
			require.InDelta(t, sections[0].Right, beside[0].Right, 1, "accessories at the right")
			require.Empty(t, g.complaints())
		})
	}
}
