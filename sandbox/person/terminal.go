package person

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

const welcome = `You are Maria, in #shoots of a pretend Slack. Darkroom is running. Try this order:

  /order new %s
  fill Instructions = Brighten the sky. Keep the sand as it is.
  submit
  press Approve
  submit

Words: a slash command or a message · fill LABEL = TEXT · choose LABEL = OPTION · press BUTTON ·
submit · close · thread TEXT · goto #CHANNEL or @darkroom · home · look · help · quit

`

// Converse lets the reader be this person, one line at a time; photo is the address of one to
// try an order with.
func (p *Person) Converse(ctx context.Context, photo string, in io.Reader, out io.Writer) {
	fmt.Fprintf(out, welcome, photo)
	lines := readLines(ctx, in)
	for {
		fmt.Fprint(out, "> ")
		select {
		case <-ctx.Done():
			return
		case line, open := <-lines:
			if !open || line == "quit" || line == "exit" {
				fmt.Fprintln(out, "Bye.")
				return
			}
			p.act(line, photo, out)
		}
	}
}

// readLines reads in the background, so that Ctrl-C works while it waits.
func readLines(ctx context.Context, in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for scanner := bufio.NewScanner(in); scanner.Scan(); {
			select {
			case lines <- strings.TrimSpace(scanner.Text()):
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}

// act does one line and shows what this person sees then.
func (p *Person) act(line, photo string, out io.Writer) {
	if line == "help" {
		fmt.Fprintf(out, welcome, photo)
		return
	}
	before := p.Screen()
	if err := p.do(line); err != nil {
		fmt.Fprintln(out, err)
		return
	}
	if answered(line) {
		ctx, stop := context.WithTimeout(context.Background(), answerWithin)
		_ = p.ws.Wait(ctx, func() bool { return p.Screen() != before }) // without an answer they see what was there before
		stop()
	}
	settle := time.NewTimer(700 * time.Millisecond) // for the rest of the answer
	<-settle.C
	fmt.Fprintln(out, p.Screen())
}

// answerWithin bounds how long the answer to a line may take to appear.
const answerWithin = 5 * time.Second

// answered tells whether the app answers a line.
func answered(line string) bool {
	word, _, _ := strings.Cut(line, " ")
	switch word {
	case "submit", "press", "home":
		return true
	}
	return strings.HasPrefix(word, "/")
}

var errWords = errors.New(`this needs "LABEL = TEXT", as in: fill Instructions = Brighten the sky`)

// do is one act of a person, in words.
func (p *Person) do(line string) error {
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	label, value, both := strings.Cut(rest, "=")
	label, value = strings.TrimSpace(label), strings.TrimSpace(value)
	switch word {
	case "", "look":
		return nil
	case "submit":
		return p.Submit()
	case "close":
		return p.CloseModal()
	case "home":
		return p.OpenHome()
	case "press":
		return p.Press(rest)
	case "goto":
		return p.Goto(rest)
	case "thread":
		return p.OpenThread(rest)
	case "fill", "choose":
		if !both {
			return errWords
		}
		if word == "fill" {
			return p.Fill(label, value)
		}
		return p.Choose(label, value)
	}
	return p.Type(line)
}
