package order

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of a batch. Its file is read whole, and each of its orders becomes a draft and a job.
const (
	MaxBatchFile       = 1 << 20 // bytes
	MaxBatchOrders     = 200     // rows, and orders that the rows become
	MaxBatchReferences = 10      // of a row; each order of the row gets them all
	MaxProjectName     = 80      // characters
	maxAddress         = 3000    // characters
)

// columnNames lists the columns of a batch's file. Their order is free, and only images is required.
const columnNames = "name, images, references, service, instructions, customer id"

// BatchRow is one row of a batch. It becomes several orders when it has more than [MaxImages] images.
type BatchRow struct {
	Line         int         `json:"line"`           // in the file, from 1; the header is line 1
	Name         string      `json:"name,omitempty"` // of the project; "": the app chooses one
	Images       []string    `json:"images"`         // addresses
	References   []string    `json:"references,omitempty"`
	Service      ServiceType `json:"service"`
	Instructions []string    `json:"instructions"`
	CustomerID   string      `json:"customer_id,omitempty"`
}

// BatchProblem says in a sentence what is wrong with a row. Line 0 is the whole file.
type BatchProblem struct {
	Line    int
	Message string
}

// ReadBatch reads the rows of a CSV file. Commas, semicolons or tabs separate the columns, as Excel writes
// them in any country. An empty cell has the value of defaults. A file without problems has at least one row;
// a file with a problem must not be ordered.
func ReadBatch(data []byte, defaults BatchRow) ([]BatchRow, []BatchProblem) {
	rejected := func(message string) ([]BatchRow, []BatchProblem) { return nil, []BatchProblem{{0, message}} }
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	switch {
	case len(data) > MaxBatchFile:
		return rejected("The file is larger than 1 MB.")
	case !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0:
		return rejected("The file is not a CSV in UTF-8. In Excel, save it as “CSV UTF-8”.")
	}
	t := &batchReader{defaults: defaults, csv: csv.NewReader(bytes.NewReader(data))}
	t.csv.Comma, t.csv.FieldsPerRecord = separator(data), -1
	if problem := t.readHeader(); problem != "" {
		return nil, []BatchProblem{{t.line, problem}}
	}
	t.readRows()
	if len(t.rows)+len(t.problems) == 0 {
		return rejected("The file has no rows below its header.")
	}
	return t.rows, t.problems
}

// separator returns the mark that the first line has most often.
func separator(data []byte) rune {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	count := func(mark rune) int { return bytes.Count(line, []byte(string(mark))) }
	return slices.MaxFunc([]rune{',', ';', '\t'}, func(a, b rune) int { return cmp.Compare(count(a), count(b)) })
}

// batchReader reads one file.
type batchReader struct {
	defaults BatchRow
	csv      *csv.Reader
	columns  []string // in the order of the file; "": a column without a name
	line     int      // where the current record begins
	orders   int      // that the rows become
	rows     []BatchRow
	problems []BatchProblem
}

// next returns the next record with a cell that is not blank, or io.EOF.
func (t *batchReader) next() ([]string, error) {
	for {
		record, err := t.csv.Read()
		if bad, is := errors.AsType[*csv.ParseError](err); is {
			t.line = bad.StartLine
		}
		if err != nil {
			return nil, err
		}
		t.line, _ = t.csv.FieldPos(0)
		if slices.ContainsFunc(record, func(cell string) bool { return strings.TrimSpace(cell) != "" }) {
			return record, nil
		}
	}
}

// readHeader reads the names of the columns. It returns the first problem with them, "" if they are fine.
func (t *batchReader) readHeader() string {
	names, err := t.next()
	switch {
	case errors.Is(err, io.EOF):
		t.line = 0
		return "The file is empty. Its first line must name the columns: " + columnNames + "."
	case err != nil:
		return unreadable
	}
	for _, name := range names {
		column, known := columnOf(name)
		switch {
		case !known:
			return fmt.Sprintf("I do not know the column “%s”. The first line names the columns: %s.", excerpt(name), columnNames)
		case column != "" && slices.Contains(t.columns, column):
			return fmt.Sprintf("The column “%s” is there twice.", column)
		}
		t.columns = append(t.columns, column)
	}
	if !slices.Contains(t.columns, "images") {
		return "There is no column “images”. The first line names the columns: " + columnNames + "."
	}
	return ""
}

// columnAliases maps the names that people give columns, in lower case and without blanks, to the column.
var columnAliases = map[string]string{
	"": "", "name": "name", "project": "name", "projectname": "name",
	"images": "images", "image": "images", "imageurls": "images", "urls": "images", "photos": "images",
	"references": "references", "reference": "references", "referenceimages": "references",
	"service": "service", "servicetype": "service",
	"instructions": "instructions", "instruction": "instructions",
	"customerid": "customer id", "customer": "customer id",
}

// columnOf returns the column that a header names. Case, blanks, underscores and hyphens do not matter.
func columnOf(name string) (string, bool) {
	column, known := columnAliases[strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '_' || r == '-' {
			return -1
		}
		return r
	}, name))]
	return column, known
}

const unreadable = "I cannot read this line: a quotation mark is not closed, or stands in the middle of a cell."

// readRows reads the rows. It stops at an unreadable line, since the start of the next one is unknown.
func (t *batchReader) readRows() {
	for {
		record, err := t.next()
		switch {
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			t.report(unreadable)
			return
		}
		t.readRow(record)
		if t.orders > MaxBatchOrders || len(t.rows) > MaxBatchOrders {
			t.line = 0
			t.report(fmt.Sprintf("These are more than %d orders: split the file.", MaxBatchOrders))
			return
		}
	}
}

// report adds a problem of the current record; "" is ignored.
func (t *batchReader) report(message string) {
	if message != "" {
		t.problems = append(t.problems, BatchProblem{t.line, message})
	}
}

// readRow reads one row and reports its problems.
func (t *batchReader) readRow(record []string) {
	r := t.defaults
	r.Line, r.Images, r.References = t.line, nil, nil
	if len(record) > len(t.columns) {
		t.report("There are more cells than columns. A cell with a separator in it needs quotation marks around it.")
		return
	}
	for i, cell := range record {
		t.report(r.set(t.columns[i], strings.TrimSpace(cell)))
	}
	for _, problem := range r.problems() {
		t.report(problem)
	}
	t.rows, t.orders = append(t.rows, r), t.orders+len(r.Parts())
}

// set stores a cell in the field of its column. It returns the problem with the cell, "" if it is fine.
func (r *BatchRow) set(column, cell string) string {
	if cell == "" {
		return ""
	}
	switch column {
	case "name":
		r.Name = strings.Join(strings.Fields(cell), " ")
	case "images":
		r.Images = addressesIn(cell)
	case "references":
		r.References = addressesIn(cell)
	case "service":
		r.Service = ServiceType(strings.ToLower(cell))
		if r.Service != ServiceBasic && r.Service != ServiceExtensive {
			return fmt.Sprintf("The service “%s” is not one: basic and extensive are.", excerpt(cell))
		}
	case "instructions":
		r.Instructions = Lines(cell)
	case "customer id":
		r.CustomerID = cell
	default:
		return fmt.Sprintf("“%s” stands in a column without a name.", excerpt(cell))
	}
	return ""
}

var markBeforeAddress = regexp.MustCompile(`[,;|](https?://)`)

// addressesIn returns the addresses in a cell. Blanks separate them, and so do commas, semicolons and bars at the
// end of a word or right before the next address. Elsewhere these marks are part of an address.
func addressesIn(cell string) []string {
	var all []string
	for word := range strings.FieldsSeq(markBeforeAddress.ReplaceAllString(cell, " $1")) {
		if word = strings.Trim(word, "<>,;|"); word != "" {
			all = append(all, word)
		}
	}
	return all
}

// problems returns a sentence for each rule that the row breaks.
func (r *BatchRow) problems() []string {
	all := append(slices.Clone(r.Images), r.References...)
	wrong, twice := faulty(all)
	checks := []struct {
		broken  bool
		message string
	}{
		{len(r.Images) == 0, "There are no photos."},
		{len(wrong) > 0, "Not a link (http:// or https://): " + fewOf(wrong) + "."},
		{len(twice) > 0, "Listed more than once: " + fewOf(twice) + "."},
		{len(r.References) > MaxBatchReferences, fmt.Sprintf("There are %d references; a row takes at most %d.", len(r.References), MaxBatchReferences)},
		{len(r.Instructions) == 0, "There are no instructions. Say what should be done with the photos."},
		{utf8.RuneCountInString(r.Name) > MaxProjectName, fmt.Sprintf("The name is longer than %d characters.", MaxProjectName)},
		{utf8.RuneCountInString(r.CustomerID) > MaxCustomerID, fmt.Sprintf("The customer ID is longer than %d characters.", MaxCustomerID)},
	}
	var messages []string
	for _, check := range checks {
		if check.broken {
			messages = append(messages, check.message)
		}
	}
	return messages
}

// faulty returns the texts that are no usable web address, and the addresses that occur more than once.
func faulty(all []string) (wrong, twice []string) {
	seen := map[string]int{}
	for _, address := range all {
		seen[address]++
		switch {
		case !WebAddress(address) || utf8.RuneCountInString(address) > maxAddress:
			wrong = append(wrong, address)
		case seen[address] == 2:
			twice = append(twice, address)
		}
	}
	return wrong, twice
}

// WebAddress reports whether the text is an http or https address without spaces.
func WebAddress(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || strings.ContainsFunc(address, unicode.IsSpace) {
		return false
	}
	return u.Scheme == "http" || u.Scheme == "https"
}

// fewOf lists the first three texts and the number of the others.
func fewOf(texts []string) string {
	const few = 3
	shown := make([]string, 0, few)
	for _, text := range texts[:min(few, len(texts))] {
		shown = append(shown, excerpt(text))
	}
	list := strings.Join(shown, ", ")
	if more := len(texts) - few; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

// excerpt returns the text on one line, at most sixty characters of it.
func excerpt(cell string) string {
	const most = 60
	letters := []rune(strings.Join(strings.Fields(cell), " "))
	if len(letters) <= most {
		return string(letters)
	}
	return string(letters[:most]) + "…"
}

// FirstWords returns the beginning of a text as a project name, at most 40 characters. It ends at a whole word
// where it can.
func FirstWords(words string) string {
	const most = 40
	name := []rune(strings.Join(strings.Fields(words), " "))
	if len(name) <= most {
		return string(name)
	}
	short := string(name[:most])
	if end := strings.LastIndexByte(short, ' '); end > 0 && name[most] != ' ' {
		short = short[:end]
	}
	return strings.TrimSpace(short)
}

// Parts returns the orders of the row. More than [MaxImages] images are divided among orders named "Name 1/3"
// and so on, each with all references.
func (r BatchRow) Parts() []BatchRow {
	room := MaxImages - min(len(r.References), MaxBatchReferences)
	if len(r.Images) <= room {
		return []BatchRow{r}
	}
	pieces := slices.Collect(slices.Chunk(r.Images, room))
	parts := make([]BatchRow, len(pieces))
	for i, images := range pieces {
		parts[i] = r
		parts[i].Images = images
		parts[i].Name = partName(r.Name, fmt.Sprintf(" %d/%d", i+1, len(pieces)))
	}
	return parts
}

// partName returns the name with its part behind it, shortened to [MaxProjectName] characters.
func partName(name, part string) string {
	letters := []rune(name)
	return strings.TrimSpace(string(letters[:min(len(letters), MaxProjectName-len(part))]) + part)
}
