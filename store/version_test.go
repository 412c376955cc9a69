package store_test

import (
	"context"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"

	"darkroom/store/storetest"
)

// telling is a hook that has a Redis tell of itself what it is told to.
type telling string

func (telling) DialHook(next redis.DialHook) redis.DialHook { return next }

func (telling) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func (says telling) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if info, is := cmd.(*redis.StringCmd); is && cmd.Name() == "info" {
			info.SetVal(string(says))
			return nil
		}
		return next(ctx, cmd)
	}
}

func TestAnOldRedisIsTold(t *testing.T) {
	t.Parallel()
	server := storetest.Start(t)
	for version, old := range map[string]bool{"5.0.14": true, "6.0.16": true, "6.2.0": false, "7.0.15": false, "8.0.2": false, "10.0.1": false, "": false, "unknown": false} {
		rdb := server.Client()
		rdb.AddHook(telling("# Server\r\nredis_version:" + version + "\r\nredis_mode:standalone\r\n"))
		says := newStore(rdb).Server.TooOld(t.Context())
		if old {
			assert.Contains(t, says, "This is Redis "+version+", which lacks XAUTOCLAIM")
			assert.Contains(t, says, "6.2 or newer")
		} else {
			assert.Empty(t, says, version)
		}
	}
}
