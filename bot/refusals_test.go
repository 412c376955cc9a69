package bot_test

import (
	"net/http"
	"testing"

	"darkroom/bot"

	"github.com/stretchr/testify/require"
)

func TestWhatIsRefusedIsCountedByItsStatus(t *testing.T) {
	var told []int
	server := bot.NewServer(secret, bot.NewRouter(nil), nil)
	server.ObserveRefused(func(status int) { told = append(told, status) })
	serve(server, unsigned(t.Context(), bot.PathEvents, "application/json", eventBody))
	serve(server, unsigned(t.Context(), "/elsewhere", "application/json", eventBody))
	serve(server, signed(t, bot.PathEvents, "application/json", "{"))
	serve(server, signed(t, bot.PathEvents, "application/json", eventBody))
	require.Equal(t, []int{http.StatusUnauthorized, http.StatusNotFound, http.StatusBadRequest}, told)
}
