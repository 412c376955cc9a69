package report_test

import (
	"encoding/csv"
	"slices"
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

		require.Contains(r.T, r.Says("maria", "C1", "report by moon"), "I do not know “by moon”. A report can be by person, channel, customer, preset or round.")
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

// reviewed gives a channel an order of a preset, delivered seven hours after it was placed and approved after so many rounds of changes.
func reviewed(r *commandstest.Rig, id, channel, preset string, changes int) {
	r.T.Helper()
	o := order.Order{ID: id, Status: order.StatusEditing, Revision: new(int), OrderedAt: time.Now(), Price: decimal.NewNullDecimal(decimal.NewFromInt(2))}
	t, err := r.Store.Changes.AddOrder(r.T.Context(), store.NewOrder{
		ID: id, Owner: store.Owner{Team: "T1", Channel: channel, Requester: "maria"}, Order: o,
		Brief: &order.Brief{Preset: preset, Sources: make([]order.Source, 3)},
	})
	require.NoError(r.T, err)
	see := func(status order.Status, revision int) {
		o.Status, o.Revision = status, &revision
		o.EditedImages = []order.EditedImage{{ID: "i", Revision: revision}}
		t, _, err = r.Store.Changes.Record(r.T.Context(), id, t.Version, o)
		require.NoError(r.T, err)
	}
	r.Settle(7 * time.Hour)
	see(order.StatusReviewing, 0)
	for round := range changes {
		r.Settle(time.Hour)
		see(order.StatusRevising, round+1)
		see(order.StatusReviewing, round+1)
	}
	r.Settle(2 * time.Hour)
	see(order.StatusClosed, changes)
}

func TestAReportByPresetSaysHowReviewsWent(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Screen.Processing = 1
		reviewed(r, "order001", "C1", "Beach", 0)
		reviewed(r, "order002", "C1", "beach", 1)
		reviewed(r, "order003", "C1", "", 2)
		r.Says("maria", "C1", "report by preset csv")
		r.Settle(20 * time.Second)
		shown := commandstest.Readable(r.Screen.Shown[r.Screen.Last()])
		require.True(r.T, commandstest.ContainsAll(shown, "By preset", "1 of 3 (33%)", "2 rounds (median)",
			"1 · *beach*", "2 orders · 6 photos · 4 credits · approved in round 1: 1 of 2 (50%) · median 1.5 rounds · first delivery 7 h · decided after 1 h 30 min",
			"2 · *No preset*", "Credits by preset, numbered as below"), shown)
		raw := fileOf(r)
		require.Equal(r.T, []string{"", "3", "1.00"}, cells(r, raw, "order003", "Preset", "Round in review or approved", "Hours from first delivery to decision"))
		require.Equal(r.T, []string{"Beach", "1", "2.00"}, cells(r, raw, "order001", "Preset", "Round in review or approved", "Hours from first delivery to decision"))

		for _, line := range []string{"report by round", "report by editor's round", "report by Editor’s rounds this month", "report BY Round CSV"} {
			shown = r.Says("maria", "C1", line)
			require.True(r.T, commandstest.ContainsAll(shown, "*By round*", "*Round 1*", "*Round 2*", "*Round 3*", "1 order · 3 photos · 2 credits · 1 approved · first delivery 7 h"), shown)
		}
		for line, says := range map[string]string{
			"report by": "I do not know “by”. ", "report by colour csv": "I do not know “by colour”. ", "report by editor's preset": "I do not know “by editor's”. ",
			"report by editor's": "I do not know “by editor's”. ", "report preset": "I do not know “preset”. ", "report By moon": "I do not know “By moon”. ",
		} {
			require.Contains(r.T, r.Says("maria", "C1", line), says, line)
		}
		shown = r.Says("maria", "C1", "report by person")
		require.NotContains(r.T, shown, "approved in round 1", "nobody is ranked")
		require.NotContains(r.T, shown, "Approved in round 1", "nobody is ranked")
	})
}

func TestThePresetsOfChannelsThatSomebodyIsNotInAreHidden(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Screen.Channels["CSECRET"] = commandstest.Channel{Private: true, Members: []string{"maria"}}
		reviewed(r, "order001", "CSECRET", "Merger", 0)
		reviewed(r, "order002", "C1", "", 0)
		shown := r.Says("boss", "D1", "report account by preset csv")
		require.True(r.T, commandstest.ContainsAll(shown, "2 orders", "*Channels that you are not in*", "*No preset*"), shown)
		require.NotContains(r.T, shown, "Merger")
		require.NotContains(r.T, fileOf(r), "Merger")
		require.Contains(r.T, r.Says("maria", "CSECRET", "report by preset"), "Merger")
	})
}

// fileOf returns the CSV file that was sent.
func fileOf(r *commandstest.Rig) string {
	r.T.Helper()
	for name, raw := range r.Screen.Uploads {
		if strings.HasSuffix(name, ".csv") {
			return string(raw)
		}
	}
	require.Fail(r.T, "no file")
	return ""
}

// cells returns an order's cells in those columns.
func cells(r *commandstest.Rig, raw, id string, columns ...string) (found []string) {
	r.T.Helper()
	lines, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(raw, "\ufeff"))).ReadAll()
	require.NoError(r.T, err)
	row := slices.IndexFunc(lines, func(line []string) bool { return line[0] == id })
	require.Positive(r.T, row, raw)
	for _, name := range columns {
		column := slices.Index(lines[0], name)
		require.Positive(r.T, column, name)
		found = append(found, lines[row][column])
	}
	return found
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
		require.Contains(r.T, r.Says("maria", "C1", "report november 1998"), "November 1998")
	})
}
