package report_test

import (
	"encoding/csv"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // the tests need time zones on every machine

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
	cardsreport "darkroom/cards/report"
	"darkroom/commands/commandstest"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/settingstest"
)

// priced returns a change that sets an order's cost and time.
func priced(credits string, at time.Time) func(*order.Order) {
	return func(o *order.Order) {
		o.Price, o.OrderedAt = decimal.NewNullDecimal(decimal.RequireFromString(credits)), at
	}
}

func TestAChannelReportsItsMonth(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		now := time.Now()
		r.Owns("order001", "C1", "maria", priced("2.5", now))
		r.Owns("order002", "C1", "tom", priced("4", now))
		r.Owns("order003", "CWEDDING", "maria", priced("100", now))
		r.Owns("order004", "C1", "tom", priced("1000", now.AddDate(0, -1, -3)))
		r.Screen.Processing = 2
		r.Says("maria", "C1", "report by person")
		r.Settle(20 * time.Second)
		shown := r.Screen.Shown[r.Screen.Last()]
		require.True(r.T, commandstest.ContainsAll(shown, cardsreport.Title, "2 orders", "6.5 credits", "2 · *maria*", "2.5 credits", `"slack_file":{"id":"Freport.png"}`), shown)
		require.NotContains(r.T, shown, "1000")
		require.NotEmpty(r.T, r.Screen.Uploads["report.png"])
		require.Empty(r.T, r.Screen.DMs)

		require.Contains(r.T, r.Says("maria", "C1", "report by moon"), "I do not know “by”")
		require.Contains(r.T, r.Says("maria", "C1", "report 2020-02"), "No orders were placed in that month")
		require.Contains(r.T, r.Says("maria", "D1", "report"), "A report covers a channel's orders")
	})
}

func TestAReportComesAsAFileToWhoAskedForIt(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "maria", func(o *order.Order) { priced("2.5", time.Now())(o); o.ProjectName = "=cmd|' /C calc'!A0" })
		r.Owns("order002", "C1", "tom", priced("4", time.Now()))
		require.Contains(r.T, r.Says("tom", "C1", "report csv"), "The CSV file with 2 orders is in our direct messages")
		require.Len(r.T, r.Screen.DMs, 1)
		require.Contains(r.T, r.Screen.DMs[0], "to tom: Report of")
		for name, raw := range r.Screen.Uploads {
			if strings.HasSuffix(name, ".csv") {
				lines, err := csv.NewReader(strings.NewReader(string(raw))).ReadAll()
				require.NoError(r.T, err)
				require.Len(r.T, lines, 3)
				require.Contains(r.T, string(raw), "'=cmd")
			}
		}
	})
}

func TestWithoutThePermissionAReportIsTextAndSaysWhy(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "maria", priced("2.5", time.Now()))
		r.Screen.NoFiles = client.ErrNotAllowed
		shown := r.Says("maria", "C1", "report csv")
		require.True(r.T, commandstest.ContainsAll(shown, "2.5 credits", "files:write"), shown)
		require.NotContains(r.T, shown, "slack_file")
		r.Screen.NoFiles = client.ErrTryLater
		require.True(r.T, commandstest.ContainsAll(r.Says("maria", "C1", "report csv"), "2.5 credits", "The CSV file could not be sent", "The chart could not be uploaded"))
		r.Screen.NoFiles, r.Screen.Processing = nil, 1000
		r.Says("maria", "C1", "report")
		r.Settle(20 * time.Second)
		require.True(r.T, commandstest.ContainsAll(r.Screen.Shown[r.Screen.Last()], "2.5 credits", "Slack needs more time for the chart"))
	})
}

func TestAReportIsForTheMembersOfItsChannel(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order003", "CWEDDING", "maria", priced("100", time.Now()))
		r.Owns("order001", "C1", "tom", priced("2.5", time.Now()))
		require.True(r.T, commandstest.ContainsAll(r.Says("maria", "CWEDDING", "report"), "1 order", "100 credits"))
		tests := []struct{ who, where, line, says string }{
			{"tom", "CWEDDING", "report csv", "You are not a member"},
			{"ines", "C1", "report csv", "Guests may look at orders but not read reports"},
			{"tom", "C1", "report account csv", "Only operators may read the report of the whole account"},
			{"ines", "C1", "report account", "Guests"},
		}
		for _, row := range tests {
			uploads := len(r.Screen.Uploads)
			shown := r.Says(row.who, row.where, row.line)
			require.Contains(r.T, shown, row.says, row)
			require.NotContains(r.T, shown, "100", row)
			require.NotContains(r.T, shown, "credits", row)
			require.Len(r.T, r.Screen.Uploads, uploads)
			require.Empty(r.T, r.Screen.DMs)
		}
		require.True(r.T, commandstest.ContainsAll(r.Says("boss", "D1", "report account by channel"), "2 orders", "102.5 credits", "CWEDDING"))

		r.Screen.Channels["CSECRET"] = commandstest.Channel{Private: true, Members: []string{"maria"}}
		r.Owns("order005", "CSECRET", "maria", priced("7", time.Now()))
		shown := r.Says("boss", "D1", "report account by channel csv")
		require.True(r.T, commandstest.ContainsAll(shown, "109.5 credits", "Channels that you are not in"))
		require.NotContains(r.T, shown, "CSECRET")
	})
}

func TestWhereOnlyOperatorsReadCreditsAReportHasNone(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "maria", priced("2.5", time.Now()))
		settingstest.SaveAccount(r.T, r.Store, "T1", store.Account{Credits: store.CreditsOperators})
		shown := r.Says("maria", "C1", "report csv")
		require.True(r.T, commandstest.ContainsAll(shown, "1 order", "Only operators"), shown)
		require.NotContains(r.T, shown, "2.5")
		for _, raw := range r.Screen.Uploads {
			require.NotContains(r.T, string(raw), "2.5")
		}
		require.Contains(r.T, r.Says("boss", "C1", "report"), "2.5 credits")
	})
}

func TestAMonthIsThePersonsOwn(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Screen.Zones = map[string]string{"tom": "Pacific/Kiritimati", "boss": "Local"} // 14 hours ahead of UTC
		begins := order.MonthOf(time.Now(), time.UTC).Begins()
		r.Owns("order001", "C1", "maria", priced("2.5", begins.Add(-10*time.Hour)))
		r.Owns("order002", "C1", "maria", priced("4", begins.Add(10*time.Hour)))
		require.True(r.T, commandstest.ContainsAll(r.Says("maria", "C1", "report"), "1 order", "Slack does not tell me your time zone"))
		require.True(r.T, commandstest.ContainsAll(r.Says("boss", "C1", "report"), "1 order", "Slack does not tell me your time zone"))
		require.True(r.T, commandstest.ContainsAll(r.Says("tom", "C1", "report"), "2 orders", "times in Pacific/Kiritimati"))
		require.True(r.T, commandstest.ContainsAll(r.Says("maria", "C1", "report last month"), "1 order"))
	})
}
