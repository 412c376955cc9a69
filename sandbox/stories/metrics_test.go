package stories

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
	"darkroom/sandbox/person"
)

// An operator imports the dashboard and the rules that come with the app: one order is played, a real Prometheus
// reads the app's metrics meanwhile, and each query of the dashboard has an answer.
func TestTheDashboardShowsAnAppAtWork(t *testing.T) {
	t.Parallel()
	needsPrometheus(t)
	w := open(t, func(o *sandbox.Options) {
		o.Photos.Manual = false
		o.EditAfter = time.Second
	})
	w.app.checkMetrics()
	p := startPrometheus(t, w.app.admin())
	require.Eventually(t, func() bool { return len(p.ask("darkroom_ready == 1")) > 0 }, patience, 200*time.Millisecond)
	require.NoError(t, person.New(w.Workspace, "maria", person.Options{Patience: patience}).PlayOrder(w.Samples(), io.Discard))
	require.Eventually(t, func() bool { // the order's numbers have been read, and some before them
		return len(p.ask(`increase(darkroom_announced_events_total{event="approved"}[1m]) > 0`)) > 0
	}, patience, 200*time.Millisecond)

	answered := 0
	for panel, queries := range dashboard(t) {
		for _, query := range queries {
			query = strings.NewReplacer("$job", ".+", "$__rate_interval", "1m").Replace(query)
			var results []json.RawMessage
			require.Eventually(t, func() bool { results = p.ask(query); return len(results) > 0 }, patience, 200*time.Millisecond, "%s: %s", panel, query)
			answered++
			t.Logf("%2d results: %s: %s", len(results), panel, query)
		}
	}
	t.Logf("queries that were answered: %d", answered)
	for _, rule := range p.rules() {
		t.Logf("rule %s: %s, %s", rule.Name, rule.Health, rule.State)
		require.Equal(t, "ok", rule.Health, "%s: %s", rule.Name, rule.LastError)
		require.NotEqual(t, "firing", rule.State, rule.Name)
	}
	w.app.checkMetrics()
	documented(t, w.app.metrics())
}

func TestTheAlertRulesFireForWhatTheyAreFor(t *testing.T) {
	t.Parallel()
	needsPrometheus(t)
	for _, args := range [][]string{{"check", "rules", "darkroom.rules.yml"}, {"test", "rules", "darkroom.rules.test.yml"}} {
		promtool := exec.CommandContext(t.Context(), "promtool", args...)
		promtool.Dir = "../../deploy/prometheus"
		out, err := promtool.CombinedOutput()
		require.NoError(t, err, "%s", out)
		t.Logf("%s", out)
	}
}

// needsPrometheus skips a test where there is no Prometheus, unless it must run.
func needsPrometheus(t *testing.T) {
	t.Helper()
	for _, name := range []string{"prometheus", "promtool"} {
		if _, err := exec.LookPath(name); err != nil {
			if os.Getenv("DARKROOM_TEST_REQUIRE_PROMETHEUS") != "" {
				require.NoError(t, err)
			}
			t.Skip("not run: no ", name, " on PATH")
		}
	}
}

var adminAddr = regexp.MustCompile(`admin_addr=(\S+)`)

// admin is where an app shows operators how it is.
func (p *process) admin() string {
	p.t.Helper()
	found := adminAddr.FindStringSubmatch(p.said())
	require.NotNil(p.t, found, "the log says where the metrics are")
	return found[1]
}

func (p *process) metrics() string {
	p.t.Helper()
	return string(fetch(p.t, "http://"+p.admin()+"/metrics"))
}

// checkMetrics lets Prometheus' own tool look at names, types and help texts.
func (p *process) checkMetrics() {
	p.t.Helper()
	promtool := exec.CommandContext(p.t.Context(), "promtool", "check", "metrics")
	promtool.Stdin = strings.NewReader(p.metrics())
	out, err := promtool.CombinedOutput()
	require.NoError(p.t, err, "%s", out)
	require.Empty(p.t, string(out))
}

func fetch(t *testing.T, address string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return body
}

var typed = regexp.MustCompile(`(?m)^# TYPE (darkroom_\w+) (\w+)$`)

// documented requires that docs/metrics.md has the type of each metric that an app shows.
func documented(t *testing.T, shown string) {
	t.Helper()
	page, err := os.ReadFile("../../docs/metrics.md")
	require.NoError(t, err)
	all := typed.FindAllStringSubmatch(shown, -1)
	require.Greater(t, len(all), 30)
	for _, one := range all {
		require.Contains(t, string(page), "| `"+one[1]+"` | "+one[2]+" |")
	}
}

// dashboard is every query of the dashboard, by its panel.
func dashboard(t *testing.T) map[string][]string {
	t.Helper()
	raw, err := os.ReadFile("../../deploy/grafana/darkroom.json")
	require.NoError(t, err)
	var doc struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	require.NoError(t, json.Unmarshal(raw, &doc))
	all := map[string][]string{}
	for _, panel := range doc.Panels {
		for _, target := range panel.Targets {
			all[panel.Title] = append(all[panel.Title], target.Expr)
		}
	}
	require.Greater(t, len(slices.Collect(maps.Keys(all))), 20)
	return all
}

// prometheus is a real one that reads one app each second.
type prometheus struct {
	t   *testing.T
	url string
}

const prometheusConfig = `
global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [%q]
scrape_configs:
  - job_name: darkroom
    static_configs: [{ targets: [%q] }]
`

func startPrometheus(t *testing.T, target string) *prometheus {
	t.Helper()
	dir, addr := t.TempDir(), freeAddress(t)
	rules, err := filepath.Abs("../../deploy/prometheus/darkroom.rules.yml")
	require.NoError(t, err)
	config := filepath.Join(dir, "prometheus.yml")
	require.NoError(t, os.WriteFile(config, fmt.Appendf(nil, prometheusConfig, rules, target), 0o600))
	log, err := os.Create(filepath.Join(dir, "log"))
	require.NoError(t, err)
	server := exec.Command("prometheus", "--config.file="+config, "--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+addr) //nolint:noctx // the test stops it
	server.Stdout, server.Stderr = log, log
	require.NoError(t, server.Start())
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
		_ = log.Close()
	})
	p := &prometheus{t: t, url: "http://" + addr}
	require.Eventually(t, func() bool {
		resp, err := http.Get(p.url + "/-/ready") //nolint:noctx // on this machine
		if err != nil {
			return false
		}
		_ = resp.Body.Close()
		return resp.StatusCode == http.StatusOK
	}, patience, 100*time.Millisecond)
	return p
}

// ask evaluates a query now.
func (p *prometheus) ask(query string) []json.RawMessage {
	p.t.Helper()
	var answer struct {
		Status, Error string
		Data          struct{ Result []json.RawMessage }
	}
	require.NoError(p.t, json.Unmarshal(fetch(p.t, p.url+"/api/v1/query?query="+url.QueryEscape(query)), &answer))
	require.Equal(p.t, "success", answer.Status, "%s: %s", query, answer.Error)
	return answer.Data.Result
}

type rule struct{ Name, Health, State, LastError string }

// rules are the alert rules, as they were evaluated last.
func (p *prometheus) rules() []rule {
	p.t.Helper()
	var answer struct {
		Data struct{ Groups []struct{ Rules []rule } }
	}
	require.NoError(p.t, json.Unmarshal(fetch(p.t, p.url+"/api/v1/rules"), &answer))
	require.Len(p.t, answer.Data.Groups, 1)
	return answer.Data.Groups[0].Rules
}
