package metrics

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/notifier/announce"
	"darkroom/order"
	"darkroom/store/queue"
	"darkroom/upstream"
)

// shown is what /metrics says.
func shown(t *testing.T, m *Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", http.NoBody))
	require.Equal(t, http.StatusOK, w.Code)
	return w.Body.String()
}

// foreign is what others choose: it may be in no label.
const foreign = "U0SECRET"

func watching() *Metrics {
	m := New(Build{Version: "v1", Commit: "c"})
	m.Requests.Know(map[bot.Kind][]string{bot.KindCommand: {"/order"}, bot.KindAction: {"approve", "pick:*", "pick:order:*"}}, []string{"new", "list"})
	m.Jobs.Know("place")
	return m
}

func TestARequestIsCountedUnderANameOfOurs(t *testing.T) {
	m := watching()
	for _, a := range []bot.Answered{
		{Kind: bot.KindCommand, Name: "/order", Verb: "list"},
		{Kind: bot.KindCommand, Name: "/order", Verb: foreign},
		{Kind: bot.KindCommand, Name: "/order"},
		{Kind: bot.KindAction, Name: "approve"},
		{Kind: bot.KindAction, Name: "pick:" + foreign},
		{Kind: bot.KindAction, Name: "pick:order:" + foreign},
		{Kind: bot.KindAction, Name: foreign},
		{Kind: bot.KindEvent, Name: foreign},
	} {
		a.Outcome = bot.OutcomeOK
		m.Requests.Observe(a)
	}
	is := shown(t, m)
	for _, one := range []string{
		`{kind="command",name="list",outcome="ok"} 1`, `{kind="command",name="other",outcome="ok"} 1`, `{kind="command",name="",outcome="ok"} 1`,
		`{kind="action",name="approve",outcome="ok"} 1`, `{kind="action",name="pick:*",outcome="ok"} 1`, `{kind="action",name="pick:order:*",outcome="ok"} 1`,
		`{kind="command",name="other",outcome="late"} 0`, `{kind="action",name="other",outcome="failed"} 0`,
		`{kind="action",name="other",outcome="ok"} 1`, `{kind="event",name="other",outcome="ok"} 1`, `{kind="command",name="new",outcome="late"} 0`,
	} {
		require.Contains(t, is, "darkroom_requests_total"+one)
	}
	require.NotContains(t, is, foreign)
}

// Whatever others send, as often as they like, the metrics do not grow by it.
func TestForeignWordsAreNoLabels(t *testing.T) {
	m := watching()
	size := func() int { return strings.Count(shown(t, m), "\n") }
	all := func(word string) {
		m.Requests.Observe(bot.Answered{Kind: bot.KindSubmit, Name: word, Verb: word, Outcome: bot.OutcomeOK})
		m.Jobs.Observe(queue.Worked{Kind: word, Outcome: queue.OutcomeDone, First: true})
		m.Announcements.Observe(announce.Announced{Event: order.EventKind(word), Dated: true})
	}
	all(foreign)
	before := size()
	for n := range 1000 {
		all(foreign + strings.Repeat("x", n))
	}
	require.Equal(t, before, size())
	require.NotContains(t, shown(t, m), foreign)
}

func TestAJobIsMeasuredFromWhenItWasDue(t *testing.T) {
	m := watching()
	m.Jobs.Observe(queue.Worked{Kind: "place", Outcome: queue.OutcomeWaited, First: true, Waited: 2 * time.Second, Took: 3 * time.Second, Age: 5 * time.Second})
	m.Jobs.Observe(queue.Worked{Kind: "place", Outcome: queue.OutcomeDone, Waited: 60 * time.Second, Took: time.Second, Age: 61 * time.Second})
	is := shown(t, m)
	for _, line := range []string{
		`darkroom_jobs_total{kind="place",outcome="waited"} 1`, `darkroom_jobs_total{kind="place",outcome="dead"} 0`,
		`darkroom_job_wait_seconds_sum{kind="place"} 2`, `darkroom_job_duration_seconds_sum{kind="place"} 4`, `darkroom_job_age_seconds_sum{kind="place"} 61`,
	} {
		require.Contains(t, is, "\n"+line+"\n")
	}
}

func TestCallsAreCountedByWhoWaitsForThem(t *testing.T) {
	m := watching()
	m.Service.Observer(Poller)(upstream.Call{Op: "list", Outcome: upstream.OutcomeOK, Again: true, Waited: 2 * time.Second, Took: time.Second})
	m.Service.Observer(People)(upstream.Call{Op: "create", Outcome: upstream.OutcomeNotSent, Waited: time.Second})
	m.Slack.Observe(client.Call{Method: "views.open", Outcome: client.CallHeldBack})
	m.Socket.Lost(bot.SocketRefresh)
	is := shown(t, m)
	for _, line := range []string{
		`darkroom_service_calls_total{operation="list",outcome="ok"} 1`, `darkroom_service_retries_total{operation="list"} 1`,
		`darkroom_service_turn_wait_seconds_sum{who="poller"} 2`, `darkroom_service_turn_wait_seconds_sum{who="people"} 1`,
		`darkroom_service_call_duration_seconds_sum{operation="list"} 1`, `darkroom_slack_calls_total{method="views.open",outcome="held_back"} 1`,
		`darkroom_socket_lost_total{reason="refresh"} 1`,
	} {
		require.Contains(t, is, "\n"+line+"\n")
	}
	require.NotContains(t, is, `darkroom_service_call_duration_seconds_sum{operation="create"}`, "it was not sent")
}

// An alert on the first refusal of a method would miss a counter that begins with 1.
func TestWhatAlertsWaitForIsThereBeforeItHappens(t *testing.T) {
	is := shown(t, watching())
	for _, method := range client.Methods() {
		for _, outcome := range client.CallOutcomes() {
			require.Contains(t, is, "\n"+`darkroom_slack_calls_total{method="`+method+`",outcome="`+outcome+`"} 0`+"\n")
		}
	}
}

func TestCreditsAreShownWhenSomebodyReadThem(t *testing.T) {
	m := watching()
	require.NotRegexp(t, `(?m)^darkroom_credits`, shown(t, m))
	m.Credits.Set(decimal.RequireFromString("12.5"))
	m.Credits.WarnBelow(decimal.Zero)
	require.Regexp(t, `(?m)^darkroom_credits 12\.5$`, shown(t, m))
	require.NotContains(t, shown(t, m), "darkroom_credits_low_threshold")
	m.Credits.WarnBelow(decimal.NewFromInt(20))
	require.Regexp(t, `(?m)^darkroom_credits_low_threshold 20$`, shown(t, m))
}

func TestTheBuildIsShown(t *testing.T) {
	require.Regexp(t, regexp.MustCompile(`(?m)^darkroom_build_info\{commit="c",go_version="go[^"]+",version="v1"\} 1$`), shown(t, watching()))
}

func TestPrometheusFindsNothingToSayAboutOurNames(t *testing.T) {
	problems, err := testutil.GatherAndLint(watching().registry)
	require.NoError(t, err)
	require.Equal(t, []promlint.Problem(nil), problems)
}
