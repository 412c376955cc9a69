package stories

import (
	"encoding/csv"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
	"darkroom/sandbox/person"
	"darkroom/sandbox/photos"
	"darkroom/sandbox/workspace"
)

// table is a file of orders on somebody's laptop.
func table(name string, lines ...string) workspace.Upload {
	return workspace.Upload{Name: name, Content: []byte(strings.Join(lines, "\r\n") + "\r\n")}
}

// handsIn gives a file of orders to the order form.
func handsIn(who *person.T, file workspace.Upload) {
	who.Type("/order new")
	who.SeesModal("New photo order")
	who.Upload("Photos", file)
	who.Fill("Instructions", "Brighten the sky.")
	who.Submit()
}

// results are the rows of the file that says what became of a batch.
func (w *world) results(who string) [][]string {
	w.t.Helper()
	require.Eventually(w.t, func() bool { return len(w.files(who, "-result.csv")) > 0 }, patience, tick)
	sent := w.files(who, "-result.csv")
	require.Len(w.t, sent, 1)
	lines, err := csv.NewReader(strings.NewReader(string(sent[0].Content))).ReadAll()
	require.NoError(w.t, err)
	return lines[1:]
}

func TestABatchIsCheckedWholeAndPlacedOnce(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	many := strings.Join(w.addresses(60), " ")
	handsIn(maria, table("spring.csv",
		"name,images,service,instructions,customer id",
		"Smith wedding,"+many+",extensive,Warm it.,C-7",
		"Jones,beach.jpg,,,",
		"Brown,"+w.Samples()[0]+",gold,,"))
	maria.SeesModal("Fix the file")
	maria.Sees("spring.csv has 2 problems")
	maria.Sees("Line 3: Not a link (http:// or https://): beach.jpg.")
	maria.Sees("Line 4: The service “gold” is not one")
	maria.SeesNoButton("Place")
	maria.Press("Return to Form")
	maria.SeesModal("New photo order")
	maria.SeesValue("For rows without their own", "Brighten the sky.") // what was typed is still there
	closeAll(maria)
	require.Empty(t, w.Photos.Orders(), "nothing is sent while a row has a problem")

	handsIn(maria, table("spring.csv",
		"name,images,service,instructions,customer id",
		"Smith wedding,"+many+",extensive,Warm it.,C-7",
		"Jones,"+w.Samples()[1]+",,,",
		"Brown,"+w.Samples()[0]+" "+w.Samples()[2]+".missing,,,"))
	maria.Sees("4 orders, 63 photos")
	maria.Sees("Smith wedding · 60 photos in 2 orders · Extensive · for C-7")
	require.Empty(t, w.Photos.Orders(), "nothing is sent before it was seen")
	maria.SubmitTwice()
	maria.Sees("3 of 4 orders are placed, 1 is not")
	maria.SeesDM("3 of 4 orders are placed, 1 is not")
	maria.SeesDM("Smith wedding · 60 photos in 2 orders")
	closeAll(maria)
	require.Len(t, w.Photos.Orders(), 3)
	placed := w.called("Smith wedding 1/2")
	require.Len(t, placed.Images, 50)
	require.Equal(t, "extensive", placed.Images[0].Service)
	require.Equal(t, []string{"Warm it."}, placed.Instructions)
	require.Len(t, w.called("Smith wedding 2/2").Images, 10)
	require.Equal(t, []string{"Brighten the sky."}, w.called("Jones").Instructions)
	for _, project := range []string{"Smith wedding 1/2", "Smith wedding 2/2", "Jones"} {
		maria.SeesInThread("spring.csv", project)
		require.Equal(t, 1, w.cardsInThread("spring.csv", project))
	}

	rows := w.results("maria")
	require.Len(t, rows, 4, "an order a line")
	require.Equal(t, []string{"2", "Smith wedding 1/2", "50", "placed", placed.ID}, rows[0][:5])
	require.Contains(t, rows[0][6], "https://", "the way to its card")
	require.Equal(t, []string{"4", "Brown", "2", "not placed", ""}, rows[3][:5])
	require.Contains(t, rows[3][7], "not accessible")

	inDM(maria, func() {
		maria.PressOn("Brown", "Open the Form") // what was refused can be mended
		maria.SeesModal("New photo order")
		maria.SeesValue("Project name", "Brown")
		maria.Fill("Photo links", w.Samples()[0])
		maria.Submit()
		maria.Sees("Order placed")
		maria.CloseModal()
	})
	require.Len(t, w.Photos.Orders(), 4)
}

// Each row of a file may say what should be done with its photos. Then the form need not.
func TestAnOrderFileMayBringAllItsInstructions(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	maria.Type("/order new")
	maria.SeesModal("New photo order")
	maria.Press("More Options")
	maria.Press("Use an Order File")
	maria.SeesValue("For rows without their own", "")
	maria.Upload("Photos", table("own.csv", "name,images,instructions", "Hats,"+w.Samples()[0]+",Warm it.", "Caps,"+w.Samples()[1]+","))
	maria.Submit()
	maria.SeesModal("Fix the file")
	maria.Sees("Line 3: There are no instructions")
	require.Empty(t, w.Photos.Orders(), "nothing is sent")
	maria.Press("Return to Form")
	maria.SeesValue("For rows without their own", "")
	maria.Upload("Photos", table("own.csv", "name,images,instructions", "Hats,"+w.Samples()[0]+",Warm it.", "Caps,"+w.Samples()[1]+",Brighten it."))
	maria.Submit()
	maria.Sees("2 orders, 2 photos")
	maria.Submit()
	maria.Sees("Every order is placed: 2 orders.")
	require.Equal(t, []string{"Brighten it."}, w.called("Caps").Instructions)
}

// putBack is what the app's log says once the job of an order waits in the queue again, and when.
var putBack = regexp.MustCompile(`time=(\S+) .*msg="job comes back" job=(\S+) kind=place .*outcome=wait`)

// waiting is how many orders were put off within so long, and are kept so.
func (p *process) waiting(within time.Duration) int {
	wait := map[string]bool{}
	for _, line := range putBack.FindAllStringSubmatch(p.said(), -1) {
		at, err := time.Parse(time.RFC3339, line[1])
		require.NoError(p.t, err)
		if time.Since(at) < within {
			wait[line[2]] = true
		}
	}
	return len(wait)
}

// This is the longest story, and hardly computes: it begins at once, so that it is not the only one left in the end.
func TestAKilledAppGoesOnWithItsBatch(t *testing.T) {
	t.Parallel()
	w := openAtOnce(t)
	maria := w.person("maria")
	const orders = 12
	// rest is how long the service wants to be left alone: so long that none is on its way once more when the app is
	// killed. Of such a one nobody would know whether it is out, and Maria would be asked.
	const rest = 30 * time.Second
	lines := []string{"name;images"}
	for i, address := range w.addresses(orders) {
		lines = append(lines, fmt.Sprintf("Shop %02d;%s", i+1, address))
	}
	handsIn(maria, table("shop.csv", lines...))
	maria.Sees("12 orders, 12 photos")
	w.Photos.Misbehave(photos.Create, photos.HangAfterCommit(), 2)
	w.Photos.Misbehave(photos.Create, photos.TooMany(rest), -1)
	maria.Submit()
	maria.SeesDM("0 of 12 orders placed …")
	w.until("two orders are out, and no answer came; the others wait", func() bool {
		return len(w.Photos.Orders()) == 2 && w.app.waiting(rest-5*time.Second) == orders-2
	})
	w.app.kill() // as kill -9 does
	w.Photos.Behave()
	w.Photos.Release()
	w.startApp()
	patient := person.In(t, w.Workspace, "maria", person.Options{Patience: rest + patience})
	patient.SeesDM("Every order is placed: 12 orders.")
	w.quiet()
	names := map[string]int{}
	for _, o := range w.Photos.Orders() {
		name, _, _ := strings.Cut(o.Project, " [")
		names[name]++
	}
	require.Len(t, names, orders, "no order is lost")
	for name, times := range names {
		require.Equal(t, 1, times, "%s is there once", name)
	}
	require.Len(t, w.results("maria"), orders)
	require.Equal(t, 1, w.countCards("shop.csv"), "it is one card in the channel")
	patient.Press("Show Orders")
	patient.SeesModal("Orders")
	patient.Sees("12 orders, page 1 of 2")
	patient.Press("Show Older")
	patient.Sees("page 2 of 2")
}

func TestABatchIsOrderedFromTheMessageThatHasItsFile(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	maria.Share("Polish the gold.", table("shop.csv", "images", w.Samples()[2], w.Samples()[1]))
	maria.MessageShortcut("Polish the gold.", "Order these photos")
	maria.SeesModal("Place orders")
	maria.Sees("2 orders, 2 photos")
	maria.Submit()
	maria.Sees("Every order is placed: 2 orders.")
	require.Len(t, w.Photos.Orders(), 2)
	require.Equal(t, []string{"Polish the gold."}, w.Photos.Orders()[0].Instructions)
	require.Len(t, w.results("maria"), 2)
}

// batchDone is what the app says when a batch has come to its end.
var batchDone = regexp.MustCompile(`msg="job done" .*kind=batch `)

// Slack does not say whether the message about a batch arrived, nor whether its file did. Both are looked for, and each
// comes once.
func TestWhatABatchTellsComesOnce(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]workspace.Fault{"both arrived": workspace.Error500After, "neither did": workspace.ResetBefore} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := open(t)
			w.shortWaits()
			maria := w.person("maria")
			handsIn(maria, table("shop.csv", "images", w.Samples()[2]))
			maria.Sees("1 order, 1 photo")
			w.Photos.Misbehave(photos.Create, photos.TooMany(4*time.Second), -1) // so that no card is posted meanwhile
			w.Workspace.Misbehave("chat.postMessage", fault, 1)
			w.Workspace.Misbehave("files.completeUploadExternal", fault, 1)
			maria.Submit()
			w.until("nobody knows whether the message is out", func() bool { return strings.Contains(w.app.said(), "a batch's message may be out") })
			w.Photos.Behave()
			maria.SeesDM("Every order is placed: 1 order.")
			maria.SeesDM("The result of every row is in a file in this chat.")
			w.until("nobody knows whether the file is out", func() bool { return strings.Contains(w.app.said(), "a batch's file may be out") })
			w.until("all of it is done", func() bool { return batchDone.MatchString(w.app.said()) })
			require.Len(t, w.results("maria"), 1)
			told := 0
			for _, m := range w.Workspace.DMs("maria") {
				if len(m.Files) == 0 {
					told++
				}
			}
			require.Equal(t, 1, told, "it is one message that was edited")
		})
	}
}

// Whoever does not find the file with the results is not told that it is there: without the permission to read its own
// messages the app cannot look.
func TestABatchDoesNotPromiseAFileThatMayNotHaveArrived(t *testing.T) {
	t.Parallel()
	w := open(t, func(o *sandbox.Options) { o.Workspace.Scopes = without(t, "im:history") })
	w.shortWaits()
	maria := w.person("maria")
	w.Workspace.Misbehave("files.completeUploadExternal", workspace.ResetBefore, 1)
	handsIn(maria, table("shop.csv", "images", w.Samples()[2]))
	maria.Sees("1 order, 1 photo")
	maria.Submit()
	maria.SeesDM("Slack did not say whether the file with the results arrived.")
	w.quiet()
	require.Empty(t, w.files("maria", "-result.csv"))
	require.Len(t, w.Photos.Orders(), 1)
}
