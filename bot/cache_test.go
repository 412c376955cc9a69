package bot

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
		assert.Equal(t, 3, c.Len())
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
		turns := newTurns()
		turns.hold("C1", time.Hour)
		turns.hold("C1", time.Second)
		for i := range 3 * maxTurns {
			assert.Zero(t, turns.take(strconv.Itoa(i), time.Second))
			<-time.After(time.Millisecond)
		}
		assert.Greater(t, turns.take("C1", time.Second), 59*time.Minute)
		assert.LessOrEqual(t, turns.next.Len(), maxTurns)
		assert.Positive(t, turns.take(strconv.Itoa(3*maxTurns-1), time.Second))
		<-time.After(time.Hour)
		assert.Zero(t, turns.take("C1", time.Second))
		assert.Equal(t, time.Second, turns.left("C1"))
		assert.Equal(t, time.Second, turns.take("C1", time.Second))
		<-time.After(time.Second)
		assert.Zero(t, turns.take("C1", time.Second), "to the moment")
	})
}
