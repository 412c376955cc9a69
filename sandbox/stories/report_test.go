package stories

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/photos"
	"darkroom/sandbox/workspace"
)

// files are those that the app sent to the person alone, by the end of their names.
func (w *world) files(who, ends string) []workspace.File {
	var found []workspace.File
	for _, m := range w.Workspace.DMs(who) {
		for _, f := range m.Files {
			if strings.HasSuffix(f.Name, ends) {
				found = append(found, f)
			}
		}
	}
	return found
}

func TestAMonthIsReportedAndAnOrdersHistoryIsTold(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben := w.person("maria"), w.person("ben")
	first := w.place(maria, "Winter catalogue")
	w.deliver(maria, first.ID)
	maria.PressOn("Ready for review", "Approve with feedback")
	maria.SeesModal("Approve order")
	maria.Fill("Feedback", "Lovely snow."+strings.Repeat(" And the light on the ridge, which nobody had seen before.", 6)+" Thank you all.")
	maria.Submit()
	maria.Sees("The order is closed")
	maria.CloseModal()

	maria.Type("/order new " + w.Samples()[0])
	maria.SeesModal("New photo order")
	maria.Fill("Instructions", "Brighten the sky.")
	maria.Fill("Project name", "=1+1")
	maria.Submit()
	maria.Sees("Order placed")
	maria.CloseModal()
	maria.SeesInThread("=1+1", "Placed")
	orders := w.Photos.Orders()
	require.Len(t, orders, 2)
	second := orders[slices.IndexFunc(orders, func(o photos.Order) bool { return o.ID != first.ID })]
	require.NoError(t, w.Photos.Deliver(second.ID))
	maria.SeesInThread("=1+1", "Ready for review")
	maria.Type("/order approve " + second.ID)
	maria.SeesModal("Approve order")
	maria.Submit()
	maria.Sees("The order is closed")
	maria.CloseModal()

	ben.Type("/order report by person")
	ben.SeesModal("Report")
	ben.Sees("2 orders")
	ben.Sees("3 credits")
	ben.Sees("@Maria")
	ben.Sees("Credits by person, numbered as below") // the chart
	ben.CloseModal()
	require.Empty(t, w.files("ben", ""), "nobody is sent what they did not ask for")

	ben.Type("/order report csv")
	ben.SeesModal("Report")
	ben.Sees("The CSV file with 2 orders is in our direct messages")
	ben.CloseModal()
	ben.SeesDM("Report of")
	sent := w.files("ben", ".csv")
	require.Len(t, sent, 1)
	require.Empty(t, w.files("maria", ""), "only who asked has it")
	lines, err := csv.NewReader(strings.NewReader(string(sent[0].Content))).ReadAll()
	require.NoError(t, err)
	require.Len(t, lines, 3, "a header and two orders")
	require.Contains(t, string(sent[0].Content), "'=1+1")
	require.Contains(t, string(sent[0].Content), "Maria")
	require.Contains(t, string(sent[0].Content), "#shoots")

	ben.Type("/order history " + first.ID)
	ben.Sees("History of Winter catalogue")
	ben.Sees("Approved by @Maria")
	ben.Sees("Lovely snow.")
	ben.Sees("Brighten the sky.")

	ben.Type("/order show " + first.ID)
	ben.SeesEphemeral("Show History")
	ben.Press("Show History")
	ben.Sees("Thank you all.") // which the details have no room for
}
