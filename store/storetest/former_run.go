package storetest

import (
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
)

// formerRun is how versions of before 24 November 2026 note the run of Redis: by the server's process.
// The embedded Redis tells of none, so it gets a name that this version does not use.
var formerRun = redis.NewScript(`
local info = redis.pcall('INFO', 'server')
local id = 'process'
if type(info) ~= 'table' then
  local _, last = string.find(info, 'run_id:', 1, true)
  id = string.match(info, '^%x+', last + 1)
end
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local run = KEYS[1]
local known = redis.call('HMGET', run, 'id', 'since')
if known[1] == id then return id .. '@' .. known[2] end
local since = string.format('%.0f', math.max(now, tonumber(known[2] or 0) + 1))
redis.call('HSET', run, 'id', id, 'since', since)
return id .. '@' .. since
`)

// FormerRun notes the run of Redis as versions of before 24 November 2026 do, and returns its name.
func FormerRun(t *testing.T, rdb redis.Scripter) string {
	t.Helper()
	id, err := formerRun.Run(t.Context(), rdb, []string{"{darkroom}:run"}).Text()
	require.NoError(t, err)
	return id
}
