package photos_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox/photos"
)

func TestAServiceMaySendLinesWithoutEnd(t *testing.T) {
	c := start(t, photos.Options{})
	id := c.named(gallery(t), "Harbor")
	c.service.Misbehave(photos.Any, photos.Floods(100, 50), 2)
	said := map[string]bool{}
	for answer := range 2 {
		var orders []struct {
			Revision      int
			Conversations []struct{ Content string }
		}
		require.NoError(t, json.Unmarshal(c.get("/orders/"+id, nil).Data, &orders))
		require.Len(t, orders, 1)
		assert.Equal(t, answer+1, orders[0].Revision)
		require.Len(t, orders[0].Conversations, 100)
		for _, line := range orders[0].Conversations {
			said[line.Content] = true
			assert.Len(t, line.Content, 50)
		}
	}
	assert.Len(t, said, 200, "each is new")
	c.service.Misbehave(photos.Any, photos.Floods(100, 0), 2)
	assert.Equal(t, 100, strings.Count(c.get("/orders/"+id, nil).body, "{}"))
	assert.NotContains(t, c.get("/orders", nil).body, "conversations", "a list has none")
	assert.NotContains(t, c.get("/orders/"+id, nil).body, "conversations", "it behaves again")
}

func TestAPictureMayTrickle(t *testing.T) {
	c := start(t, photos.Options{})
	o := c.reviewed(gallery(t) + "/beach.jpg")
	whole := c.download(o.Images[0].Origin)
	c.service.Misbehave(photos.File, photos.Trickles(100), 1)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, o.Images[0].Origin, http.NoBody)
	require.NoError(t, err)
	response, err := c.http.Do(request)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	began, got := time.Now(), make([]byte, 1020)
	for read := 0; read < len(got); {
		n, err := response.Body.Read(got[read:])
		require.NoError(t, err)
		read += n
	}
	assert.Equal(t, whole[:1020], string(got))
	assert.Greater(t, time.Since(began), 150*time.Millisecond)
}
