package kit

import (
	"bytes"
	"encoding/csv"
	"regexp"
)

// byteOrderMark tells Excel that a file is UTF-8.
const byteOrderMark = "\ufeff"

// CsvFile writes a table for spreadsheets: RFC 4180, UTF-8 with a byte order mark. Spreadsheets compute no
// cell of it.
func CsvFile(lines [][]string) []byte {
	file := bytes.NewBufferString(byteOrderMark)
	w := csv.NewWriter(file)
	w.UseCRLF = true
	for _, line := range lines {
		_ = w.Write(Map(line, func(_ int, cell string) string { return inert(cell) })) // a buffer never fails
	}
	w.Flush()
	return file.Bytes()
}

// formulas matches text that spreadsheets take for a formula. It may follow the start of a cell, a semicolon,
// a tab or a line break. Some locales end cells there. Blanks, quotes and invisible characters may precede it.
var formulas = regexp.MustCompile(`(^|[;\t\r\n])([\s\pZ\pC"]*)([=+\-@＝＋－＠])`)

// inert puts an apostrophe before each formula in a cell, so that spreadsheets read text
// (owasp.org/www-community/attacks/CSV_Injection).
func inert(cell string) string { return formulas.ReplaceAllString(cell, "$1$2'$3") }
