package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// target is where requests go and what they are.
type target struct {
	addr     string
	template template
	from, to int64  // the numbers that requests may have; to 0: no end
	wants    []byte // what the body of a right answer holds; nil: anything
}

// outcome is what came of one measurement.
type outcome struct {
	answered int           // rightly
	wrong    int           // anything else
	why      error         // the first of them
	took     time.Duration // from the first request to the last answer
	latency  []time.Duration
	acked    []int64 // the numbers of those that were answered rightly
}

func (o outcome) perSecond() float64 { return float64(o.answered) / o.took.Seconds() }

// percentile is that of the latencies, which are sorted.
func (o outcome) percentile(p float64) time.Duration { return percentile(o.latency, p) }

// percentile is the smallest of these sorted values that p of all do not exceed.
func percentile(sorted []time.Duration, p float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	at := int(p * float64(len(sorted)))
	return sorted[min(at, len(sorted)-1)]
}

// connections are how many requests are under way at once.
const connections = 16

// closedLoop sends on each connection one request after the other for so long.
func closedLoop(ctx context.Context, t target, d time.Duration) outcome {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	return drive(ctx, t, func() (time.Time, bool) { return time.Now(), ctx.Err() == nil })
}

// openLoop sends so many requests a second, whether those before were answered or not: what no
// connection is free for waits, and that counts. They are let go each millisecond, a few at once.
func openLoop(ctx context.Context, t target, rate float64, d time.Duration) outcome {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	due := make(chan time.Time, int(rate*d.Seconds())+1)
	go func() {
		defer close(due)
		ticks := time.NewTicker(time.Millisecond)
		defer ticks.Stop()
		began, sent := time.Now(), 0
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticks.C:
			}
			now := time.Now()
			for ; sent < int(now.Sub(began).Seconds()*rate) && len(due) < cap(due); sent++ {
				due <- now
			}
		}
	}()
	return drive(context.WithoutCancel(ctx), t, func() (time.Time, bool) {
		select {
		case at, ok := <-due:
			return at, ok && ctx.Err() == nil
		case <-ctx.Done():
			return time.Time{}, false
		}
	})
}

// drive lets every connection send whenever next says so; its time is when the request was due.
func drive(ctx context.Context, t target, next func() (time.Time, bool)) outcome {
	var serial atomic.Int64
	serial.Store(t.from)
	took := make([]outcome, connections)
	var all sync.WaitGroup
	began := time.Now()
	for i := range took {
		all.Go(func() {
			c := &sender{target: t}
			defer c.close()
			for {
				at, more := next()
				n := serial.Add(1) - 1
				if !more || t.to > 0 && n >= t.to {
					return
				}
				if err := c.send(ctx, n); err != nil {
					took[i].wrong++
					if took[i].why == nil {
						took[i].why = err
					}
					continue
				}
				took[i].latency = append(took[i].latency, time.Since(at))
				took[i].acked = append(took[i].acked, n)
			}
		})
	}
	all.Wait()
	return together(took, time.Since(began))
}

func together(parts []outcome, took time.Duration) outcome {
	sum := outcome{took: took}
	for _, p := range parts {
		sum.wrong += p.wrong
		if sum.why == nil {
			sum.why = p.why
		}
		sum.latency = append(sum.latency, p.latency...)
		sum.acked = append(sum.acked, p.acked...)
	}
	sum.answered = len(sum.latency)
	slices.Sort(sum.latency)
	return sum
}

// sender is one connection that is kept, with the request that is written over again and again.
type sender struct {
	target

	conn    net.Conn
	in      *bufio.Reader
	mac     hash.Hash
	request []byte // head and body
	body    []byte // of request
	stamp   []byte // of request: ten digits
	sign    []byte // of request: 64 hexadecimal digits
	answer  []byte
	sum     [sha256.Size]byte
}

// The places in the head that are written anew for each request.
const (
	stampMark = "0123456789"
	signMark  = "................................................................"
)

// connect dials, and builds the request once.
func (c *sender) connect(ctx context.Context) (err error) {
	dialer := net.Dialer{Timeout: 5 * time.Second}
	if c.conn, err = dialer.DialContext(ctx, "tcp", c.addr); err != nil {
		return err
	}
	c.in = bufio.NewReaderSize(c.conn, 32<<10)
	if c.request != nil {
		return nil
	}
	c.mac = hmac.New(sha256.New, []byte(signingSecret))
	head := "POST " + c.template.path + " HTTP/1.1\r\nHost: " + c.addr + "\r\nUser-Agent: Slackbot 1.0 (+https://api.slack.com/robots)\r\n" +
		"Accept-Encoding: gzip,deflate\r\nAccept: application/json,*/*\r\nContent-Type: application/x-www-form-urlencoded\r\n" +
		"X-Slack-Request-Timestamp: " + stampMark + "\r\nX-Slack-Signature: v0=" + signMark + "\r\n" +
		"Content-Length: " + strconv.Itoa(len(c.template.body)) + "\r\n\r\n"
	c.request = append([]byte(head), c.template.body...)
	c.body = c.request[len(head):]
	c.stamp = c.request[bytes.Index(c.request, []byte(stampMark)):][:len(stampMark)]
	c.sign = c.request[bytes.Index(c.request, []byte(signMark)):][:len(signMark)]
	return nil
}

func (c *sender) close() {
	if c.conn != nil {
		_ = c.conn.Close()
	}
	c.conn = nil
}

// send sends the n-th request, signed at this moment, and judges the answer. A connection that
// went wrong is made anew by the next.
func (c *sender) send(ctx context.Context, n int64) error {
	if c.conn == nil {
		if err := c.connect(ctx); err != nil {
			c.close()
			return err
		}
	}
	c.template.write(c.body, n)
	c.signNow(time.Now())
	err := c.conn.SetDeadline(time.Now().Add(10 * time.Second))
	if err == nil {
		_, err = c.conn.Write(c.request)
	}
	var status int
	if err == nil {
		status, c.answer, err = readAnswer(c.in, c.answer[:0])
	}
	switch {
	case err != nil:
		c.close()
	case status != 200:
		err = fmt.Errorf("status %d: %.200s", status, c.answer)
	case !bytes.Contains(c.answer, c.wants):
		err = fmt.Errorf("a wrong answer: %.300s", c.answer)
	}
	return err
}

// signNow writes the timestamp and Slack's signature.
func (c *sender) signNow(now time.Time) {
	strconv.AppendInt(c.stamp[:0], now.Unix(), 10)
	c.mac.Reset()
	_, _ = c.mac.Write([]byte("v0:")) // a hash never fails
	_, _ = c.mac.Write(c.stamp)
	_, _ = c.mac.Write([]byte(":"))
	_, _ = c.mac.Write(c.body)
	hex.Encode(c.sign, c.mac.Sum(c.sum[:0]))
}

// errAnswer is an answer that is no HTTP.
var errAnswer = errors.New("not understood as an answer of HTTP")

// readAnswer reads one answer and appends its body to into. It knows as much of HTTP as the
// servers here speak: net/http's own reader would cost the generator more than the request.
func readAnswer(in *bufio.Reader, into []byte) (status int, body []byte, err error) {
	line, err := in.ReadSlice('\n')
	if err != nil {
		return 0, into, err
	}
	if len(line) < 12 {
		return 0, into, errAnswer
	}
	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, into, errAnswer
	}
	length, chunked := 0, false
	for {
		if line, err = in.ReadSlice('\n'); err != nil {
			return 0, into, err
		}
		name, value, more := bytes.Cut(bytes.TrimSpace(line), []byte(":"))
		switch {
		case !more:
			if chunked {
				body, err = readChunks(in, into)
			} else {
				body, err = readSome(in, into, length)
			}
			return status, body, err
		case bytes.EqualFold(name, []byte("content-length")):
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return 0, into, errAnswer
			}
		case bytes.EqualFold(name, []byte("transfer-encoding")):
			chunked = true
		}
	}
}

// readSome appends the next n bytes.
func readSome(in *bufio.Reader, into []byte, n int) ([]byte, error) {
	if n < 0 || n > 1<<20 {
		return into, errAnswer
	}
	at := len(into)
	into = slices.Grow(into, n)[:at+n]
	_, err := io.ReadFull(in, into[at:])
	return into, err
}

func readChunks(in *bufio.Reader, into []byte) ([]byte, error) {
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return into, err
		}
		n, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 16, 32)
		if err != nil {
			return into, errAnswer
		}
		if into, err = readSome(in, into, int(n)); err != nil {
			return into, err
		}
		if _, err := in.Discard(len("\r\n")); n == 0 || err != nil {
			return into, err
		}
	}
}
