package stories

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/person"
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

// placeFrom places an order whose form a preset fills in with these instructions, and returns it with its project.
func (w *world) placeFrom(who *person.T, preset, says string) (o photos.Order, project string) {
	w.t.Helper()
	known := len(w.Photos.Orders())
	who.Type("/order new " + w.Samples()[0])
	who.SeesModal("New photo order")
	who.Choose("Preset", preset)
	who.SeesValue("Instructions", says)
	who.Submit()
	who.Sees("Order placed")
	who.CloseModal()
	o = w.newest(known + 1)
	project, _, _ = strings.Cut(o.Project, " [")
	who.SeesInThread(project, "Placed")
	return o, project
}

// savesPreset saves the instructions of an order that was just placed.
func savesPreset(who *person.T, sample, instructions, name string) {
	who.Type("/order new " + sample)
	who.SeesModal("New photo order")
	who.Fill("Instructions", instructions)
	who.Submit()
	who.Sees("Order placed")
	who.Press("Save as Preset")
	who.SeesModal("Save as preset")
	who.Fill("Name", name)
	who.Submit()
	who.Sees("Saved as " + name)
	who.CloseModal()
}

// Two presets, each with one order: one is approved in round 1, the other in round 2.
func TestAChannelLearnsWhichPresetIsRightAtOnce(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben := w.person("maria"), w.person("ben")
	maria.Goto("#shoots")
	savesPreset(maria, w.Samples()[1], "Keep the sand.", "Beach")
	savesPreset(maria, w.Samples()[1], "Straighten the walls.", "House <wide>")
	beach, dunes := w.placeFrom(maria, "Beach", "Keep the sand.")
	require.Equal(t, []string{"Keep the sand."}, beach.Instructions)
	house, villa := w.placeFrom(maria, "House <wide>", "Straighten the walls.")

	w.Photos.Botches("beach.jpg", photos.Untouched)
	require.NoError(t, w.Photos.Deliver(beach.ID))
	maria.SeesBroadcast("Ready for review: " + dunes)
	maria.SeesInThread(dunes, "looks like its original")
	w.Photos.Botches("beach.jpg", "")
	w.approve(maria, dunes)
	require.NoError(t, w.Photos.Deliver(house.ID))
	maria.SeesBroadcast("Ready for review: " + villa)
	maria.PressOn("Ready for review: "+villa, "Request Changes")
	maria.SeesModal("Request changes")
	maria.Fill("1 · beach.jpg", "Less sky.")
	maria.Submit()
	maria.Sees("Changes requested")
	maria.CloseModal()
	maria.SeesInThread(villa, "Changes requested by Maria")
	require.NoError(t, w.Photos.Deliver(house.ID))
	maria.SeesBroadcast("round 2")
	approveOn(maria, "round 2", villa)

	ben.Type("/order report by preset csv")
	ben.SeesModal("Report")
	for _, said := range []string{
		"4 orders", "1 of 2 (50%)", "1.5 rounds (median)", "No preset", "2 orders · 2 photos",
		"Beach", "1 order · 1 photo · 1 credit · approved in round 1: 1 of 1 (100%) · median 1 round", "photos with findings: 1 of 1 (100%)",
		"House <wide>", "1 order · 1 photo · 1 credit · approved in round 1: 0 of 1 (0%) · median 2 rounds",
		"Credits by preset, numbered as below", "The CSV file with 4 orders is in our direct messages",
	} {
		ben.Sees(said)
	}
	ben.CloseModal()
	require.Equal(t, map[string][]string{dunes: {"Beach", "1", "0"}, villa: {"House <wide>", "2", "1"}},
		w.inFile("ben", "Approved", "Preset", "Round in review or approved", "Rounds of changes"))

	ben.Type("/order report by editor's round")
	ben.SeesModal("Report")
	ben.Sees("Round 2")
	ben.Sees("Being edited, paused or canceled")
	ben.CloseModal()
	ben.Type("/order report by colour")
	ben.SeesEphemeral("I do not know “by colour”. A report can be by person, channel, customer, preset or round.")
	w.quiet()
}

// inFile returns cells of the orders in this status, by project, from the file that the person was sent.
func (w *world) inFile(who, status string, columns ...string) map[string][]string {
	w.t.Helper()
	sent := w.files(who, ".csv")
	require.Len(w.t, sent, 1)
	lines, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(sent[0].Content), "\ufeff"))).ReadAll()
	require.NoError(w.t, err)
	cell := func(line []string, name string) string {
		column := slices.Index(lines[0], name)
		require.NotEqual(w.t, -1, column, name)
		return line[column]
	}
	found := map[string][]string{}
	for _, line := range lines[1:] {
		if cell(line, "Status") != status {
			continue
		}
		for _, name := range columns {
			project, _, _ := strings.Cut(cell(line, "Project"), " [")
			found[project] = append(found[project], cell(line, name))
		}
	}
	return found
}
