package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFiguresAreFilledInAndSentencesStay(t *testing.T) {
	const page = "# Title\n<!-- bench:a -->\nold\n<!-- /bench -->\nwords\n<!-- bench:b -->\n<!-- /bench -->\nend\n"
	filled, err := fill(page, map[string]string{"a": "| new |\n", "b": "more"})
	require.NoError(t, err)
	assert.Equal(t, "# Title\n<!-- bench:a -->\n| new |\n<!-- /bench -->\nwords\n<!-- bench:b -->\nmore\n<!-- /bench -->\nend\n", filled)
	again, err := fill(filled, map[string]string{"a": "| new |\n", "b": "more"})
	require.NoError(t, err)
	assert.Equal(t, filled, again)
	for _, broken := range []string{"<!-- bench:a -->\nno end", "<!-- bench:other -->\n<!-- /bench -->", "<!-- bench:a"} {
		_, err := fill(broken, map[string]string{"a": ""})
		require.Error(t, err)
	}
}

func TestThePageShowsTheFiguresThatAreKept(t *testing.T) {
	const docs = "../../docs"
	kept, err := readResults(docs)
	require.NoError(t, err)
	page, err := os.ReadFile(filepath.Join(docs, pageFile))
	require.NoError(t, err)
	filled, err := fill(string(page), kept.tables())
	require.NoError(t, err)
	assert.True(t, filled == string(page), "the tables are drawn from benchmarks.json: go run ./sandbox/bench -run none draws them anew")
}

func TestTheOtherPartsStayWhenOneIsMeasured(t *testing.T) {
	docs := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(docs, pageFile), []byte("<!-- bench:start -->\n<!-- /bench -->\n"), 0o600))
	first := &results{Measured: map[string]string{"start": "then"}, Start: &startResult{Binary: 5 << 20}}
	require.NoError(t, first.write(docs))
	second, err := readResults(docs)
	require.NoError(t, err)
	second.Open = &openResult{Clicks: 3}
	require.NoError(t, second.write(docs))
	third, err := readResults(docs)
	require.NoError(t, err)
	assert.Equal(t, int64(5<<20), third.Start.Binary)
	assert.Equal(t, 3, third.Open.Clicks)
	assert.Equal(t, "then", third.Measured["start"])
}
