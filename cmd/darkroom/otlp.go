package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/cenkalti/backoff/v5"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"darkroom/cmd/darkroom/config"
)

// collector sends spans to an OpenTelemetry collector; it is an [otlptrace.Client]. See
// https://opentelemetry.io/docs/specs/otlp/#otlphttp
type collector struct {
	address string
	headers http.Header
	http    *http.Client
	stop    context.CancelFunc
	stopped context.Context
}

// collectorTime is what one batch may take, its second try included.
const collectorTime = 10 * time.Second

func newCollector(address string, cfg config.Config) *collector {
	headers, _ := config.OTLPHeaders(cmp.Or(cfg.OTLPTracesHeaders, cfg.OTLPHeaders)) // validated
	c := &collector{address: address, headers: headers, http: &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // the headers are secrets
	}}
	c.stopped, c.stop = context.WithCancel(context.Background())
	return c
}

// Start implements [otlptrace.Client].
func (c *collector) Start(context.Context) error { return nil }

// Stop implements [otlptrace.Client].
func (c *collector) Stop(context.Context) error {
	c.stop()
	c.http.CloseIdleConnections()
	return nil
}

// UploadTraces implements [otlptrace.Client]. It retries when the collector asks for that, within
// [collectorTime].
func (c *collector) UploadTraces(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: spans}) // has the same encoding as the protocol's request
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, collectorTime)
	defer cancel()
	defer context.AfterFunc(c.stopped, cancel)()
	_, err = backoff.Retry(ctx, func() (struct{}, error) { return struct{}{}, c.send(ctx, body) },
		backoff.WithBackOff(backoff.NewExponentialBackOff()), backoff.WithMaxTries(3), backoff.WithMaxElapsedTime(collectorTime))
	return err
}

// send sends a batch once.
func (c *collector) send(ctx context.Context, body []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.address, bytes.NewReader(body))
	if err != nil {
		return backoff.Permanent(err)
	}
	req.Header = c.headers.Clone()
	req.Header.Set("Content-Type", "application/x-protobuf")
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()                                      //nolint:errcheck // read to its end or given up
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<20)) // so that the connection can be used again
	err = fmt.Errorf("%s answers %s", c.address, resp.Status)
	switch resp.StatusCode {
	case http.StatusOK, http.StatusAccepted, http.StatusNoContent:
		return nil
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		if seconds, wrong := strconv.Atoi(resp.Header.Get("Retry-After")); wrong == nil && seconds > 0 {
			return errors.Join(err, backoff.RetryAfter(seconds))
		}
		return err
	}
	return backoff.Permanent(err)
}
