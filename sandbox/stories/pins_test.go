package stories

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"image/jpeg"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/sandbox/person"
	"darkroom/sandbox/photos"
)

// pins sends a pin to a page for pins, as its script does, and returns what the page says.
func (w *world) pins(address, id, photo string, x, y int, words string) (status int, says string) {
	w.t.Helper()
	body, err := json.Marshal(map[string]any{"id": id, "photo": photo, "x": x, "y": y, "words": words})
	require.NoError(w.t, err)
	request, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, address, bytes.NewReader(body))
	require.NoError(w.t, err)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	require.NoError(w.t, err)
	defer func() { _ = answer.Body.Close() }()
	var said struct{ Error string }
	require.NoError(w.t, json.NewDecoder(answer.Body).Decode(&said))
	return answer.StatusCode, said.Error
}

var photoOnPage = regexp.MustCompile(`data-photo="([^"]+)"`)

// photosOn returns the names by which a page for pins knows its photos.
func (w *world) photosOn(address string) (photos []string) {
	w.t.Helper()
	for _, found := range photoOnPage.FindAllStringSubmatch(string(w.get(address, http.StatusOK)), -1) {
		photos = append(photos, found[1])
	}
	return photos
}

// toMarkOn orders photos, waits until they are delivered, and follows the link to the page for pins. photos are their names
// there.
func (w *world) toMarkOn(who, other *person.T, project string, images int) (placed photos.Order, page string, photos []string) {
	w.t.Helper()
	placed = w.placeImages(who, project, images)
	w.deliver(other, placed.ID)
	who.PressOn("Ready for review", "Request Changes")
	who.SeesModal("Request changes")
	page = who.Follow("", "Mark on the Pictures")
	return placed, page, w.photosOn(page)
}

// Maria points at two places of a photo. The editor gets her words with the places, and the photo with the marks on it.
func TestPinsOnAPhotoReachTheEditorInWordsAndAsAPicture(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.shortWaits()
	maria, ben := w.person("maria"), w.person("ben")
	placed, page, photos := w.toMarkOn(maria, ben, "Pointed at", 2)
	require.Len(t, photos, 2)
	pin := func(page, id string, x, y int, words string) {
		t.Helper()
		status, says := w.pins(page, id, photos[1], x, y, words)
		require.Equal(t, http.StatusOK, status, says)
	}
	pin(page, "one", 100, 100, "Remove the stain")
	maria.Sees("1: (left, upper third) Remove the stain")
	pin(page, "two", 900, 500, "Straighten the shelf")
	pin(page, "three", 1, 1, "A slip")
	pin(page, "one", 100, 100, "Remove the coffee stain")
	pin(page, "three", 1, 1, "")
	maria.Sees("1: (left, upper third) Remove the coffee stain")
	maria.Sees("2: (right) Straighten the shelf")
	maria.DoesNotSee("A slip")

	status, says := w.pins(page, "four", "another", 1, 1, "Nowhere")
	require.Equal(t, http.StatusUnprocessableEntity, status)
	require.Contains(t, says, "newer edit")
	status, _ = w.pins(page[:len(page)-4]+"AAAA", "five", photos[0], 1, 1, "Forged")
	require.Equal(t, http.StatusNotFound, status)

	maria.CloseModal()
	maria.PressOn("Ready for review", "Request Changes")
	maria.SeesModal("Request changes")
	maria.Sees("1: (left, upper third) Remove the coffee stain")
	maria.Fill(w.label(1), "Less yellow.")
	maria.Submit()
	maria.Sees("Changes requested")
	maria.CloseModal()
	require.Equal(t, map[string][]string{
		w.order().Edited[0].ID: {"Less yellow."},
		w.order().Edited[1].ID: {"1: (left, upper third) Remove the coffee stain", "2: (right) Straighten the shelf"},
	}, w.order().Revisions[0])
	status, says = w.pins(page, "six", photos[0], 1, 1, "Too late")
	require.Equal(t, http.StatusNotFound, status)
	require.Contains(t, says, "Copy your text")

	require.Eventually(t, func() bool { return len(w.order().References) == 1 }, patience, tick)
	reference := w.order().References[0]
	require.Contains(t, reference.Instruction, "2: (right) Straighten the shelf")
	picture, err := jpeg.Decode(bytes.NewReader(w.get(reference.URL, http.StatusOK)))
	require.NoError(t, err)
	require.Positive(t, picture.Bounds().Dx())
	ben.SeesInThread("Pointed at", "References added by Maria")

	require.NoError(t, w.Photos.Deliver(placed.ID))
	ben.SeesBroadcast("round 2")
	maria.PressOn("round 2", "Request Changes")
	maria.SeesModal("Request changes")
	maria.SeesValue(w.label(2), "again: 1: (left, upper third) Remove the coffee stain\nagain: 2: (right) Straighten the shelf")
	later := maria.Follow("", "Mark on the Pictures")
	require.NotContains(t, string(w.get(later, http.StatusOK)), "coffee stain&#34;", "sent pins are no longer in the draft")
}

// Somebody who leaves the channel sets no more pins, and a page in a browser tells nobody why.
func TestWhoLeavesTheChannelSetsNoMorePins(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben := w.person("maria"), w.person("ben")
	_, page, photos := w.toMarkOn(ben, maria, "Left alone", 1)
	photo := photos[0]
	status, says := w.pins(page, "one", photo, 1, 1, "While I am here")
	require.Equal(t, http.StatusOK, status, says)
	w.Workspace.Kick("shoots", "ben")
	status, says = w.pins(page, "two", photo, 1, 1, "Still here?")
	require.Equal(t, http.StatusNotFound, status)
	require.Contains(t, says, "This link no longer works")
	require.NotContains(t, html.UnescapeString(string(w.get(page, http.StatusNotFound))), "While I am here")
}

// A photo takes twenty pins and a request a hundred: with more, nothing is changed.
func TestPinsHaveBounds(t *testing.T) {
	t.Parallel()
	inCheck(t)
	w := open(t)
	maria, ben := w.person("maria"), w.person("ben")
	_, page, photos := w.toMarkOn(maria, ben, "Crowded", 6)
	for n := range order.MaxPins + order.MaxPinsOfImage {
		photo := photos[n/order.MaxPinsOfImage]
		var status int
		var says string
		require.Eventually(t, func() bool {
			status, says = w.pins(page, fmt.Sprint("pin", n), photo, 500, 500, strings.Repeat("w", order.MaxPinWords))
			return status != http.StatusTooManyRequests
		}, patience, 100*time.Millisecond)
		if n < order.MaxPins {
			require.Equal(t, http.StatusOK, status, says)
			continue
		}
		require.Equal(t, http.StatusUnprocessableEntity, status)
		require.Contains(t, says, "a request 100")
	}
	maria.Sees("and 15 more pins")
	maria.Submit()
	maria.Sees("Changes requested")
	sent := 0
	for _, lines := range w.order().Revisions[0] {
		sent += len(lines)
	}
	require.Equal(t, order.MaxPins, sent)
	require.Len(t, w.order().Revisions[0], order.MaxPins/order.MaxPinsOfImage)
}
