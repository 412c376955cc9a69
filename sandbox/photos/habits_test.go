package photos_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox/photos"
)

func TestAServiceMayHaveHabits(t *testing.T) {
	c := start(t, photos.Options{Manual: true, Habits: photos.Habits{Escapes: true, Latest: 2, Repeats: true, SameNumber: true}})
	o := c.reviewed(gallery(t) + "/beach.jpg")
	require.NoError(t, c.service.Say(o.ID, "earlier"))
	said := c.post("/orders/"+o.ID+"/message", fields{"content_text": "a & b"})
	assert.Contains(t, said.body, `"content":"a \u0026amp; b"`)
	assert.NotContains(t, said.body, "earlier")

	ask := map[string][]string{o.Images[0].ID: {"warmer"}}
	now := c.post("/orders/"+o.ID+"/revise", fields{"instructions": ask}).order(t)
	assert.Equal(t, "revising", now.Status)
	assert.Zero(t, now.Revision)
}
