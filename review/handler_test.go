package review

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
)

const isOver = "<h1>This link no longer works</h1>"

// Nobody learns from the answer what is wrong with a link.
func TestALinkThatShowsNothingGetsOneAnswerWhateverIsWrong(t *testing.T) {
	r := newRig(t)
	link := r.link()
	forged := r.ask(http.MethodGet, flip(link, len(link)-6))
	require.Equal(t, http.StatusNotFound, forged.Code)
	require.Contains(t, forged.Body.String(), isOver)
	require.Contains(t, forged.Body.String(), "Nothing is lost.")
	require.Zero(t, r.record.asked, "nothing is read for a forged link")

	refused := func(name, path string) {
		t.Helper()
		w := r.ask(http.MethodGet, path)
		assert.Equal(t, forged.Code, w.Code, name)
		assert.Equal(t, forged.Body.String(), w.Body.String(), name)
		assert.Equal(t, forged.Header(), w.Header(), name)
	}
	refused("none", Path)
	refused("cut", link[:len(link)-3])
	for name, change := range map[string]func(o *store.Tracked){
		"untracked": func(o *store.Tracked) { o.Untracked = true },
		"moved":     func(o *store.Tracked) { o.Owner.Generation++ },
		"a newer round": func(o *store.Tracked) {
			third := 2
			o.Order.Revision = &third
		},
		"a round before":    func(o *store.Tracked) { o.Order.Revision = new(int) },
		"gone":              func(o *store.Tracked) { o.Gone = true },
		"approved":          func(o *store.Tracked) { o.Order.Status = order.StatusClosed },
		"canceled":          func(o *store.Tracked) { o.Order.Status = order.StatusCanceled },
		"changes requested": func(o *store.Tracked) { o.Order.Status = order.StatusRevising },
	} {
		r.set(change)
		refused(name, link)
	}
	r.set(func(*store.Tracked) {})
	require.Equal(t, http.StatusOK, r.ask(http.MethodGet, link).Code)
	r.now = noon.Add(Life)
	refused("expired", link)
	r.now = noon
	delete(r.record.orders, [2]string{"", "1042"})
	refused("unknown, or the workspace has removed the app", link)
	assert.Empty(t, r.log.String(), "nobody fills the log")
}

func TestALinkOfOneWorkspaceShowsNothingOfAnotherWithEqualIDs(t *testing.T) {
	r := newRig(t)
	north, south := reviewed(), reviewed()
	south.Order.EditedImages = []order.EditedImage{edit("s", "southern.jpg", 1)}
	r.record.orders = map[[2]string]store.Tracked{{"T1", "1042"}: north, {"T2", "1042"}: south}
	ask := func(workspace string) *httptest.ResponseRecorder {
		return r.ask(http.MethodGet, strings.TrimPrefix(Address(r.signer.In(workspace), north, r.now), base))
	}
	assert.Contains(t, ask("T1").Body.String(), "beach.jpg")
	assert.Contains(t, ask("T2").Body.String(), "southern.jpg")
	assert.Contains(t, ask("T3").Body.String(), isOver)
	assert.Contains(t, ask("TGONE").Body.String(), isOver, "it has removed the app")
	assert.Contains(t, ask("").Body.String(), isOver)
}

func TestEveryAnswerIsPrivateAndTellsNobody(t *testing.T) {
	r := newRig(t)
	r.record.err = nil
	link := r.link()
	for name, path := range map[string]string{"page": link, "refusal": Path + "forged", "script": Path + "compare.js", "style": Path + "compare.css"} {
		w := r.ask(http.MethodGet, path)
		h := w.Header()
		assert.Equal(t, "no-referrer", h.Get("Referrer-Policy"), name)
		assert.Contains(t, h.Get("X-Robots-Tag"), "noindex", name)
		assert.Equal(t, "nosniff", h.Get("X-Content-Type-Options"), name)
		assert.Equal(t, "private, no-store", h.Get("Cache-Control"), name)
		policy := h.Get("Content-Security-Policy")
		for _, has := range []string{"default-src 'none';", "script-src 'self';", "style-src 'self';", "base-uri 'none';", "form-action 'none';", "frame-ancestors 'none'"} {
			assert.Contains(t, policy, has, name)
		}
		assert.NotContains(t, policy, "unsafe", name)
	}
	page := r.ask(http.MethodGet, link)
	assert.Equal(t, "text/html; charset=utf-8", page.Header().Get("Content-Type"))
	for _, inline := range []string{"<style", "style=", "<script>", " onclick", "javascript:"} {
		assert.NotContains(t, page.Body.String(), inline)
	}
	head := r.ask(http.MethodHead, link)
	assert.Equal(t, http.StatusOK, head.Code)
	assert.Equal(t, page.Header(), head.Header())
}

func TestAPageThatComparesIsOnlyRead(t *testing.T) {
	r := newRig(t)
	for _, method := range []string{http.MethodPut, http.MethodDelete, http.MethodOptions, http.MethodPatch} {
		w := r.ask(method, r.link())
		assert.Equal(t, http.StatusMethodNotAllowed, w.Code, method)
		assert.Equal(t, "GET, HEAD, POST", w.Header().Get("Allow"), method)
		assert.Equal(t, "no-referrer", w.Header().Get("Referrer-Policy"), method)
	}
	assert.Equal(t, http.StatusMethodNotAllowed, r.ask(http.MethodPost, Path+"compare.js").Code)
	assert.Zero(t, r.record.asked)
}

func TestAPageCostsOneRead(t *testing.T) {
	r := newRig(t)
	r.page()
	require.Equal(t, 1, r.record.asked)
}

// A browser keeps the script and the style for as long as pages name them, and never those of another version.
func TestTheFilesOfThePageAreKeptByTheirVersion(t *testing.T) {
	r := newRig(t)
	page := r.page().Body.String()
	for file, kind := range map[string]string{"compare.js": "text/javascript", "compare.css": "text/css", "compare.svg": "image/svg+xml"} {
		require.Contains(t, page, `"`+file+"?v="+pageVersion+`"`)
		w := r.ask(http.MethodGet, Path+file+"?v="+pageVersion)
		assert.Equal(t, http.StatusOK, w.Code)
		assert.NotEmpty(t, w.Body.String())
		assert.Contains(t, w.Header().Get("Content-Type"), kind)
		assert.Contains(t, w.Header().Get("Cache-Control"), "immutable")
		assert.Equal(t, "private, no-store", r.ask(http.MethodGet, Path+file+"?v=0").Header().Get("Cache-Control"))
	}
	assert.Equal(t, http.StatusOK, r.ask(http.MethodGet, "/dark"+Path+"compare.js").Code, "a proxy may leave the path of PUBLIC_URL")
	assert.Equal(t, http.StatusOK, r.ask(http.MethodGet, "/dark"+r.link()).Code)
}

func TestAnOutageIsSaidAndLoggedWithoutTheLink(t *testing.T) {
	r := newRig(t)
	r.record.err = errors.New("redis is away")
	link := r.link()
	w := r.ask(http.MethodGet, link)
	assert.Equal(t, http.StatusServiceUnavailable, w.Code)
	assert.Contains(t, w.Body.String(), "I cannot read this order right now")
	assert.Contains(t, w.Body.String(), "Nothing is lost.")
	assert.NotContains(t, w.Body.String(), "redis is away")
	assert.Equal(t, "30", w.Header().Get("Retry-After"))
	assert.Contains(t, r.log.String(), "redis is away")
	assert.Contains(t, r.log.String(), "order=1042")
	assert.NotContains(t, r.log.String(), strings.TrimPrefix(link, Path)[:20])
}

func TestABrowserThatHasGoneIsNotAnsweredAndNotLogged(t *testing.T) {
	r := newRig(t)
	ctx, leave := context.WithCancel(t.Context())
	r.record.during = func(context.Context) { leave() }
	r.record.err = context.Canceled
	w := httptest.NewRecorder()
	r.handler.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, r.link(), http.NoBody))
	assert.Empty(t, w.Body.String())
	assert.Empty(t, r.log.String())
}

func TestARecordThatDoesNotAnswerIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.record.during = func(ctx context.Context) {
			<-ctx.Done()
			r.record.err = ctx.Err()
		}
		began := time.Now()
		assert.Equal(t, http.StatusServiceUnavailable, r.ask(http.MethodGet, r.link()).Code)
		assert.Equal(t, readTime, time.Since(began))
	})
}

// Somebody who asks for one review without end gets a few pages a second, and leaves the other reviews theirs.
func TestAReviewIsReadAFewTimesASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		codes := map[int]int{}
		var last *httptest.ResponseRecorder
		for range 200 {
			last = r.ask(http.MethodGet, r.link())
			codes[last.Code]++
		}
		assert.Equal(t, map[int]int{http.StatusOK: linkBurst, http.StatusTooManyRequests: 200 - linkBurst}, codes)
		assert.Equal(t, linkBurst, r.record.asked)
		assert.Contains(t, last.Body.String(), "Reload this page in a minute.")
		assert.Equal(t, "30", last.Header().Get("Retry-After"))
		assert.Empty(t, r.log.String(), "anyone with a link can cause any number of these")

		other := reviewed()
		other.ID = "1043"
		r.record.orders[[2]string{"", "1043"}] = other
		assert.Equal(t, http.StatusOK, r.ask(http.MethodGet, strings.TrimPrefix(Address(r.signer, other, r.now), base)).Code)
		<-time.After(time.Second)
		codes = map[int]int{}
		for range 50 {
			codes[r.ask(http.MethodGet, r.link()).Code]++
		}
		assert.Equal(t, linkRate, codes[http.StatusOK])
	})
}

func TestAllReviewsTogetherAreReadABoundedNumberOfTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		codes := map[int]int{}
		for i := range 3 * allBurst {
			o := reviewed()
			o.ID = strings.Repeat("7", i+1)[:min(i+1, 200)]
			o.Owner.Generation = i
			r.record.orders[[2]string{"", o.ID}] = o
			codes[r.ask(http.MethodGet, strings.TrimPrefix(Address(r.signer, o, r.now), base)).Code]++
		}
		assert.Equal(t, map[int]int{http.StatusOK: allBurst, http.StatusServiceUnavailable: 2 * allBurst}, codes)
		assert.Empty(t, r.log.String())
	})
}

func TestFewPagesAreReadAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		var mu sync.Mutex
		at, most := 0, 0
		goOn := make(chan struct{})
		r.record.during = func(context.Context) {
			mu.Lock()
			at++
			most = max(most, at)
			mu.Unlock()
			<-goOn
			mu.Lock()
			at--
			mu.Unlock()
		}
		link := r.link()
		codes := make(chan int, 12)
		for range 12 {
			go func() { codes <- r.ask(http.MethodGet, link).Code }()
		}
		synctest.Wait()
		assert.Equal(t, atOnce, most)
		close(goOn)
		for range 12 {
			assert.Equal(t, http.StatusOK, <-codes, "who waits comes next")
		}
		assert.Equal(t, atOnce, most)

		goOn = make(chan struct{})
		for range atOnce {
			go func() { codes <- r.ask(http.MethodGet, link).Code }()
		}
		synctest.Wait()
		late := r.ask(http.MethodGet, link)
		assert.Equal(t, http.StatusServiceUnavailable, late.Code)
		assert.Contains(t, late.Body.String(), "Too many people look at photos right now")
		close(goOn)
		for range atOnce {
			<-codes
		}
	})
}

// Over real HTTP, a HEAD has no body.
func TestHEADHasTheHeadersAlone(t *testing.T) {
	r := newRig(t)
	server := httptest.NewServer(r.handler)
	defer server.Close()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodHead, server.URL+r.link(), http.NoBody)
	require.NoError(t, err)
	resp, err := server.Client().Do(req)
	require.NoError(t, err)
	defer func() { require.NoError(t, resp.Body.Close()) }()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	assert.Empty(t, body)
	assert.Equal(t, "noindex, nofollow, noarchive", resp.Header.Get("X-Robots-Tag"))
}
