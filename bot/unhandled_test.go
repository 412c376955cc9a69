package bot_test

import (
	"testing"

	"darkroom/bot"

	"github.com/stretchr/testify/assert"
)

// An acknowledgement would close the modal and lose the typed text.
func TestAFormThatNobodyHandlesStaysOpen(t *testing.T) {
	r := bot.NewRouter(nil)
	body := mustJSON(t, r.Handle(t.Context(), aSubmit).Body)
	assert.Contains(t, body, `"response_action":"errors"`)
	assert.Contains(t, body, bot.Confirm)
	assert.Nil(t, r.Handle(t.Context(), bot.Request{Kind: bot.KindClose, Name: "new"}).Body)
}
