package commands_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/commands"
	"darkroom/commands/commandstest"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store/queue"
)

func replace(s, id string) string { return strings.ReplaceAll(s, id, "ID") }

func TestAMistypedVerbGetsASuggestion(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("aprove order1")
		require.Contains(r.T, r.Screen.LastMessage(), "approve")
	})
}

func TestHelpListsEveryVerbOfTheTable(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("help")
		for _, v := range commands.Rows() {
			require.Contains(r.T, r.Screen.LastMessage(), v.Usage)
		}
		r.Types("help show")
		for _, row := range commands.Rows() {
			if row.Verb == "show" {
				require.Contains(r.T, strings.ToLower(r.Screen.LastMessage()), row.Does)
			}
		}
		require.NotContains(r.T, r.Screen.LastMessage(), "/order /order")
	})
}

func TestTheUsageHintFitsTheManifestAndNamesEveryVerb(t *testing.T) {
	hint := commands.Hints()
	require.LessOrEqual(t, len(hint), 1000)
	for _, v := range commands.Rows() {
		require.Contains(t, hint, v.Usage)
	}
}

func TestHelpMarksWhatIsForOperators(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("help")
		for _, v := range commands.Rows() {
			row := commandstest.CutOut(r.Screen.LastMessage(), v.Usage+"`\\n", `"`)
			require.Equal(r.T, v.Operators, strings.Contains(row, "_(operators)_"), v.Verb)
			require.Contains(r.T, row, v.Does)
		}
		r.Types("help list")
		require.Contains(r.T, r.Screen.LastMessage(), "customer:ID")
		r.Types("help track")
		require.Contains(r.T, r.Screen.LastMessage(), "Only operators")
		r.Types("help lsit")
		require.Contains(r.T, r.Screen.LastMessage(), "/order list")
	})
}

func TestBalance(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("balance")
		require.Contains(r.T, r.Screen.LastMessage(), "100")
		r.Service.Lock()
		r.Service.Down = true
		r.Service.Unlock()
		r.Types("balance")
		require.NotContains(r.T, r.Screen.LastMessage(), "100 credits", "an outage is told, at once")
	})
}

func TestADeadJobIsToldToWhoActed(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		body := json.RawMessage(`{"order":["nowhere"],"user":"maria"}`) // of no release
		_, err := r.Queue.Put(r.T.Context(), queue.Job{ID: "dead", Lane: "order:nowhere", Kind: job.Approve, Body: body})
		require.NoError(r.T, err)
		r.Settle(answers.AnswerLife)
		require.Len(r.T, r.Screen.DMs, 1)
		require.Contains(r.T, r.Screen.DMs[0], job.ShortRef("dead"))
		require.NoError(t, r.Jobs.Died(context.Background(), queue.DeadLetter{Job: queue.Job{ID: "odd", Kind: commands.ClickJob, Body: json.RawMessage(`{`)}}))
		require.Len(r.T, r.Screen.DMs, 1)
	})
}
