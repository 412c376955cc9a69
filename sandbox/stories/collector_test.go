package stories

import (
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// collector takes traces as an OpenTelemetry collector does.
type collector struct {
	*httptest.Server
	mu      sync.Mutex
	spans   []*span
	bytes   []byte // all that was sent
	headers http.Header
	deaf    chan struct{} // closed: it answers
	refuses bool          // it takes nothing
	refused int           // batches
}

// span is one that was sent, and which replica sent it.
type span struct {
	*tracepb.Span
	replica string
}

// collect starts a collector; environ is what the app needs to find it.
func collect(t *testing.T) (c *collector, environ []string) {
	t.Helper()
	c = &collector{deaf: make(chan struct{})}
	close(c.deaf)
	c.Server = httptest.NewServer(c)
	t.Cleanup(c.Close)
	return c, []string{
		"OTEL_EXPORTER_OTLP_ENDPOINT=" + c.URL, "OTEL_EXPORTER_OTLP_HEADERS=authorization=Bearer%20s3cret",
		"OTEL_BSP_SCHEDULE_DELAY=50", "OTEL_RESOURCE_ATTRIBUTES=deployment.environment.name=story",
	}
}

// ServeHTTP takes a batch.
func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case <-c.deaf:
	case <-r.Context().Done():
		return
	}
	body, err := io.ReadAll(r.Body)
	var batch tracepb.TracesData
	if err == nil {
		err = proto.Unmarshal(body, &batch)
	}
	if err != nil || r.URL.Path != "/v1/traces" || r.Header.Get("Content-Type") != "application/x-protobuf" {
		http.Error(w, "no traces", http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.refuses {
		c.refused++
		http.Error(w, "who are you?", http.StatusForbidden)
		return
	}
	c.headers, c.bytes = r.Header, append(c.bytes, body...)
	for _, from := range batch.ResourceSpans {
		for _, scope := range from.ScopeSpans {
			for _, s := range scope.Spans {
				c.spans = append(c.spans, &span{s, attribute(from.Resource.Attributes, "service.instance.id")})
			}
		}
	}
}

// attribute is one of them as text; "" when it is not there.
func attribute(all []*commonpb.KeyValue, key string) string {
	for _, a := range all {
		if a.Key != key {
			continue
		}
		switch v := a.Value.Value.(type) {
		case *commonpb.AnyValue_StringValue:
			return v.StringValue
		case *commonpb.AnyValue_IntValue:
			return fmt.Sprint(v.IntValue)
		case *commonpb.AnyValue_ArrayValue:
			var texts []string
			for _, one := range v.ArrayValue.Values {
				texts = append(texts, one.GetStringValue())
			}
			return strings.Join(texts, ",")
		}
	}
	return ""
}

func (s *span) attribute(key string) string { return attribute(s.Attributes, key) }

func (s *span) trace() string { return hex.EncodeToString(s.TraceId) }

// hasRefused tells how many batches it did not take.
func (c *collector) hasRefused() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.refused
}

// find are the spans of that name that have come so far.
func (c *collector) find(name string) (found []*span) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.spans {
		if s.Name == name {
			found = append(found, s)
		}
	}
	return found
}

// waits until a span of that name, and with such attributes, has come.
func (c *collector) waits(t *testing.T, name string, attributes ...string) (found *span) {
	t.Helper()
	require.Eventually(t, func() bool {
		for _, s := range c.find(name) {
			fits := true
			for i := 0; i < len(attributes); i += 2 {
				fits = fits && s.attribute(attributes[i]) == attributes[i+1]
			}
			if fits {
				found = s
			}
		}
		return found != nil
	}, patience, tick, "a span %q %v among\n%s", name, attributes, c)
	return found
}

// parent is the span that one hangs from; nil of the first.
func (c *collector) parent(s *span) *span {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.spans {
		if string(p.SpanId) == string(s.ParentSpanId) {
			return p
		}
	}
	return nil
}

// path are the names from the first span of the trace down to one.
func (c *collector) path(s *span) (names []string) {
	for ; s != nil; s = c.parent(s) {
		names = append(names, s.Name)
	}
	slices.Reverse(names)
	return names
}

// drawn are the attributes that a drawn tree shows.
var drawn = []string{
	"darkroom.outcome", "darkroom.order", "darkroom.events", "http.response.status_code", "slack.error",
	"darkroom.job.delivery", "darkroom.job.age_ms", "darkroom.job.again_in_ms",
}

// tree draws one trace.
func (c *collector) tree(trace string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var spans []*span
	there := map[string]bool{}
	for _, s := range c.spans {
		if s.trace() == trace {
			spans = append(spans, s)
			there[string(s.SpanId)] = true
		}
	}
	slices.SortFunc(spans, func(a, b *span) int { return int(int64(a.StartTimeUnixNano) - int64(b.StartTimeUnixNano)) }) //nolint:gosec // far from the end of time
	var b strings.Builder
	fmt.Fprintf(&b, "trace %s\n", trace)
	var draw func(parent, indent string)
	draw = func(parent, indent string) {
		for _, s := range spans {
			if string(s.ParentSpanId) != parent && (parent != "" || there[string(s.ParentSpanId)]) {
				continue
			}
			at := time.Duration(s.StartTimeUnixNano - spans[0].StartTimeUnixNano) //nolint:gosec // as above
			took := time.Duration(s.EndTimeUnixNano - s.StartTimeUnixNano)        //nolint:gosec // as above
			fmt.Fprintf(&b, "%8s %8s  %s%s", at.Round(time.Millisecond/10), took.Round(time.Millisecond/10), indent, s.Name)
			for _, key := range drawn {
				if value := s.attribute(key); value != "" {
					fmt.Fprintf(&b, "  %s=%s", key[strings.LastIndex(key, ".")+1:], value)
				}
			}
			b.WriteString("\n")
			draw(string(s.SpanId), indent+"  ")
		}
	}
	draw("", "")
	return b.String()
}

// String are the names of all spans.
func (c *collector) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var b strings.Builder
	for _, s := range c.spans {
		fmt.Fprintf(&b, "%s %s %v\n", s.trace()[:8], s.Name, s.Attributes)
	}
	return b.String()
}

// keepsSecrets requires that nothing of that was sent, whichever way it might be written.
func (c *collector) keepsSecrets(t *testing.T, secrets ...string) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	require.NotEmpty(t, c.bytes)
	for _, secret := range secrets {
		require.NotEmpty(t, secret)
		assert.NotContains(t, string(c.bytes), secret)
	}
}
