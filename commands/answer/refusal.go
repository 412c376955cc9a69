package answer

import (
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
)

// Refusal is an error that the person reads as it is, in a message or in the window that opened.
type Refusal struct {
	Message        kit.Message
	Sentence, Text string // for the window: the reason, and the typed text; "" without a window
}

// Error returns the message's text.
func (r Refusal) Error() string { return r.Message.Text }

// Refuse returns a [Refusal] with a sentence and the typed text, "" for none.
func Refuse(sentence, words string) error {
	return Refusal{kit.SayWith(sentence, words), sentence, words}
}

// CannotPost returns a [Refusal] for what a person may not do in a channel, nil if why is "". It returns err unchanged
// if there is one.
func CannotPost(channel string, why order.Denial, words string, err error) error {
	if err != nil || why == "" {
		return err
	}
	return Refuse(cards.CannotPost(channel, why), words)
}
