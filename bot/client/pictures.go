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

// PicturesNamed are the addresses of the pictures that Slack says it could not fetch, when err is
// its refusal of a message with these blocks; none when it does not say which.
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

// anyPointer is where in the blocks of a message or a view something is wrong:
// "[json-pointer:/blocks/3/image_url]", "[json-pointer:/view/blocks/3/image_url]".
var anyPointer = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\[json-pointer:(?:/view)?/blocks/([A-Za-z0-9_/]{1,200})\]`)
})

// mostPointers bounds what is read of one answer.
const mostPointers = 50

// failedPictures are the places in the blocks of pictures that could not be fetched.
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

// pictureAt follows a pointer to the picture's address, or to what holds it: Slack points at either.
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
