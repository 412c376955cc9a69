package order_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"darkroom/order"
)

func TestLinesAreTheElementsOfAnArray(t *testing.T) {
	assert.Equal(t, []string{"a", "b c", "d"}, order.Lines(" a \r\n\n\tb c\rd"))
	assert.Nil(t, order.Lines(" \n "))
}
