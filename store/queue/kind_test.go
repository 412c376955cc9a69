package queue_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/store/queue"
)

type args struct {
	Words string `json:"words"`
}

func asked() queue.Kind[args] {
	return queue.Kind[args]{
		Name: "greet", Asked: "greeting somebody",
		Work:  func(context.Context, *queue.Delivery, args) error { return nil },
		Truth: func(queue.DeadLetter) string { return "Nobody was greeted." },
	}
}

func TestAKindThatLacksSomethingIsNotDeclared(t *testing.T) {
	for what, spoil := range map[string]func(*queue.Kind[args]){
		"a name":           func(k *queue.Kind[args]) { k.Name = "" },
		"does it":          func(k *queue.Kind[args]) { k.Work = nil },
		"somebody asks":    func(k *queue.Kind[args]) { k.Asked = "" },
		"or nobody does":   func(k *queue.Kind[args]) { k.Unasked = true },
		"became of a dead": func(k *queue.Kind[args]) { k.Truth = nil },
	} {
		k := asked()
		spoil(&k)
		require.ErrorContains(t, new(queue.Registry).Add(k.Declare()), what)
	}
	var r queue.Registry
	require.NoError(t, r.Add(asked().Declare()))
	require.ErrorContains(t, r.Add(asked().Declare()), "twice")
	require.NoError(t, r.Add(queue.Kind[args]{Name: "tidy", Unasked: true, Work: asked().Work}.Declare()))
	require.Equal(t, []string{"greet", "tidy"}, r.Names())
}

func TestAKindReadsItsArguments(t *testing.T) {
	var heard []string
	k := asked()
	k.Work = func(_ context.Context, _ *queue.Delivery, a args) error {
		heard = append(heard, a.Words)
		return nil
	}
	k.Typed = func(a args) string { return "typed " + a.Words }
	k.Quiet = func(_ context.Context, a args) bool { return a.Words == "hush" }
	k.Died = func(_ context.Context, _ queue.DeadLetter, a args) bool { return a.Words == "told" }
	d := k.Declare()
	job := func(body string) queue.Job { return queue.Job{ID: "1", Kind: "greet", Body: json.RawMessage(body)} }

	require.NoError(t, d.Work(t.Context(), &queue.Delivery{Job: job(`{"words":"good day","later":1}`)}))
	require.Equal(t, []string{"good day"}, heard)
	require.Equal(t, "typed good day", d.Typed(job(`{"words":"good day"}`)))
	require.True(t, d.Quiet(t.Context(), job(`{"words":"hush"}`)))
	require.True(t, d.Died(t.Context(), queue.DeadLetter{Job: job(`{"words":"told"}`)}))

	for _, rubbish := range []string{`[]`, `"x"`, `{"words":7}`} {
		require.Error(t, d.Work(t.Context(), &queue.Delivery{Job: job(rubbish)}), rubbish)
		require.Empty(t, d.Typed(job(rubbish)))
		require.False(t, d.Quiet(t.Context(), job(rubbish)))
		require.False(t, d.Died(t.Context(), queue.DeadLetter{Job: job(rubbish)}))
	}
	require.Len(t, heard, 1)
	require.Nil(t, d.Blocked, "it stands behind no other")
}
