//go:build !production

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/page"
)

// browser is a person at the demo's page who sees what a tab is told.
type browser struct {
	t           *testing.T
	base, where string
}

type tree = map[string]any

// openDemo starts the demo and returns its address and what ends it: that gives the exit
// code and all it printed.
func openDemo(t *testing.T, args ...string) (base string, end func() (int, string)) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	read, write := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, append([]string{"demo"}, args...), nil, strings.NewReader(""), write, write)
		_ = write.Close()
	}()
	lines := bufio.NewReader(read)
	first, err := lines.ReadString('\n')
	require.NoError(t, err)
	address, found := strings.CutPrefix(strings.TrimSpace(first), "Open ")
	require.True(t, found, first)
	rest := make(chan string, 1)
	go func() {
		all, _ := io.ReadAll(lines)
		rest <- string(all)
	}()
	return address, func() (int, string) {
		cancel()
		return <-code, first + <-rest
	}
}

// sees waits until the tab is told something that fits.
func (b browser) sees(what string, fits func(tree) bool) tree {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), 20*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, b.base+"/page/as/"+b.where, http.NoBody)
	require.NoError(b.t, err)
	answer, err := http.DefaultClient.Do(request)
	require.NoError(b.t, err)
	defer func() { _ = answer.Body.Close() }()
	lines, last := bufio.NewReader(answer.Body), ""
	for {
		line, err := lines.ReadString('\n')
		require.NoError(b.t, err, "never seen: %s in %s", what, last)
		if data, found := strings.CutPrefix(line, "data: "); found {
			var state tree
			require.NoError(b.t, json.Unmarshal([]byte(data), &state))
			if last = data; fits(state) {
				return state
			}
		}
	}
}

// do is an act of the person named.
func (b browser) do(who, act string, body tree) {
	b.t.Helper()
	status, said := b.tries(who, act, body)
	require.Equal(b.t, http.StatusOK, status, said)
}

// press presses a button of the newest message with these words; of one that is shown anew in that moment, again.
func (b browser) press(who, channel, words, button string) {
	b.t.Helper()
	status, said := http.StatusGone, ""
	for i := 0; status == http.StatusGone && i < 5; i++ {
		m := messageWith(b.sees(words, func(s tree) bool { return messageWith(s, words) != nil }), words)
		block, action := element(m["blocks"], button)
		status, said = b.tries(who, "act", tree{"target": tree{"channel": channel, "ts": m["ts"], "block": block, "action": action}})
	}
	require.Equal(b.t, http.StatusOK, status, said)
}

// tries does it, and tells how it was answered.
func (b browser) tries(who, act string, body tree) (status int, said string) {
	b.t.Helper()
	encoded, err := json.Marshal(body)
	require.NoError(b.t, err)
	request, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.base+"/page/as/"+who+"/"+act, bytes.NewReader(encoded))
	require.NoError(b.t, err)
	answer, err := http.DefaultClient.Do(request)
	require.NoError(b.t, err)
	defer func() { _ = answer.Body.Close() }()
	raw, err := io.ReadAll(answer.Body)
	require.NoError(b.t, err)
	return answer.StatusCode, string(raw)
}

// element is where the first element with the words as its label or text is.
func element(blocks any, words string) (block, action string) {
	for _, b := range asList(blocks) {
		inside := asList(b["elements"])
		for _, key := range []string{"element", "accessory"} {
			if e, ok := b[key].(tree); ok {
				inside = append(inside, e)
			}
		}
		for _, e := range inside {
			if textOf(b["label"]) == words || textOf(e["text"]) == words {
				return b["block_id"].(string), e["action_id"].(string)
			}
		}
	}
	return "", ""
}

func textOf(v any) string {
	o, _ := v.(tree)
	text, _ := o["text"].(string)
	return text
}

func asList(v any) []tree {
	var all []tree
	list, _ := v.([]any)
	for _, one := range list {
		if o, ok := one.(tree); ok {
			all = append(all, o)
		}
	}
	return all
}

// message returns the newest message with these words, or nil.
func messageWith(state tree, words string) tree {
	for _, m := range slices.Backward(asList(state["messages"])) {
		if whole, _ := json.Marshal(m); strings.Contains(string(whole), words) {
			return m
		}
	}
	return nil
}

func (b browser) click(view tree, label string) {
	b.t.Helper()
	block, action := element(view["blocks"], label)
	b.do("maria", "act", tree{"target": tree{"view": view["id"], "block": block, "action": action}})
}

func (b browser) fill(view tree, label, text string) {
	b.t.Helper()
	block, action := element(view["blocks"], label)
	require.NotEmpty(b.t, block, label)
	b.do("maria", "act", tree{
		"target": tree{"view": view["id"], "block": block, "action": action}, "state": tree{"type": "plain_text_input", "value": text},
	})
}

// modal waits for a modal with the title that has the field.
func (b browser) modal(title, label string) tree {
	b.t.Helper()
	return b.sees(title, func(s tree) bool {
		m, _ := s["modal"].(tree)
		block, _ := element(m["blocks"], label)
		return m["title"] == title && (label == "" || block != "")
	})["modal"].(tree)
}

func TestAWholeOrderIsLivedOnTheDemosPage(t *testing.T) {
	t.Parallel()
	base, end := openDemo(t, "--listen", "127.0.0.1:0")
	maria := browser{t, base, "maria/stream?channel=C0WEDDINGS"}
	picture := "http://" + pictureHost(t, base) + "/samples/beach.jpg"

	maria.do("maria", "command", tree{"channel": "C0WEDDINGS", "line": "/order new " + picture})
	form := maria.modal("New photo order", "Instructions")
	maria.fill(form, "Instructions", "Brighten the sky.")
	maria.click(form, "More Options")
	maria.fill(maria.modal("New photo order", "Project name"), "Project name", "Summer <catalogue>")
	maria.do("maria", "submit", tree{})
	maria.sees("placed", func(s tree) bool {
		whole, _ := json.Marshal(s["modal"])
		return strings.Contains(string(whole), "Order placed")
	})
	maria.do("maria", "close", tree{})

	maria.sees("the review, with a mark for Maria", func(s tree) bool {
		return messageWith(s, "Ready for review") != nil && asList(s["channels"])[1]["mention"] == true
	})
	maria.press("maria", "C0WEDDINGS", "Ready for review", "Approve")
	maria.sees("the card says it", func(s tree) bool { return messageWith(s, "Approved") != nil })

	olga := browser{t, base, "olga/stream?channel=C0WEDDINGS"}
	require.Nil(t, messageWith(olga.sees("her own channel", func(tree) bool { return true }), "Summer"))

	code, said := end()
	require.Zero(t, code, said)
	require.Contains(t, said, "Bye.")
}

// pictureHost is where the samples are: what the page may show pictures from says it.
func pictureHost(t *testing.T, base string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base, http.NoBody)
	require.NoError(t, err)
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	_, origins, _ := strings.Cut(answer.Header.Get("Content-Security-Policy"), "blob: http://")
	host, _, _ := strings.Cut(origins, " ")
	return host
}

func TestTheDemoFindsAnotherPortAndSaysSo(t *testing.T) {
	usual, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:"+page.Port)
	if err == nil {
		defer func() { _ = usual.Close() }()
	}
	base, end := openDemo(t)
	require.NotContains(t, base, ":"+page.Port)
	_, said := end()
	require.Contains(t, said, "Port "+page.Port+" is taken")
}
