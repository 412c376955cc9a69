package batch_test

import (
	"testing"

	"darkroom/cards/batch"
	"darkroom/cards/cardstest"
	"darkroom/store"

	"github.com/stretchr/testify/require"
)

func TestTheResultOfABatchIsALineAnOrderAndNoFormula(t *testing.T) {
	b := batchOf(cardstest.Of("=1+1", 3), 2)
	lines := cardstest.ReadCSV(t, batch.CSV(standOf(b, store.DraftPlaced, store.DraftRefused, store.DraftUnknown)))
	require.Len(t, lines, 1+3+1)
	require.Equal(t, []string{"2", "'=1+1 1 1/3", "50", "placed", "order0", "K7Q2XM", "https://acme.slack.com/archives/C0PHOTOS/p0", ""}, lines[1])
	require.Equal(t, "not placed", lines[2][3])
	require.Contains(t, lines[2][7], "not accessible")
	require.Equal(t, []string{"not known", "20"}, []string{lines[3][3], lines[3][2]})
	require.Equal(t, "3", lines[4][2], "its reference is not edited")
}
