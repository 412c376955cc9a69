package upstream

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

// The service may be somebody else's: what a process holds of answers at once is bounded, and so is what one client does.
const (
	maxBody   = 8 << 20          // bytes of an answer that are read
	smallBody = 64 << 10         // of an answer that waits for nobody
	mostHeld  = 2 * maxBody      // of larger ones that clients with the same connections hold at once
	largeTime = 10 * time.Second // in which a larger one arrives, once there is room
)

var (
	errTooLong = errors.New("an answer longer than 8 MB")
	errTooSlow = errors.New("a large answer that came too slowly")
)

// room is where large answers are held.
type room struct {
	all *semaphore.Weighted // shared with other clients
	own *semaphore.Weighted // a client holds one at a time
}

func newRoom(shared *Connections) room { return room{shared.held, semaphore.NewWeighted(1)} }

// take waits for room for so many bytes, which leave gives back.
func (r room) take(ctx context.Context, size int64) (leave func(), err error) {
	if err := r.own.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	if err := r.all.Acquire(ctx, size); err != nil {
		r.own.Release(1)
		return nil, err
	}
	return sync.OnceFunc(func() {
		r.all.Release(size)
		r.own.Release(1)
	}), nil
}

// read reads the body of an answer, as far as it comes. It is held until done is called.
func (r room) read(ctx context.Context, resp *http.Response) (body []byte, done func(), err error) {
	done = func() {}
	if resp.ContentLength > maxBody {
		return nil, done, errTooLong
	}
	head, err := io.ReadAll(io.LimitReader(resp.Body, smallBody+1))
	if err != nil || len(head) <= smallBody {
		return head, done, err
	}
	size := resp.ContentLength
	if size < 0 {
		size = maxBody
	}
	if done, err = r.take(ctx, size); err != nil {
		return head, func() {}, err
	}
	var slow atomic.Bool
	late := time.AfterFunc(largeTime, func() {
		slow.Store(true)
		_ = resp.Body.Close()
	})
	defer late.Stop()
	all := bytes.NewBuffer(head)
	all.Grow(max(0, int(resp.ContentLength)-len(head)) + bytes.MinRead)
	_, err = all.ReadFrom(io.LimitReader(resp.Body, int64(maxBody+1-len(head))))
	switch {
	case slow.Load():
		err = errTooSlow
	case all.Len() > maxBody:
		err = errTooLong
	}
	return all.Bytes(), done, err
}
