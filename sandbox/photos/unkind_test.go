package photos_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox/photos"
)

func TestANameIsCutWithoutAWord(t *testing.T) {
	c := start(t, photos.Options{Names: photos.Names{Limit: 50}})
	g := gallery(t)
	c.named(g, strings.Repeat("é", 49)+" and more [K7Q2XM]")
	c.named(g, "Short [K7Q2XM]")
	names := []string{c.list(nil).Data[0].ProjectName, c.list(nil).Data[1].ProjectName}
	assert.ElementsMatch(t, []string{strings.Repeat("é", 49), "Short [K7Q2XM]"}, names)
	assert.Equal(t, 1, c.list(fields{"filter_keywords": []string{"K7Q2XM"}}).Total)
}

func TestAServiceMayKeepNamesOfItsOwn(t *testing.T) {
	c := start(t, photos.Options{})
	named := func(parameter string, n photos.Names) string {
		t.Helper()
		c.service.SetNames(n)
		f := newOrder(gallery(t) + "/beach.jpg")
		f[parameter] = "Smith [K7Q2XM]"
		answered := c.post("/orders/create", f).order(t).ProjectName
		assert.Equal(t, answered, c.list(nil).Data[0].ProjectName)
		return answered
	}
	own := `^\w+ \w+ \d{4}$`
	assert.Equal(t, "Smith [K7Q2XM]", named("project_name", photos.Names{}))
	assert.Equal(t, "Smith [K7Q2XM]", named("name", photos.Names{}))
	assert.Equal(t, "Smit", named("project_name", photos.Names{Limit: 4}))
	assert.Regexp(t, own, named("project_name", photos.Names{Own: true}))
	assert.Regexp(t, own, named("project_name", photos.Names{Parameter: "name"}))
	assert.Equal(t, "Smith [K7Q2XM]", named("name", photos.Names{Parameter: "name"}))
}

func TestKeywordsMayBeRefused(t *testing.T) {
	c := start(t, photos.Options{NoKeywords: true})
	refused := c.get("/orders", fields{"filter_keywords": []string{"K7Q2XM"}})
	assert.Equal(t, []string{"filter_keywords is not available for this account"}, refused.Errors)
	assert.Empty(t, c.get("/orders", nil).Errors)
}

func TestOrdersThatLeaveMoveThePagesUp(t *testing.T) {
	c := start(t, photos.Options{Crowd: photos.Crowd{Size: 100}})
	before := c.list(nil)
	c.service.Misbehave(photos.List, photos.Leaves(3), 1)
	after := c.list(nil)
	assert.Equal(t, before.Total-3, after.Total)
	assert.Equal(t, before.Data[3].ID, after.Data[0].ID)
}

func TestARefusalThatIsALie(t *testing.T) {
	c := start(t, photos.Options{})
	c.service.Misbehave(photos.Create, photos.RefusesAfterCommit("insufficient balance: 2 credits"), 1)
	answer := c.post("/orders/create", newOrder(gallery(t)+"/beach.jpg"))
	require.Equal(t, []string{"insufficient balance: 2 credits"}, answer.Errors)
	assert.Len(t, c.service.Orders(), 1)
}
