package cards

import "strings"

// lineRoom is how many bytes of one line surely fit a text input.
const lineRoom = 2900

// ShortLines splits lines that are too long for an input, at spaces.
func ShortLines(lines []string) []string {
	var all []string
	for _, line := range lines {
		for len(line) > lineRoom {
			end := strings.LastIndexByte(line[:lineRoom], ' ')
			if end <= 0 {
				end = len(strings.ToValidUTF8(line[:lineRoom], ""))
			}
			all, line = append(all, line[:end]), strings.TrimSpace(line[end:])
		}
		all = append(all, line)
	}
	return all
}
