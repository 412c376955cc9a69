package answer

import (
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
)

// Refusal is an error that a person is told as it is: in a message, or in the window that opened.
type Refusal struct {
	Message        kit.Message
	Sentence, Text string // what the window says, with what was typed; "" where none opens
}

// Error is what is said.
func (r Refusal) Error() string { return r.Message.Text }

// Sorry is a sentence; the words that were typed are given back.
func Sorry(sentence, words string) error {
	return Refusal{kit.SayWith(sentence, words), sentence, words}
}

// CannotPost refuses what somebody may not do in a channel; nil when nothing is against it. It
// takes err along, with which nobody knows.
func CannotPost(channel string, why order.Denial, words string, err error) error {
	if err != nil || why == "" {
		return err
	}
	return Sorry(cards.CannotPost(channel, why), words)
}
