package photos_test

import (
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"darkroom/sandbox/photos"
)

// A server of net/http lets a connection linger for half a second after a
// truncated answer.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("net/http.(*conn).serve"))
}

func TestTheServiceAnswersBelowItsPrefix(t *testing.T) {
	c := start(t, photos.Options{})
	assert.JSONEq(t, `{"errors":[],"data":{"credits":100}}`, c.get("/account/balance", nil).body)
	c.base = strings.TrimSuffix(c.base, "/v2")
	assert.Equal(t, http.StatusNotFound, c.get("/elsewhere/orders", nil).status)
	assert.Equal(t, []string{"GET /elsewhere/orders"}, c.service.Unknown())
}

func TestUnknownPathsAndMethodsAreNotInTheServicesForm(t *testing.T) {
	c := start(t, photos.Options{})
	for _, request := range [][2]string{
		{"PUT", "/orders/create"},
		{"GET", "/orders/"},
		{"GET", "/orders/a/b"},
		{"POST", "/orders"},
		{"GET", "/files/x"},
	} {
		r := c.send(request[0], request[1], nil)
		assert.Equal(t, http.StatusNotFound, r.status, request)
		assert.NotContains(t, r.body, "errors")
	}
	assert.Len(t, c.service.Unknown(), 5)
	assert.Empty(t, c.service.Requests())
}

func TestALongRequestLineIsRefusedLikeAWebServerDoes(t *testing.T) {
	c := start(t, photos.Options{})
	r := c.post("/orders/x/message", fields{"content_text": strings.Repeat("é", 2000)})
	assert.Equal(t, http.StatusRequestURITooLong, r.status)
	assert.NotContains(t, r.body, "errors")
}

func TestTheLogHoldsNoSecret(t *testing.T) {
	c := start(t, photos.Options{})
	c.get("/orders", fields{"filter_keywords": []string{"garden"}, "page": "1"})
	log := c.service.Requests()
	require.Len(t, log, 1)
	assert.Equal(t, photos.List, log[0].Op)
	assert.Equal(t, "/v2/orders", log[0].Path)
	assert.Equal(t, http.StatusOK, log[0].Status)
	assert.Equal(t, `["garden"]`, log[0].Params["filter_keywords"])
	assert.Equal(t, "***", log[0].Params["api_key"])
	assert.Equal(t, "***", log[0].Params["signature"])
}

func TestOptionsThatDoNotExistPanic(t *testing.T) {
	assert.Panics(t, func() { photos.New(photos.Options{Signature: "perl"}) })
	assert.Panics(t, func() { photos.New(photos.Options{Params: "cookie"}) })
}

func TestAPortThatIsTakenIsAnError(t *testing.T) {
	c := start(t, photos.Options{})
	addr := strings.TrimSuffix(strings.TrimPrefix(c.base, "http://"), "/v2")
	c.service.Down()
	other, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", addr)
	require.NoError(t, err)
	require.Error(t, c.service.Up())
	require.NoError(t, other.Close())
}

func TestEverythingAtOnce(t *testing.T) {
	c := start(t, photos.Options{EditAfter: time.Millisecond})
	g := gallery(t)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			id := c.post("/orders/create", newOrder(g+"/album/beach.jpg")).order(c.t).ID
			c.post("/orders/"+id+"/message", fields{"content_text": "Hello"})
			c.post("/orders/"+id+"/approve", nil)
			c.get("/orders", nil)
			c.service.Misbehave(photos.Fetch, photos.ResetAfterCommit(), 1)
			c.get("/orders/"+id, nil)
			_ = c.service.Say(id, "Hello")
			_ = c.service.Pause(id)
			c.service.SetAutomatic(true)
			_ = c.service.Resume(id)
			c.service.Orders()
			c.service.Requests()
		})
	}
	group.Wait()
	require.Eventually(t, func() bool {
		for _, o := range c.service.Orders() {
			if o.Status != "reviewing" && o.Status != "closed" {
				return false
			}
		}
		return true
	}, 5*time.Second, time.Millisecond)
	assert.Equal(t, "92", c.service.Credits().String())
}
