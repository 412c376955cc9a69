package upstream

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

// Bounds on the memory of answers, for a process and for each client, since a service may be untrusted. A small answer
// never waits. Nearly all others need only a middle slot, so services that send without end delay each other alone.
const (
	maxBody     = 8 << 20          // most bytes of an answer
	smallBody   = 64 << 10         // most bytes without a slot
	middleBody  = 512 << 10        // most bytes with a middle slot
	middleSlots = 16               // shared by clients with the same connections
	largeSlots  = 1                // as well
	partTime    = 10 * time.Second // within which each part must arrive, once it has its slots
)

var (
	errTooLong = errors.New("an answer longer than 8 MB")
	errTooSlow = errors.New("a large answer that came too slowly")
)

// bodySlots limits the answers that a client holds in memory at once.
type bodySlots struct {
	own           *semaphore.Weighted // one answer of the client that is not small
	middle, large *semaphore.Weighted // shared by clients with the same connections
}

// read reads the body of an answer as far as it comes. The body keeps its slots until done is called.
func (s bodySlots) read(ctx context.Context, resp *http.Response) (body []byte, done func(), err error) {
	var taken []*semaphore.Weighted
	done = func() {
		for _, slot := range taken {
			slot.Release(1)
		}
		taken = nil
	}
	if resp.ContentLength > maxBody {
		return nil, done, errTooLong
	}
	var all bytes.Buffer
	for _, part := range []struct {
		upTo  int
		slots []*semaphore.Weighted
	}{{smallBody, nil}, {middleBody, []*semaphore.Weighted{s.own, s.middle}}, {maxBody, []*semaphore.Weighted{s.large}}} {
		for _, slot := range part.slots {
			if err := slot.Acquire(ctx, 1); err != nil {
				return all.Bytes(), done, err
			}
			taken = append(taken, slot)
		}
		all.Grow(max(0, min(part.upTo, int(resp.ContentLength))+bytes.MinRead-all.Len())) // for a known length
		err = readPart(&all, resp.Body, part.upTo+1, part.slots != nil)
		if err != nil || all.Len() <= part.upTo {
			return all.Bytes(), done, err
		}
	}
	return all.Bytes(), done, errTooLong
}

// readPart reads until the buffer has upTo bytes or the body ends. A timed part must arrive within partTime.
func readPart(into *bytes.Buffer, body io.ReadCloser, upTo int, timed bool) error {
	var slow atomic.Bool
	if timed {
		late := time.AfterFunc(partTime, func() {
			slow.Store(true)
			_ = body.Close()
		})
		defer late.Stop()
	}
	_, err := into.ReadFrom(io.LimitReader(body, int64(upTo-into.Len())))
	if err != nil && slow.Load() {
		return errTooSlow
	}
	return err
}
