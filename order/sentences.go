package order

import (
	"maps"
	"slices"
	"strings"
)

// MaxSentences is the most sentences of one request for one image that are ticked one by one.
const MaxSentences = 10

// Sentences returns the lines of a request that are ticked one by one: each once, [MaxSentences] at most. The last one
// holds what is left.
func Sentences(lines []string) []string {
	var all []string
	for _, line := range lines {
		if !slices.Contains(all, line) {
			all = append(all, line)
		}
	}
	if len(all) > MaxSentences {
		rest := strings.Join(all[MaxSentences-1:], " ")
		all = append(all[:MaxSentences-1:MaxSentences-1], rest)
	}
	return all
}

// SentenceKey returns a short ID of a sentence.
func SentenceKey(sentence string) string { return hash(sentence)[:12] }

// DoneCount says how many of the sentences that the round before asked for were ticked as done.
type DoneCount struct {
	Done int      `json:"done"`
	Of   int      `json:"of"`
	By   []string `json:"by,omitempty"` // Slack user IDs of those who ticked, [MaxTickers] at most
}

// MaxTickers bounds [DoneCount].By.
const MaxTickers = 5

// CountDone counts the sentences of the images that are ticked as done; asked has the sentences of each image. It
// returns nil if nothing was asked for.
func (v Verdicts) CountDone(images []EditedImage, asked [][]string) *DoneCount {
	var count DoneCount
	for i, sentences := range asked {
		count.Of += len(sentences)
		for _, sentence := range sentences {
			count.add(v.Done(images[i], sentence))
		}
	}
	if count.Of == 0 {
		return nil
	}
	return &count
}

// Ticked counts the sentences that are ticked as done on the newest edits of images, whatever was asked for.
func (v Verdicts) Ticked(images []EditedImage) (count DoneCount) {
	for _, image := range Latest(images) {
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if done := v[key].Done; done != "" && key == verdictKey(image.ID, done) {
				count.add(v.of(image, done))
			}
		}
	}
	return count
}

// add counts a verdict if it is good.
func (c *DoneCount) add(verdict Verdict) {
	if !verdict.Good {
		return
	}
	c.Done++
	if verdict.By != "" && len(c.By) < MaxTickers && !slices.Contains(c.By, verdict.By) {
		c.By = append(c.By, verdict.By)
	}
}
