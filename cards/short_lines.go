package cards

import "strings"

// lineRoom is how many bytes of one line certainly fit a box of Slack's.
const lineRoom = 2900

// ShortLines parts lines that no box can show, between words.
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
