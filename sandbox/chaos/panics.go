package chaos

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// longestLine is that of a log, at most: a stack is one.
const longestLine = 1 << 20

// panics are the lines of all logs that tell of a mistake in the program, whether the app contained it or died of it: who is
// started again at once is not missed otherwise.
func (r *replicas) panics() (all []string) {
	for _, one := range r.all {
		found, err := panicsIn(one.log.Name())
		if err != nil {
			found = append(found, "log not read: "+err.Error())
		}
		for _, line := range found {
			all = append(all, fmt.Sprintf("replica %s: %.300s", one.name, line))
		}
	}
	return all
}

// panicsIn are those of one log.
func panicsIn(log string) (found []string, err error) {
	file, err := os.Open(log)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		line := lines.Text()
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") || strings.Contains(line, "WARNING: DATA RACE") || strings.Contains(line, ` panicked"`) {
			found = append(found, line)
		}
	}
	return found, lines.Err()
}
