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

// Help fits a screen: five verbs with examples, and the names of all others, each of which it explains.
func TestHelpNamesEveryVerbOfTheTable(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("help")
		all := r.Screen.LastMessage()
		examples := 0
		for _, v := range commands.Rows() {
			require.Contains(r.T, all, v.Verb)
			if strings.Contains(all, "\n`/order "+v.Example+"`") || strings.Contains(all, `\n`+"`/order "+v.Example+"`") {
				examples++
			}
		}
		require.Equal(r.T, 5, examples)
		for _, v := range commands.Rows() {
			r.Types("help " + v.Verb)
			require.Contains(r.T, r.Screen.LastMessage(), v.Usage)
			require.Contains(r.T, strings.ToLower(r.Screen.LastMessage()), strings.ToLower(v.Does))
			require.Equal(r.T, v.Operators, strings.Contains(r.Screen.LastMessage(), "Only operators may do this"), v.Verb)
			require.NotContains(r.T, r.Screen.LastMessage(), "/order /order")
		}
		r.Types("help list")
		require.Contains(r.T, r.Screen.LastMessage(), "customer:ID")
		r.Types("help lsit")
		require.Contains(r.T, r.Screen.LastMessage(), "/order list")
	})
}

func TestTheUsageHintNamesFiveVerbsAndHelp(t *testing.T) {
	require.Equal(t, "new [urls…] | list [status] [mine] [words…] | approve [ID] [feedback] | revise [ID] [instructions…] | message [ID] text… | help [verb]", commands.Hints())
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
