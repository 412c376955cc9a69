package queue

import (
	"context"
	"crypto/sha256"
	"errors"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// Where a job may be put: in the span of a request that is recorded, in one that is not, and where nothing
// is recorded at all.
func traced(t *testing.T) map[string]context.Context {
	t.Helper()
	id, err := trace.TraceIDFromHex("0af7651916cd43dd8448eb211c80319c")
	require.NoError(t, err)
	span, err := trace.SpanIDFromHex("b7ad6b7169203331")
	require.NoError(t, err)
	under := func(c trace.SpanContextConfig) context.Context {
		return trace.ContextWithSpanContext(t.Context(), trace.NewSpanContext(c))
	}
	return map[string]context.Context{
		"recorded":     under(trace.SpanContextConfig{TraceID: id, SpanID: span, TraceFlags: trace.FlagsSampled}),
		"not sampled":  under(trace.SpanContextConfig{TraceID: id, SpanID: span}),
		"not recorded": under(trace.SpanContextConfig{TraceID: id}),
	}
}

func TestAJobIsDoneInTheTraceThatItWasPutIn(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		for name, ctx := range traced(t) {
			q := newQueue(t, rdb, Options{})
			_, err := q.Put(ctx, job("a/"+name))
			require.NoError(t, err)
			got := make(chan trace.SpanContext, 1)
			running(t, q, func(ctx context.Context, _ *Delivery) error {
				got <- trace.SpanContextFromContext(ctx)
				return nil
			})
			require.True(t, (<-got).Equal(trace.SpanContextFromContext(ctx).WithRemote(true)), name)
		}
	})
}

// The version before put jobs without a trace, and one that was put under none has none either.
func TestAJobThatCarriesNoTraceHasOneAndTheSameAtEachDelivery(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{})
		put(t, q, "a/old", "b/unput")
		require.NoError(t, rdb.HDel(t.Context(), q.space.key("job", "a/old"), "trace").Err())
		got := make(chan trace.SpanContext, 4)
		running(t, q, func(ctx context.Context, d *Delivery) error {
			if d.ID != "a/old" {
				return nil
			}
			got <- trace.SpanContextFromContext(ctx)
			if d.Deliveries == 1 {
				return errors.New("again")
			}
			return nil
		})
		first, second := <-got, <-got
		sum := sha256.Sum256([]byte("a/old"))
		require.Equal(t, trace.TraceID(sum[:16]), first.TraceID())
		require.True(t, first.Equal(second))
	})
}

func TestADeadJobIsToldOfInItsTrace(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		told := make(chan trace.TraceID, 1)
		q := newQueue(t, rdb, Options{OnDead: func(ctx context.Context, _ DeadLetter) error {
			told <- trace.SpanContextFromContext(ctx).TraceID()
			return nil
		}})
		ctx := traced(t)["recorded"]
		_, err := q.Put(ctx, job("a/1"))
		require.NoError(t, err)
		running(t, q, func(context.Context, *Delivery) error { return Dead(errors.New("no")) })
		require.Equal(t, trace.SpanContextFromContext(ctx).TraceID(), <-told)
	})
}

// Others read what we write: it is the header of the standard.
func TestWhatAJobCarriesIsATraceparent(t *testing.T) {
	for _, name := range []string{"recorded", "not sampled"} {
		ctx := traced(t)[name]
		header := propagation.MapCarrier{}
		propagation.TraceContext{}.Inject(ctx, header)
		require.Equal(t, header["traceparent"], traceOf(ctx))
		read := trace.SpanContextFromContext(propagation.TraceContext{}.Extract(t.Context(), header))
		require.True(t, read.Equal(trace.NewSpanContext(parseTrace(traceOf(ctx)))))
	}
	require.Empty(t, traceOf(t.Context()))
}

func TestWhatIsNoTraceIsNone(t *testing.T) {
	for _, text := range []string{
		"", "0", "00-", "nonsense", "00-00000000000000000000000000000000-0000000000000000-00", "{\"id\":\"0af7651916cd43dd8448eb211c80319c\"}, which is long",
		"00-0af7651916cd43dd8448eb211c80319X-b7ad6b7169203331-01", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01x",
	} {
		require.False(t, trace.NewSpanContext(parseTrace(text)).HasTraceID(), text)
	}
	later := parseTrace("01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-03-more")
	require.True(t, trace.NewSpanContext(later).IsSampled(), "a later version of the standard")
}
