package photos

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxMessage is the longest message, in characters.
const maxMessage = 5000

// client is the "from" of what the client wrote.
const client = "client"

// message appends what the client says to the order's conversation.
func (s *Service) message(c *call) answer {
	text := c.params.text("content_text")
	return s.withOrder(c.id, func(o *order) answer {
		switch {
		case strings.TrimSpace(text) == "":
			return refusal("content_text is required")
		case utf8.RuneCountInString(text) > maxMessage:
			return refusal(fmt.Sprintf("content_text is too long (maximum is %d characters)", maxMessage))
		case o.said(text):
			return refusal("Please do not post duplicated message")
		}
		s.add(o, client, text)
		v := o.summary()
		v.Conversations = s.conversation(o)
		return success([]orderJSON{v})
	})
}

func (o *order) said(text string) bool {
	return slices.ContainsFunc(o.entries, func(e Entry) bool { return e.From == client && e.Content == text })
}

// add appends to the conversation; the mutex is held.
func (s *Service) add(o *order, from, text string) {
	o.entries = append(o.entries, Entry{From: from, Content: text, Revision: o.revision, CreatedAt: s.opts.Now()})
	kind := DeedEditor
	if from == client {
		kind = DeedMessage
	}
	s.did(o, kind, text)
}

// addReferences gives an order more pictures to look at.
func (s *Service) addReferences(c *call) answer {
	pictures, err := readReferences(c.params["images"])
	if problem := s.refuseReferences(c.id, pictures, err); problem != "" {
		return refusal(problem)
	}
	images, problems := s.fetchAll(pictures)
	if len(problems) > 0 {
		return refusal(problems...)
	}
	return s.withOrder(c.id, func(o *order) answer {
		if o.repeats(pictures) {
			return refusal(errDuplicateImages)
		}
		for i, p := range pictures {
			o.refer(p, images[i])
		}
		s.did(o, DeedReferences, "")
		return success(o.revised())
	})
}

const errDuplicateImages = "Please do not post duplicated images"

// refuseReferences finds what is wrong before any image is fetched.
func (s *Service) refuseReferences(id string, pictures []Picture, unreadable error) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, ok := s.byID[id]
	switch {
	case !ok:
		return errUnknownOrder
	case unreadable != nil:
		return unreadable.Error()
	case o.repeats(pictures):
		return errDuplicateImages
	}
	return ""
}

// repeats reports whether a picture is among the order's already, or twice
// among the new ones.
func (o *order) repeats(pictures []Picture) bool {
	seen := map[string]bool{}
	for _, r := range o.references {
		seen[r.URL] = true
	}
	for _, source := range o.sources {
		seen[source.URL] = true
	}
	for _, p := range pictures {
		if seen[p.URL] {
			return true
		}
		seen[p.URL] = true
	}
	return false
}

// readReferences reads [[url, instruction], …].
func readReferences(value any) ([]Picture, error) {
	entries, _ := value.([]any)
	if len(entries) == 0 {
		return nil, errors.New("images is required")
	}
	pictures := make([]Picture, 0, len(entries))
	for _, entry := range entries {
		words, err := stringsOf("each image", entry)
		if err != nil {
			return nil, err
		}
		if len(words) == 0 || len(words) > 2 || words[0] == "" {
			return nil, errors.New("each image must be [url, instruction]")
		}
		words = append(words, "")
		pictures = append(pictures, Picture{URL: words[0], Instruction: words[1]})
	}
	return pictures, nil
}
