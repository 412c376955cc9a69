package client

import (
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestACacheHoldsSoMuchForSoLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCache[int](time.Minute, 3)
		for i := range 5 {
			c.put(strconv.Itoa(i), i)
		}
		assert.Equal(t, 3, c.make().Len())
		<-time.After(40 * time.Second)
		value, age, ok := c.get("4")
		assert.Equal(t, []any{4, 40 * time.Second, true}, []any{value, age, ok})
		<-time.After(21 * time.Second)
		_, _, ok = c.get("4")
		assert.False(t, ok, "though it was asked for in between")
	})
}

func TestATurnThatIsHeldOutlivesThoseThatHaveCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cooldowns := newCooldowns()
		reserve := func(of string, every time.Duration) time.Duration {
			left, err := cooldowns.Reserve(t.Context(), of, every)
			assert.NoError(t, err)
			return left
		}
		assert.NoError(t, cooldowns.Block(t.Context(), "C1", time.Hour))
		assert.NoError(t, cooldowns.Block(t.Context(), "C1", time.Second))
		for i := range 3 * maxCooldowns {
			assert.Zero(t, reserve(strconv.Itoa(i), time.Second))
			<-time.After(time.Millisecond)
		}
		assert.Greater(t, reserve("C1", time.Second), 59*time.Minute)
		assert.LessOrEqual(t, cooldowns.until.make().Len(), maxCooldowns)
		assert.Positive(t, reserve(strconv.Itoa(3*maxCooldowns-1), time.Second))
		<-time.After(time.Hour)
		assert.Zero(t, reserve("C1", time.Second))
		assert.Equal(t, time.Second, cooldowns.left("C1"))
		assert.Equal(t, time.Second, reserve("C1", time.Second))
		<-time.After(time.Second)
		assert.Zero(t, reserve("C1", time.Second), "to the moment")
	})
}
