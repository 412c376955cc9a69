package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// results is all that was measured, each part when it was last run.
type results struct {
	Machine  machine           `json:"machine"`
	Measured map[string]string `json:"measured"` // by part: when
	Door     *doorResult       `json:"door,omitempty"`
	Open     *openResult       `json:"open,omitempty"`
	Start    *startResult      `json:"start,omitempty"`
	Poll     *pollResult       `json:"poll,omitempty"`
	Delivery *deliveryResult   `json:"delivery,omitempty"`
	Crowd    *crowdResult      `json:"crowd,omitempty"`
}

// The files in the folder of documents.
const (
	figuresFile = "benchmarks.json"
	pageFile    = "benchmarks.md"
)

// readResults reads what was measured before; nothing yet is no error.
func readResults(docs string) (*results, error) {
	r := &results{Measured: map[string]string{}}
	raw, err := os.ReadFile(filepath.Join(docs, figuresFile))
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err == nil {
		err = json.Unmarshal(raw, r)
	}
	return r, err
}

// write keeps the figures, and puts the tables into the page.
func (r *results) write(docs string) error {
	raw, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	page := filepath.Join(docs, pageFile)
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	filled, err := fill(string(text), r.tables())
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(filepath.Join(docs, figuresFile), append(raw, '\n'), 0o644), os.WriteFile(page, []byte(filled), 0o644))
}

// fill puts each text between its markers, <!-- bench:name --> and <!-- /bench -->. All else of
// the page stays. A marker of no text, or one without its end, is an error.
func fill(page string, texts map[string]string) (string, error) {
	const begin, end = "<!-- bench:", "<!-- /bench -->"
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(page, begin)
		out.WriteString(before)
		if !found {
			return out.String(), nil
		}
		name, rest, named := strings.Cut(rest, " -->")
		_, after, ended := strings.Cut(rest, end)
		text, known := texts[name]
		if !named || !ended || !known {
			return "", fmt.Errorf("marker bench:%.20s: unknown, or without its end", name)
		}
		out.WriteString(begin + name + " -->\n" + strings.TrimSpace(text) + "\n" + end)
		page = after
	}
}
