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

// The service may be somebody else's: what a process holds of answers at once is bounded, and so is what one client does.
// Nobody who has room waits for a part of it that another has, and nearly all answers need but a middle one: services that send
// without end hold up each other.
const (
	maxBody    = 8 << 20          // bytes of an answer that are read
	smallBody  = 64 << 10         // of an answer that waits for nobody
	middleBody = 512 << 10        // of one that has a middle place
	middles    = 16               // places for answers of clients with the same connections
	larges     = 1                // of these may be larger
	partTime   = 10 * time.Second // in which each part arrives, once there is room
)

var (
	errTooLong = errors.New("an answer longer than 8 MB")
	errTooSlow = errors.New("a large answer that came too slowly")
)

// held are the places of all clients with the same connections.
type held struct{ middle, large *semaphore.Weighted }

func newHeld() held {
	return held{semaphore.NewWeighted(middles), semaphore.NewWeighted(larges)}
}

// room is where a client holds its answers: one at a time of those that are not small.
type room struct {
	shared held
	own    *semaphore.Weighted
}

func newRoom(shared *Connections) room { return room{shared.held, semaphore.NewWeighted(1)} }

// places are those that an answer has.
type places []*semaphore.Weighted

// take waits for one more.
func (p *places) take(ctx context.Context, of *semaphore.Weighted) error {
	err := of.Acquire(ctx, 1)
	if err == nil {
		*p = append(*p, of)
	}
	return err
}

// leave gives them back.
func (p *places) leave() {
	for _, of := range *p {
		of.Release(1)
	}
	*p = nil
}

// read reads the body of an answer, as far as it comes. It is held until done is called.
func (r room) read(ctx context.Context, resp *http.Response) (body []byte, done func(), err error) {
	var has places
	if resp.ContentLength > maxBody {
		return nil, has.leave, errTooLong
	}
	var all bytes.Buffer
	for _, part := range []struct {
		upTo  int
		needs []*semaphore.Weighted
	}{{smallBody, nil}, {middleBody, []*semaphore.Weighted{r.own, r.shared.middle}}, {maxBody, []*semaphore.Weighted{r.shared.large}}} {
		for _, place := range part.needs {
			if err := has.take(ctx, place); err != nil {
				return all.Bytes(), has.leave, err
			}
		}
		all.Grow(max(0, min(part.upTo, int(resp.ContentLength))+bytes.MinRead-all.Len())) // of a length that is told
		err = readPart(&all, resp.Body, part.upTo+1, part.needs != nil)
		if err != nil || all.Len() <= part.upTo {
			return all.Bytes(), has.leave, err
		}
	}
	return all.Bytes(), has.leave, errTooLong
}

// readPart reads on until there are so many bytes, or no more.
func readPart(into *bytes.Buffer, body io.ReadCloser, upTo int, inTime bool) error {
	var slow atomic.Bool
	if inTime {
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
