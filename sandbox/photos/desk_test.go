package photos_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox/photos"
)

func TestOnlyTheNextWriteLosesItsAnswer(t *testing.T) {
	c := start(t, photos.Options{})
	g := gallery(t)
	c.service.LoseNextAnswer(true)
	c.get("/orders", nil)
	assert.True(t, c.service.LosesNextAnswer(), "a read is no write")
	wasReset(t, c.post("/orders/create", newOrder(g+"/album/beach.jpg")))
	assert.Len(t, c.service.Orders(), 1, "it was carried out")
	assert.False(t, c.service.LosesNextAnswer())
	c.post("/orders/create", newOrder(g+"/album/beach.jpg")).order(t)
}

func TestEveryPictureOfAnOrderCanBeLookedAt(t *testing.T) {
	c := start(t, photos.Options{})
	g := gallery(t)
	o := c.reviewed(g + "/beach.jpg")
	c.post("/orders/"+o.ID+"/refimages/create", fields{"images": [][]string{{g + "/logo.png", "this blue"}}}).order(t)
	before, err := c.service.Before(o.ID, 0)
	require.NoError(t, err)
	assert.Equal(t, c.download(g+"/beach.jpg"), string(before.Content))
	after, err := c.service.After(o.ID, o.Images[0].ID, false)
	require.NoError(t, err)
	assert.Equal(t, c.download(o.Images[0].Origin), string(after.Content))
	aside, err := c.service.Aside(o.ID, 0)
	require.NoError(t, err)
	assert.Equal(t, "image/png", aside.Kind)
	for _, n := range []int{-1, 1} {
		_, err = c.service.Before(o.ID, n)
		require.Error(t, err)
		_, err = c.service.Aside(o.ID, n)
		require.Error(t, err)
	}
	_, err = c.service.After(o.ID, "none", true)
	require.Error(t, err)
	_, err = c.service.Before("none", 0)
	require.Error(t, err)
}

func TestWhatTheEditorCanDoIsWhatSucceeds(t *testing.T) {
	c := start(t, photos.Options{EditAfter: time.Hour})
	acts := map[string]func(string) error{"deliver": c.service.Deliver, "pause": c.service.Pause, "resume": c.service.Resume}
	inState := map[string]func() string{
		"editing":   func() string { return c.named(gallery(t), "Editing") },
		"paused":    func() string { id := c.named(gallery(t), "Paused"); require.NoError(t, c.service.Pause(id)); return id },
		"reviewing": func() string { return c.reviewed(gallery(t) + "/beach.jpg").ID },
		"closed": func() string {
			id := c.reviewed(gallery(t) + "/beach.jpg").ID
			c.post("/orders/"+id+"/approve", nil)
			return id
		},
	}
	for state, reach := range inState {
		for name, do := range acts {
			id := reach()
			o, _ := c.service.Order(id)
			require.Equal(t, state, o.Status)
			err := do(id)
			assert.Equal(t, err == nil, slices.Contains(o.Can(), name), "%s while %s: %v", name, state, err)
		}
	}
}

func TestAChangeWakesWhoeverWatchesAndAReadDoesNot(t *testing.T) {
	c := start(t, photos.Options{Manual: true})
	id := c.named(gallery(t), "Harbor")
	for _, change := range []struct {
		name string
		act  func()
	}{
		{"say", func() { require.NoError(t, c.service.Say(id, "Hello")) }},
		{"automatic", func() { c.service.SetAutomatic(false) }},
		{"message", func() { c.post("/orders/"+id+"/message", fields{"content_text": "Hello"}) }},
		{"lose", func() { c.service.LoseNextAnswer(true) }},
		{"down", func() { c.service.Down() }},
		{"up", func() { require.NoError(t, c.service.Up()) }},
	} {
		changed := c.service.Changed()
		change.act()
		select {
		case <-changed:
		default:
			t.Error(change.name, "woke nobody")
		}
	}
	changed := c.service.Changed()
	c.get("/orders/"+id, nil)
	c.get("/orders", nil)
	select {
	case <-changed:
		t.Error("a read woke somebody")
	default:
	}
}
