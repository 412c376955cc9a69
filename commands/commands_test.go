package commands

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/jobs"
	"darkroom/store/queue"
)

func replace(s, id string) string { return strings.ReplaceAll(s, id, "ID") }

func TestNearestVerb(t *testing.T) {
	c := bare(t)
	for typed, want := range map[string]string{
		"aprove": "approve", "shwo": "show", "neww": "new", "balence": "balance", "hlep": "help", "xyzzy": "", "": "",
	} {
		require.Equal(t, want, c.nearest(typed), typed)
	}
}

func TestAMistypedVerbGetsASuggestion(t *testing.T) {
	bubble(t, func(r *rig) {
		r.types("aprove order1")
		require.Contains(r.t, r.screen.lastTold(), "approve")
	})
}

func TestHelpListsEveryVerbOfTheTable(t *testing.T) {
	bubble(t, func(r *rig) {
		r.types("help")
		for _, v := range Rows() {
			require.Contains(r.t, r.screen.lastTold(), v.Usage)
		}
		r.types("help show")
		for _, row := range Rows() {
			if row.Verb == "show" {
				require.Contains(r.t, strings.ToLower(r.screen.lastTold()), row.Does)
			}
		}
		require.NotContains(r.t, r.screen.lastTold(), "/order /order")
	})
}

func TestTheUsageHintFitsTheManifestAndNamesEveryVerb(t *testing.T) {
	hint := Hints()
	require.LessOrEqual(t, len(hint), 1000)
	for _, v := range Rows() {
		require.Contains(t, hint, v.Usage)
	}
}

func TestHelpMarksWhatIsForOperators(t *testing.T) {
	bubble(t, func(r *rig) {
		r.types("help")
		for _, v := range Rows() {
			row := cutOut(r.screen.lastTold(), v.Usage+"`\\n", `"`)
			require.Equal(r.t, v.Operators, strings.Contains(row, "_(operators)_"), v.Verb)
			require.Contains(r.t, row, v.Does)
		}
		r.types("help list")
		require.Contains(r.t, r.screen.lastTold(), "customer:ID")
		r.types("help track")
		require.Contains(r.t, r.screen.lastTold(), "Only operators")
		r.types("help lsit")
		require.Contains(r.t, r.screen.lastTold(), "/order list")
	})
}

func TestBalance(t *testing.T) {
	bubble(t, func(r *rig) {
		r.types("balance")
		require.Contains(r.t, r.screen.lastTold(), "100")
		r.service.Lock()
		r.service.down = true
		r.service.Unlock()
		r.types("balance")
		require.NotContains(r.t, r.screen.lastTold(), "100 credits", "an outage is told, at once")
	})
}

func TestAReplayedClickHasOneEffect(t *testing.T) {
	bubble(t, func(r *rig) {
		q := bot.Request{Kind: bot.KindCommand, Name: Slash, ID: "once", Verb: "help", Team: "T1", User: "maria", Channel: "C1"}
		for range 3 {
			_, err := r.handle(r.t.Context(), q)
			require.NoError(r.t, err)
		}
		r.settle(jobs.AnswerLife / 2)
		require.Len(r.t, r.screen.told, 1)
	})
}

func TestADeadJobIsToldToWhoActed(t *testing.T) {
	bubble(t, func(r *rig) {
		body := json.RawMessage(`{"order":["nowhere"],"user":"maria"}`) // of no release of ours
		_, err := r.queue.Put(r.t.Context(), queue.Job{ID: "dead", Lane: "order:nowhere", Kind: jobs.ApproveJob, Body: body})
		require.NoError(r.t, err)
		r.settle(jobs.AnswerLife)
		require.Len(r.t, r.screen.dms, 1)
		require.Contains(r.t, r.screen.dms[0], jobs.ShortRef("dead"))
		r.jobs.Died(context.Background(), queue.DeadLetter{Job: queue.Job{ID: "odd", Kind: clickJob, Body: json.RawMessage(`{`)}})
		require.Len(r.t, r.screen.dms, 1)
	})
}
