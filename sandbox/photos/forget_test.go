package photos_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox/photos"
)

func TestForgottenOrdersAreInvalidIDsAndInNoList(t *testing.T) {
	c := start(t, photos.Options{Crowd: photos.Crowd{Size: 30}})
	g := gallery(t)
	first, second := c.named(g, "first"), c.named(g, "second")
	others := c.list(nil).Total - 2
	c.service.Forget()
	for _, id := range []string{first, second} {
		c.get("/orders/"+id, nil).refused(t, "invalid order id")
		c.post("/orders/"+id+"/approve", nil).refused(t, "invalid order id")
		c.post("/orders/"+id+"/message", fields{"content_text": "Hello"}).refused(t, "invalid order id")
		c.delete("/orders/cancel", fields{"order_id": id}).refused(t, "invalid order id")
	}
	assert.Equal(t, others, c.list(nil).Total, "the crowd is there")
	third := c.named(g, "third")
	assert.Equal(t, []string{"third"}, c.list(nil).names()[:1], "what is placed meanwhile is known")
	c.get("/orders/"+third, nil).order(t)
	c.service.Remember(first)
	c.get("/orders/"+first, nil).order(t)
	c.service.Forget(third)
	c.get("/orders/"+third, nil).refused(t, "invalid order id")
	c.service.Remember()
	assert.Equal(t, others+3, c.list(nil).Total)
	assert.Len(t, c.service.Orders(), 3, "they were there all the time")
}

func TestAnUndatedOrderKeepsItsPlace(t *testing.T) {
	c := start(t, photos.Options{})
	g := gallery(t)
	id := c.named(g, "undated")
	c.named(g, "later")
	require.NoError(t, c.service.Undate(id))
	require.Error(t, c.service.Undate("x"))
	assert.Equal(t, []string{"later", "undated"}, c.list(nil).names())
	assert.Empty(t, c.list(nil).Data[1].OrderedAt)
	assert.Empty(t, c.get("/orders/"+id, nil).order(t).OrderedAt)
}
