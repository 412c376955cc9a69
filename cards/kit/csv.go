package kit

import (
	"bytes"
	"encoding/csv"
	"regexp"
)

// byteOrderMark tells Excel that a file is UTF-8.
const byteOrderMark = "\ufeff"

// CsvFile is a table as a file that spreadsheets open: RFC 4180, UTF-8 with a byte order mark. No cell is taken for a
// formula.
func CsvFile(lines [][]string) []byte {
	file := bytes.NewBufferString(byteOrderMark)
	w := csv.NewWriter(file)
	w.UseCRLF = true
	for _, line := range lines {
		_ = w.Write(Map(line, func(_ int, cell string) string { return inert(cell) })) // a buffer takes everything
	}
	w.Flush()
	return file.Bytes()
}

// formulas finds what spreadsheets take for the beginning of a formula: at the start of a cell, and behind what ends
// one in another country, a semicolon, a tab or a line. Blanks, quotation marks and what nobody sees may come before it.
var formulas = regexp.MustCompile(`(^|[;\t\r\n])([\s\pZ\pC"]*)([=+\-@＝＋－＠])`)

// inert is a cell that no spreadsheet takes for a formula: what begins like one gets an apostrophe, by which they know
// words (owasp.org/www-community/attacks/CSV_Injection).
func inert(cell string) string { return formulas.ReplaceAllString(cell, "$1$2'$3") }
