package doctor

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"darkroom/upstream"
)

func TestWhatTheServiceDidIsToldInWholeSentences(t *testing.T) {
	t.Parallel()
	assert.Contains(t, rateCheck(upstream.Findings{Requests: 1}, 5).Message, "One request was answered, in 0s, and not refused")
	assert.Contains(t, rateCheck(upstream.Findings{Requests: 1, Typical: 4 * time.Second}, 5).Message, "it took 4s to answer one request.")
	refused := signatureCheck(upstream.Findings{Reads: upstream.ReadsRefused, Words: []string{"Invalid signature."}})
	assert.Contains(t, refused.Message, "signed: “Invalid signature”.")
	unseen := parametersCheck(upstream.Findings{}, upstream.ErrMadeUpOrder)
	assert.Equal(t, "Where the parameters of POST and DELETE travel could not be looked at (the service reports success for an order that was made up).", unseen.Message)
}
