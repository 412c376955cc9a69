package doctor

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

const reportWidth = 100 // columns

// write writes the report for people.
func (c Report) write(out io.Writer, colour bool) error {
	var b strings.Builder
	for _, a := range c.Areas {
		fmt.Fprintf(&b, "%s\n", strings.ToUpper(a.Name[:1])+a.Name[1:])
		names := 0
		for _, one := range a.Checks {
			names = max(names, utf8.RuneCountInString(one.Name))
		}
		for _, one := range a.Checks {
			one.write(&b, names, colour)
		}
		b.WriteString("\n")
	}
	b.WriteString("What cannot be seen from here:\n")
	for _, one := range c.Unseen {
		hang(&b, "  - ", one+".")
	}
	b.WriteString("\n" + c.summary() + "\n")
	_, err := io.WriteString(out, b.String())
	return err
}

// write writes one check: its state, its name in a column of that width, its sentences and the remedy.
func (c Check) write(b *strings.Builder, names int, colour bool) {
	lead := fmt.Sprintf("  %-6s  %-*s  ", c.State, names, c.Name)
	under := strings.Repeat(" ", utf8.RuneCountInString(lead))
	var text strings.Builder
	hang(&text, lead, strings.TrimPrefix(c.Message, c.Name+" ")) // a variable's problem begins with its name
	said := text.String()
	if colour {
		said = strings.Replace(said, string(c.State), paint(c.State), 1)
	}
	b.WriteString(said)
	if c.Fix != "" {
		hang(b, under+"→ ", c.Fix)
	}
	for _, line := range c.Settings {
		fmt.Fprintf(b, "%s  %s\n", under, line)
	}
}

// paint returns a state in its colour.
func paint(s State) string {
	return map[State]string{Green: "\x1b[32m", Yellow: "\x1b[33m", Red: "\x1b[31m"}[s] + string(s) + "\x1b[0m"
}

// hang writes a text after its lead, wrapped to the report's width with a hanging indent.
func hang(b *strings.Builder, lead, text string) {
	margin := utf8.RuneCountInString(lead)
	column := margin
	b.WriteString(lead)
	for i, word := range strings.Fields(text) {
		length := utf8.RuneCountInString(word)
		switch {
		case i > 0 && column+1+length > reportWidth:
			b.WriteString("\n" + strings.Repeat(" ", margin))
			column = margin
		case i > 0:
			b.WriteString(" ")
			column++
		}
		b.WriteString(word)
		column += length
	}
	b.WriteString("\n")
}

// summary returns the last line.
func (c Report) summary() string {
	count := map[State]int{}
	for _, a := range c.Areas {
		for _, one := range a.Checks {
			count[one.State]++
		}
	}
	numbers := fmt.Sprintf("%d green, %d yellow, %d red.", count[Green], count[Yellow], count[Red])
	return numbers + map[State]string{
		Green: " All is well.", Yellow: " The app works; what is yellow is worth a look.", Red: " What is red must be mended.",
	}[c.State]
}
