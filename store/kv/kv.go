// Package kv reads and writes the keys of one keyspace in Redis. It runs scripts on them, walks over them, and holds
// locks. It does not know what the keys mean.
package kv

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/store/keyspace"
	"darkroom/store/script"
)

//go:embed lua/*.lua
var luaFiles embed.FS

var scripts = script.Load(luaFiles)

// DB is a keyspace of a Redis, and the scripts that a package runs there.
type DB struct {
	Redis   redis.UniversalClient
	Space   keyspace.Keyspace
	Scripts script.Set
}

// Key names a key of the keyspace.
func (d DB) Key(parts ...string) string { return d.Space.Key(parts...) }

// Node returns the node that has these keys; a cluster's client would ask any node.
func (d DB) Node(ctx context.Context) (redis.Cmdable, error) {
	rdb := d.Redis
	if wrapped, is := rdb.(interface{ Unwrap() redis.UniversalClient }); is {
		rdb = wrapped.Unwrap()
	}
	if cluster, is := rdb.(*redis.ClusterClient); is {
		return cluster.MasterForKey(ctx, d.Key("active"))
	}
	return d.Redis, nil
}

// Script runs a script.
func (d DB) Script(ctx context.Context, name string, keys script.Keys, args script.Args) *redis.Cmd {
	return d.Scripts.Run(ctx, d.Redis, name, keys, args)
}

// Run runs a script that answers with one whole number.
func (d DB) Run(ctx context.Context, name string, keys script.Keys, args script.Args) (int, error) {
	return d.Script(ctx, name, keys, args).Int()
}

// ReadJSON reads a string of Redis as JSON; without a string it returns absent.
func (d DB) ReadJSON(ctx context.Context, key string, into any, absent error) error {
	doc, err := d.ReadDoc(ctx, key, into)
	if err == nil && doc == "" {
		return absent
	}
	return err
}

// ReadDoc decodes a string of Redis into the given value, and returns the string; "": no such key.
func (d DB) ReadDoc(ctx context.Context, key string, into any) (doc string, err error) {
	doc, err = d.Redis.Get(ctx, key).Result()
	if errors.Is(err, redis.Nil) {
		return "", nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(doc), into)
	}
	return doc, err
}

const pageSize = 50 // keys in one step of [DB.EachPage]

// EachPage calls page with the keys of a family, some at a time, each key at least once.
func (d DB) EachPage(ctx context.Context, family string, page func(ctx context.Context, keys []string) error) error {
	node, err := d.Node(ctx)
	for cursor := uint64(0); err == nil; {
		var keys []string
		keys, cursor, err = node.Scan(ctx, cursor, d.Key(family, "*"), pageSize).Result()
		if err == nil && len(keys) > 0 {
			err = page(ctx, keys)
		}
		if cursor == 0 {
			break
		}
	}
	return About("keys of", family, err)
}

// Acquire takes a key for a holder, or renews it, and reports whether the holder has it now.
func (d DB) Acquire(ctx context.Context, key, holder string, life time.Duration) (bool, error) {
	code, err := scripts.Run(ctx, d.Redis, "acquire", script.Keys{"key": key}, script.Args{"holder": holder, "life": life}).Int()
	return code == 1, err
}

// Replace sets a string to after if it equals before. before is "" for a missing key.
func (d DB) Replace(ctx context.Context, key, before, after string) (Result, error) {
	return d.ReplaceFor(ctx, key, before, after, 0)
}

// ReplaceFor is [DB.Replace] for a key that expires; a life of 0 is without end.
func (d DB) ReplaceFor(ctx context.Context, key, before, after string, life time.Duration) (Result, error) {
	code, err := scripts.Run(ctx, d.Redis, "replace", script.Keys{"key": key}, script.Args{"before": before, "after": after, "life": life}).Int()
	return Result(code), err
}

// AskAll asks the same of each name in one round trip. Without names it sends nothing.
func AskAll[C redis.Cmder](ctx context.Context, rdb redis.Cmdable, names []string, ask func(p redis.Pipeliner, name string) C) ([]C, error) {
	answers := make([]C, len(names))
	_, err := rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		for i, name := range names {
			answers[i] = ask(p, name)
		}
		return nil
	})
	return answers, err
}

// About wraps err with the kind and the name of its subject; nil stays nil.
func About(what, name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %s: %w", what, name, err)
}

// Encode returns v as JSON. It panics on types that JSON cannot hold, such as channels.
func Encode(v any) string {
	doc, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(doc)
}
