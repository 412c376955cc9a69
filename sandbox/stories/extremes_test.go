package stories

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/person"
	"darkroom/sandbox/workspace"
)

// nasty is text that means something to Slack, to a screen or to a terminal: markup,
// emoji of two UTF-16 units, words from right to left, marks that turn the rest round,
// characters that nobody sees.
const nasty = "🎉👩‍🎨 <!channel> <@U0EVERY> *&* |_~` &amp; חתונה عرس \u202egpj.exe\u202c \u200b\u0007\u2068x"

// filled is that text repeated to exactly n characters, with the rest after it.
func filled(n int, rest string) string {
	room := n - utf8.RuneCountInString(rest)
	long := []rune(strings.Repeat(nasty+" ", room/utf8.RuneCountInString(nasty)+1))
	return string(long[:room-1]) + "." + rest // an end that no trimming takes away
}

// album are so many photos with names of 300 characters.
func (w *world) album(n, from int) []workspace.Upload {
	photos := make([]workspace.Upload, n)
	for i := range photos {
		photos[i] = w.picture((from + i) % 3)
		photos[i].Name = filled(300, fmt.Sprintf(" %d.jpg", from+i+1))
	}
	return photos
}

// addresses are so many public pictures, each 190 characters long.
func (w *world) addresses(n int) []string {
	all := make([]string, n)
	for i := range all {
		address := fmt.Sprintf("%s?n=%d&why=%s", w.Samples()[i%3], i, url.QueryEscape("*&*|<!channel>"))
		all[i] = address + strings.Repeat("x", 190-len(address))
	}
	return all
}

// labelled is the label of the field that begins and ends so.
func labelled(t *testing.T, who *person.T, begins, ends string) string {
	t.Helper()
	pattern := regexp.MustCompile(`(?m)^\s*(` + regexp.QuoteMeta(begins) + `.*` + regexp.QuoteMeta(ends) + `) \(optional\): `)
	var found []string
	require.Eventually(t, func() bool {
		found = pattern.FindStringSubmatch(who.Screen())
		return found != nil
	}, patience, tick, "no field %s…%s", begins, ends)
	return found[1]
}

func TestFiftyPhotosWithTheLongestNamesFromNewToApproved(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben := w.person("maria"), w.person("ben")
	maria.Type("/order new " + strings.Join(w.addresses(20), " "))
	maria.SeesModal("New photo order")
	maria.Fill("Instructions", filled(2990, "\nKeep it."))
	maria.Fill("Project name", filled(70, "Extreme"))
	for i := range 3 {
		maria.Upload("Photos", w.album(10, 10*i)...)
		if i < 2 {
			maria.Check("Add more photos")
			maria.Submit()
			maria.Sees(fmt.Sprintf("%d photos in this order", 10*(i+1)))
		}
	}
	maria.Check("Per photo")
	maria.SeesButton("Next") // then the form is as it will be
	maria.Submit()
	for first := 1; first <= 50; first += 6 {
		last := min(first+5, 50)
		maria.Sees(fmt.Sprintf("Photos %d to %d of 50", first, last))
		for i := first; i <= last; i++ {
			maria.Fill(labelled(t, maria, fmt.Sprintf("%d · ", i), ": Instruction"), filled(900, fmt.Sprint(" for image ", i)))
		}
		maria.Submit()
	}
	maria.Sees("Order placed")
	maria.CloseModal()
	maria.SeesInThread("Extreme", "Placed")
	order := w.order()
	require.Len(t, order.Images, 50)
	for i, image := range order.Images {
		require.Contains(t, image.Instruction, fmt.Sprint(" for image ", i+1))
	}

	w.deliver(ben, order.ID)
	w.looksAround(w.person("olga"), order.ID)
	ben.PressOn("Ready for review", "Request Changes")
	w.requestsChangesOfAll(ben)
	maria.SeesInThread("Extreme", "Changes requested by Ben")
	require.Len(t, w.order().Revisions, 1)
	require.Len(t, w.order().Revisions[0], 50)

	require.NoError(t, w.Photos.Deliver(order.ID))
	maria.SeesBroadcast("round 2")
	maria.PressOn("round 2", "Approve with feedback")
	maria.SeesModal("Approve order")
	feedback := filled(3000, " Thank you.")
	maria.Fill("Feedback", feedback)
	maria.Submit()
	maria.Sees("The order is closed")
	maria.CloseModal()
	ben.SeesInThread("Extreme", "Approved by Maria")
	require.Equal(t, 1, w.order().Approvals)
}

// looksAround sees an order everywhere it is shown to one person.
func (w *world) looksAround(who *person.T, id string) {
	w.t.Helper()
	who.Type("/order show " + id)
	who.SeesEphemeral("History")
	who.Type("/order list extreme")
	who.SeesEphemeral("1 order")
	who.OpenHome()
	who.Choose("Which orders", "All my channels")
	who.SeesHome("Extreme")
	who.SeesButton("Review")
}

// requestsChangesOfAll opens the box of every photo and fills it with long words.
func (w *world) requestsChangesOfAll(who *person.T) {
	w.t.Helper()
	who.SeesModal("Request changes")
	for i := range 50 {
		if i == 25 {
			who.Press("Show 26–50")
			who.Sees("50 · ")
		}
		image := fmt.Sprintf("%d · ", i+1)
		who.PressOn(image, "Add Changes")
		who.Fill(labelled(w.t, who, image, ""), filled(2900, fmt.Sprint(" change ", i+1)))
	}
	who.Submit()
	who.Sees("Changes requested")
	who.CloseModal()
}

func TestWordsAtTheirLongestReachTheEditor(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	order := w.place(maria, "Long words 🎉 & more")
	said := func(i int) string {
		t.Helper()
		require.Len(t, w.said(), i+1)
		return w.said()[i]
	}

	maria.PressOn("Long words", "Message the Editor")
	maria.SeesModal("Message the editor")
	maria.Fill("Message", strings.Repeat("🎉", 1500))
	maria.Fill("Message (more)", strings.Repeat("🎈", 1500))
	maria.Submit()
	maria.SeesInThread("Long words", "Message sent by Maria")
	require.Equal(t, 1500, strings.Count(said(0), "🎉"))
	require.Equal(t, 1500, strings.Count(said(0), "🎈"))
	maria.CloseModal()

	longest := filled(5000, " 🎉the end")
	maria.Type("/order message " + order.ID + " " + strings.ReplaceAll(longest, "<@U0EVERY>", "<=U0EVERY>"))
	maria.SeesInThread("Long words", "🎉the end")
	require.LessOrEqual(t, utf8.RuneCountInString(said(1)), 5000)
	require.Contains(t, said(1), "🎉the end")

	maria.OpenThread("Long words")
	maria.Type("@darkroom " + strings.Repeat("ש", 4990) + " 🎈thread")
	maria.SeesReaction("🎈thread", "white_check_mark")
	require.Contains(t, said(2), "🎈thread")
	maria.CloseThread()

	require.NoError(t, w.Photos.Say(order.ID, filled(5000, " 🎉answered")))
	maria.Type("/order message " + order.ID + " and?")
	maria.SeesInThread("Long words", "Editor wrote")

	reason := filled(3000, " 🎉enough")
	maria.Type("/order cancel " + order.ID)
	maria.SeesModal("Cancel order")
	maria.Fill("Reason", reason)
	maria.Submit()
	maria.Sees("too long for the photo service")
	maria.Sees("Your text is saved")
	maria.Fill("Reason", "We chose others.")
	maria.Submit()
	maria.SeesInThread("Long words", "Canceled by Maria")
}
