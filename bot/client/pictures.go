package client

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/slack-go/slack"
)

// PicturesNamed returns the addresses of the pictures that Slack could not fetch, if err is its refusal of
// these blocks and names them.
func PicturesNamed(err error, blocks []slack.Block) []string {
	e, ok := errors.AsType[*Error](err)
	if !ok || !errors.Is(err, ErrImage) || len(e.pointers) == 0 {
		return nil
	}
	raw, err := json.Marshal(blocks)
	if err != nil {
		return nil
	}
	var doc any
	if json.Unmarshal(raw, &doc) != nil {
		return nil
	}
	var found []string
	for _, pointer := range e.pointers {
		if address := pictureAt(doc, pointer); address != "" && !slices.Contains(found, address) {
			found = append(found, address)
		}
	}
	return found
}

// anyPointer matches the position of an error in the blocks of a message or view:
// "[json-pointer:/blocks/3/image_url]", "[json-pointer:/view/blocks/3/image_url]".
var anyPointer = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\[json-pointer:(?:/view)?/blocks/([A-Za-z0-9_/]{1,200})\]`)
})

// mostPointers bounds the positions that are read from one answer.
const mostPointers = 50

// failedPictures returns the positions of pictures that could not be fetched.
func failedPictures(messages []string) []string {
	var found []string
	for _, m := range messages[:min(len(messages), mostPointers)] {
		if strings.Contains(strings.ToLower(m), imageFailed) {
			if at := anyPointer().FindStringSubmatch(m); at != nil {
				found = append(found, at[1])
			}
		}
	}
	return found
}

// pictureAt returns the picture's address at a position. Slack points at the address or at the object that
// has it.
func pictureAt(doc any, pointer string) string {
	address := ""
	for step := range strings.SplitSeq(pointer, "/") {
		switch at := doc.(type) {
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(at) {
				return ""
			}
			doc = at[i]
		case map[string]any:
			doc = at[step]
		}
		if holder, is := doc.(map[string]any); is {
			if found, _ := holder["image_url"].(string); found != "" {
				address = found
			}
		}
	}
	return address
}
