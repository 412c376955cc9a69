package metrics

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
)

// whole are the metrics of an app that has everything.
func whole() *Metrics {
	m := New(Build{Version: "v1", Commit: "c"})
	m.Shared(nil, nil)
	m.Replica(Replica{Sockets: func() int { return 0 }})
	return m
}

var described = regexp.MustCompile(`fqName: "([^"]*)".*constLabels: \{([^}]*)\}, variableLabels: \{([^}]*)\}`)

// labels are those of each metric, by its name, sorted.
func labels(t *testing.T, m *Metrics) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, c := range m.all {
		out := make(chan *prometheus.Desc, 100)
		c.Describe(out)
		close(out)
		for d := range out {
			found := described.FindStringSubmatch(d.String())
			require.NotNil(t, found, d.String())
			names := []string{}
			for one := range strings.SplitSeq(found[2]+","+found[3], ",") {
				if name, _, _ := strings.Cut(one, "="); name != "" {
					names = append(names, name)
				}
			}
			all[found[1]] = slices.Sorted(slices.Values(names))
		}
	}
	return all
}

var documented = regexp.MustCompile("(?m)^\\| `(darkroom_[a-z_]+)` \\| (counter|gauge|histogram) \\| ([^|]*) \\| [^|]{10,} \\|$")

// An operator looks metrics up in docs/metrics.md: it has all of them, with their labels, and no other.
func TestTheDocumentHasEveryMetric(t *testing.T) {
	page, err := os.ReadFile("../../../docs/metrics.md")
	require.NoError(t, err)
	told := map[string][]string{}
	for _, row := range documented.FindAllStringSubmatch(strings.ReplaceAll(string(page), "| | ", "|  | "), -1) {
		names := []string{}
		for one := range strings.SplitSeq(row[3], ",") {
			if one = strings.Trim(one, " `"); one != "" {
				names = append(names, one)
			}
		}
		told[row[1]] = slices.Sorted(slices.Values(names))
	}
	require.Equal(t, labels(t, whole()), told)
}

// Names are few, and all of the app's.
func TestMetricsAreNamedAsIsUsual(t *testing.T) {
	for name := range labels(t, whole()) {
		require.Regexp(t, `^darkroom_[a-z_]+$`, name)
		require.NotRegexp(t, `_(ms|milliseconds|minutes|count|sum|bucket)$`, name)
	}
}

var (
	metricName = regexp.MustCompile(`\bdarkroom_[a-z_]+`)
	selector   = regexp.MustCompile(`\b((?:darkroom|go|process)_[a-z_]+)\{([^}]*)\}`)
	matcher    = regexp.MustCompile(`(\w+)\s*(?:=~|!~|!=|=)`)
	grouping   = regexp.MustCompile(`\b(?:by|on|without|ignoring)\s*\(([^)]+)\)`)
	suffix     = regexp.MustCompile(`_(bucket|sum|count)$`)
)

// known fails unless a query asks only for metrics and labels that there are.
func known(t *testing.T, query string, all map[string][]string) {
	t.Helper()
	usual := []string{"job", "instance", "le"}
	for _, name := range metricName.FindAllString(query, -1) {
		_, is := all[name]
		if !is {
			_, is = all[suffix.ReplaceAllString(name, "")]
		}
		require.True(t, is, "%s in %s", name, query)
	}
	for _, found := range selector.FindAllStringSubmatch(query, -1) {
		of := all[suffix.ReplaceAllString(found[1], "")]
		for _, label := range matcher.FindAllStringSubmatch(found[2], -1) {
			require.Contains(t, append(usual, of...), label[1], query)
		}
	}
	for _, found := range grouping.FindAllStringSubmatch(query, -1) {
		for label := range strings.SplitSeq(found[1], ",") {
			of := usual
			for _, name := range metricName.FindAllString(query, -1) {
				of = append(of, all[suffix.ReplaceAllString(name, "")]...)
			}
			require.Contains(t, of, strings.TrimSpace(label), query)
		}
	}
}

// queries are the dashboard's and the rules'.
func queries(t *testing.T) []string {
	t.Helper()
	var all []string
	raw, err := os.ReadFile("../../../deploy/grafana/darkroom.json")
	require.NoError(t, err)
	var dashboard struct {
		Panels []struct{ Targets []struct{ Expr string } }
	}
	require.NoError(t, json.Unmarshal(raw, &dashboard))
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			all = append(all, target.Expr)
		}
	}
	raw, err = os.ReadFile("../../../deploy/prometheus/darkroom.rules.yml")
	require.NoError(t, err)
	var rules struct {
		Groups []struct {
			Rules []struct {
				Alert       string
				Expr        string
				Annotations map[string]string
			}
		}
	}
	require.NoError(t, yaml.Unmarshal(raw, &rules))
	for _, rule := range rules.Groups[0].Rules {
		require.NotEmpty(t, rule.Annotations["summary"], rule.Alert)
		require.NotEmpty(t, rule.Annotations["description"], rule.Alert)
		all = append(all, rule.Expr)
	}
	return all
}

// What a panel shows instead when there is nothing to show has no labels: beside what has some it would be one more line.
func TestWhatStandsInForNothingIsShownOnlyThen(t *testing.T) {
	for _, query := range queries(t) {
		if what, instead, is := strings.Cut(query, " or "); is && strings.Contains(what, " by (") {
			require.True(t, strings.HasPrefix(instead, "on () "), query)
		}
	}
}

func TestTheDashboardAndTheRulesAskForMetricsThatThereAre(t *testing.T) {
	all := labels(t, whole())
	asked := queries(t)
	require.Greater(t, len(asked), 50)
	for _, query := range asked {
		known(t, query, all)
	}
}
