package review

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/files"
	"darkroom/order"
	"darkroom/store"
)

// drafts has the pins of one draft.
type drafts struct {
	pins  order.Pins
	err   error
	asked []store.Marking
	in    []string // workspaces
	set   []order.Pin
}

func (d *drafts) Draft(_ context.Context, _ store.Tracked, m store.Marking) (order.Pins, error) {
	d.asked = append(d.asked, m)
	return d.pins, d.err
}

func (d *drafts) Set(_ context.Context, _ store.Tracked, m store.Marking, pin order.Pin) (order.Pins, error) {
	d.asked, d.set = append(d.asked, m), append(d.set, pin)
	if d.err != nil {
		return nil, d.err
	}
	d.pins = append(d.pins, pin)
	return d.pins, nil
}

var marking = store.Marking{Order: "1042", Round: 1, Generation: 3, User: "U0MARIA", Number: 2, Window: "revise:abc", Pictures: "f00", Page: 1}

func markPath(s *files.Signer, m store.Marking, at time.Time) string {
	return strings.TrimPrefix(MarkAddress(s, m, at), base)
}

// sends posts a body to a link, as the page's script does.
func (r *rig) sends(path, body string, header ...string) *httptest.ResponseRecorder {
	r.t.Helper()
	req := httptest.NewRequestWithContext(r.t.Context(), http.MethodPost, path, strings.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	r.handler.ServeHTTP(w, req)
	return w
}

const aPin = `{"id":"one","photo":"e","x":100,"y":900,"words":" Remove the stain. "}`

// refused requires that a pin is not saved, and returns the reason.
func refused(t *testing.T, w *httptest.ResponseRecorder, status int) string {
	t.Helper()
	require.Equal(t, status, w.Code, w.Body.String())
	var said map[string]string
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &said))
	require.Len(t, said, 1)
	return said["error"]
}

func TestAPinIsSavedForThePersonOfTheLink(t *testing.T) {
	r := newRig(t)
	w := r.sends(markPath(r.signer, marking, noon), aPin)
	require.Equal(t, http.StatusOK, w.Code, w.Body.String())
	require.Equal(t, []order.Pin{{ID: "one", Edit: "e", X: 100, Y: 900, Words: "Remove the stain."}}, r.pins.set)
	require.Equal(t, []store.Marking{marking}, r.pins.asked)
	require.Equal(t, []string{""}, r.pins.in)
	require.JSONEq(t, `{"pins":[{"id":"one","photo":"e","x":100,"y":900,"words":"Remove the stain."}]}`, w.Body.String())
	require.Equal(t, "application/json", w.Header().Get("Content-Type"))
	require.Equal(t, "private, no-store", w.Header().Get("Cache-Control"))
	require.Equal(t, "no-referrer", w.Header().Get("Referrer-Policy"))
	require.Contains(t, w.Header().Get("Content-Security-Policy"), "default-src 'none'")
}

func TestThePageForPinsHasTheDraftAndMaySaveIt(t *testing.T) {
	r := newRig(t)
	r.pins.pins = order.Pins{{ID: "one", Edit: "e", X: 1, Y: 2, Words: `"><script>alert(1)</script>`}}
	w := r.ask(http.MethodGet, markPath(r.signer, marking, noon))
	require.Equal(t, http.StatusOK, w.Code)
	body := w.Body.String()
	assert.Contains(t, body, "<h1>Mark on the Pictures</h1>")
	assert.Contains(t, body, `data-photo="`+edit("c", "beach.jpg", 1).Edit()+`"`)
	assert.Contains(t, body, `&#34;words&#34;:&#34;\&#34;\u003e\u003cscript\u003e`)
	assert.NotContains(t, body, "<script>alert")
	assert.Contains(t, w.Header().Get("Content-Security-Policy"), "; connect-src 'self'")
	for _, secret := range []string{"Maria", "U0MARIA", "credit"} {
		assert.NotContains(t, body, secret)
	}
	compare := r.page()
	assert.NotContains(t, compare.Body.String(), `id="marks"`)
	assert.NotContains(t, compare.Header().Get("Content-Security-Policy"), "connect-src")
	assert.Contains(t, compare.Body.String(), "<h1>Compare</h1>")
}

func TestALinkForPinsNamesAPersonARoundAndADraftForTwoHours(t *testing.T) {
	s := signer(t, newKey)
	marking := marking
	marking.Round = 4
	token := strings.TrimPrefix(markPath(s.In("T7"), marking, noon), Path)
	for name, at := range map[string]time.Time{"at once": noon, "at the last second": noon.Add(2*time.Hour - time.Second)} {
		got, err := verify(s, token, at)
		require.NoError(t, err, name)
		require.Equal(t, marking, *got.marking, name)
		require.Equal(t, files.Bundle{Order: "1042", Round: 4, Generation: 3, Workspace: "T7"}, got.Bundle, name)
	}
	_, err := verify(s, token, noon.Add(2*time.Hour))
	require.ErrorIs(t, err, files.ErrExpired)
	_, err = verify(signer(t, otherKey), token, noon)
	require.ErrorIs(t, err, files.ErrForged)
	nobody := marking
	nobody.User = ""
	_, err = verify(s, strings.TrimPrefix(markPath(s, nobody, noon), Path), noon)
	require.ErrorIs(t, err, files.ErrForged)
	_, err = verify(s, s.Seal(markPurpose, []byte("{"), noon.Add(time.Hour)), noon)
	require.ErrorIs(t, err, files.ErrForged)
	long := marking
	long.Order = strings.Repeat("x", maxMarking)
	require.Empty(t, MarkAddress(s, long, noon))
}

// Whatever is wrong, the page keeps the text, and says what to do with it.
func TestAPinThatIsNotSavedSaysWhyAndWhatToDo(t *testing.T) {
	r := newRig(t)
	link := markPath(r.signer, marking, noon)
	const again = "Copy your text. In Slack, press Request Changes, then Mark on the Pictures."
	gone := refused(t, r.sends(flip(link, len(link)-6), aPin), http.StatusNotFound)
	assert.Contains(t, gone, again)
	assert.Equal(t, gone, refused(t, r.sends(r.link(), aPin), http.StatusNotFound), "a link that only compares")
	require.Zero(t, r.record.asked)
	for name, change := range map[string]func(o *store.Tracked){
		"untracked":     func(o *store.Tracked) { o.Untracked = true },
		"moved":         func(o *store.Tracked) { o.Owner.Generation++ },
		"another round": func(o *store.Tracked) { o.Order.Revision = new(int) },
		"approved":      func(o *store.Tracked) { o.Order.Status = order.StatusClosed },
	} {
		r.set(change)
		assert.Equal(t, gone, refused(t, r.sends(link, aPin), http.StatusNotFound), name)
	}
	r.set(func(*store.Tracked) {})
	r.now = noon.Add(MarkLife)
	assert.Equal(t, gone, refused(t, r.sends(link, aPin), http.StatusNotFound), "expired")
	r.now = noon
	require.Empty(t, r.pins.set, "nothing was saved")
	for _, c := range []struct {
		err    error
		status int
		says   string
	}{
		{store.ErrMayNotPin, http.StatusNotFound, gone},
		{store.ErrPinsSent, http.StatusConflict, "These changes were sent. " + again},
		{order.ErrManyPins, http.StatusUnprocessableEntity, "A photo takes 20 pins, a request 100. Remove one first."},
		{order.ErrPinWords, http.StatusUnprocessableEntity, "Write what to change, in 500 characters at most."},
		{order.ErrPinPlace, http.StatusUnprocessableEntity, "Its photo has a newer edit. " + again},
		{errors.New("no Redis"), http.StatusServiceUnavailable, "Your text is still here. Try again in a minute."},
	} {
		r.pins.err = c.err
		assert.Contains(t, refused(t, r.sends(link, aPin), c.status), c.says)
	}
	assert.Equal(t, 1, strings.Count(r.log.String(), "pin not saved"), "the log has what nobody can cause at will")
	assert.NotContains(t, r.log.String(), strings.TrimPrefix(link, Path))
}

func TestOnlyThePagesOwnScriptSavesPins(t *testing.T) {
	r := newRig(t)
	link := markPath(r.signer, marking, noon)
	for name, w := range map[string]*httptest.ResponseRecorder{
		"a form":                    r.sends(link, aPin, "Content-Type", "application/x-www-form-urlencoded"),
		"plain text":                r.sends(link, aPin, "Content-Type", "text/plain"),
		"no type":                   r.sends(link, aPin, "Content-Type", ""),
		"another site":              r.sends(link, aPin, "Sec-Fetch-Site", "cross-site"),
		"a subdomain":               r.sends(link, aPin, "Sec-Fetch-Site", "same-site"),
		"no JSON":                   r.sends(link, "{"),
		"no id":                     r.sends(link, `{"photo":"e","words":"w"}`),
		"a place that is no number": r.sends(link, `{"id":"1","photo":"e","x":"left","words":"w"}`),
		"endless":                   r.sends(link, `{"id":"1","words":"`+strings.Repeat("w", maxPinBody)+`"}`),
		"endless spaces":            r.sends(link, aPin+strings.Repeat(" ", maxPinBody)),
	} {
		refused(t, w, http.StatusUnprocessableEntity)
		require.Empty(t, r.pins.set, name)
	}
	w := r.sends(link, aPin, "Sec-Fetch-Site", "")
	require.Equal(t, http.StatusOK, w.Code, "an older browser")
	w = r.sends(link, aPin, "Content-Type", "application/json; charset=utf-8")
	require.Equal(t, http.StatusOK, w.Code)
	longest := fmt.Sprintf(`{"id":"1","photo":"e","words":"%s"}`, strings.Repeat(`\ud83d\ude00`, order.MaxPinWords))
	require.Equal(t, http.StatusOK, r.sends(link, longest).Code, "each character escaped")
}

func TestAPageForPinsWhoseDraftWasSentShowsNothing(t *testing.T) {
	r := newRig(t)
	for _, err := range []error{store.ErrPinsSent, store.ErrMayNotPin} {
		r.pins.err = err
		w := r.ask(http.MethodGet, markPath(r.signer, marking, noon))
		require.Equal(t, http.StatusNotFound, w.Code)
		require.Contains(t, w.Body.String(), isOver)
		require.Contains(t, w.Body.String(), "press Request Changes")
	}
}

// A person has a share of their own: neither the readers of a page nor others keep them from saving.
func TestTooManyPinsAtOnceAreRefusedForOnePersonAlone(t *testing.T) {
	r := newRig(t)
	link, other := markPath(r.signer, marking, noon), marking
	other.User = "U0BEN"
	for range linkBurst {
		require.Equal(t, http.StatusOK, r.sends(link, aPin).Code)
	}
	says := refused(t, r.sends(link, aPin), http.StatusTooManyRequests)
	require.Contains(t, says, "Wait a moment")
	require.Equal(t, http.StatusOK, r.sends(markPath(r.signer, other, noon), aPin).Code)
	require.Equal(t, http.StatusOK, r.ask(http.MethodGet, r.link()).Code)

	crowd := newRig(t)
	require.True(t, crowd.handler.limits.all.AllowN(time.Now(), allBurst), "many look at other reviews")
	require.Equal(t, http.StatusServiceUnavailable, crowd.ask(http.MethodGet, crowd.link()).Code)
	require.Equal(t, http.StatusOK, crowd.sends(link, aPin).Code)
	require.True(t, crowd.handler.saves.all.AllowN(time.Now(), allBurst-1), "many set pins")
	require.Contains(t, refused(t, crowd.sends(link, aPin), http.StatusServiceUnavailable), "Try again in a minute.")
	require.Empty(t, crowd.log.String(), "nobody fills the log")
}

func TestALinkForPinsOfOneWorkspaceSavesNothingInAnother(t *testing.T) {
	r := newRig(t)
	r.record.orders = map[[2]string]store.Tracked{{"T1", "1042"}: reviewed(), {"T2", "1042"}: reviewed()}
	require.Equal(t, http.StatusOK, r.sends(markPath(r.signer.In("T2"), marking, noon), aPin).Code)
	require.Equal(t, []string{"T2"}, r.pins.in)
	refused(t, r.sends(markPath(r.signer.In("T3"), marking, noon), aPin), http.StatusNotFound)
}

func FuzzPin(f *testing.F) {
	for _, seed := range []string{aPin, "{}", "[]", `{"id":1}`, `{"id":"a","x":1e9}`, "\x00", strings.Repeat("{", 9000)} {
		f.Add(seed, "application/json")
	}
	f.Fuzz(func(t *testing.T, body, kind string) {
		req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, Path, strings.NewReader(body))
		req.Header.Set("Content-Type", kind)
		pin, err := decodePin(req)
		if err != nil {
			require.ErrorIs(t, err, order.ErrPinPlace)
			return
		}
		require.NotEmpty(t, pin.ID)
		require.LessOrEqual(t, len(pin.Words), maxPinBody)
	})
}
