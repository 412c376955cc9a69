package order

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a batch holds at most. Its file is read whole, and each of its orders is a draft and a job.
const (
	MaxBatchFile       = 1 << 20 // bytes
	MaxBatchOrders     = 200     // rows, and orders that they come to
	MaxBatchReferences = 10      // of one row: each of its orders gets them all
	MaxProjectName     = 80      // characters
	maxAddress         = 3000    // characters
)

// BatchColumns are the columns of a batch's file, as its header names them. Their order is free; only
// images must be there.
var BatchColumns = []string{"name", "images", "references", "service", "instructions", "customer id"}

// BatchRow is one row of a batch: an order, or several under one name when it has more images than one
// order holds.
type BatchRow struct {
	Line         int         `json:"line"`           // in the file, from 1: the header is the first
	Name         string      `json:"name,omitempty"` // of the project; "": one is chosen
	Images       []string    `json:"images"`         // addresses
	References   []string    `json:"references,omitempty"`
	Service      ServiceType `json:"service"`
	Instructions []string    `json:"instructions"`
	CustomerID   string      `json:"customer_id,omitempty"`
}

// BatchProblem is what is wrong with a row, in words. Line 0 is the whole file.
type BatchProblem struct {
	Line int
	Says string
}

// ReadBatch reads the rows of a CSV file: commas, semicolons or tabs between the columns, as Excel writes
// it in any country. What a row leaves out it has of otherwise. No row is to be ordered while there is a
// problem; a file with none has at least one row.
func ReadBatch(data []byte, otherwise BatchRow) ([]BatchRow, []BatchProblem) {
	whole := func(says string) ([]BatchRow, []BatchProblem) { return nil, []BatchProblem{{0, says}} }
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	switch {
	case len(data) > MaxBatchFile:
		return whole("The file is larger than 1 MB.")
	case !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0:
		return whole("The file is not a CSV in UTF-8. In Excel, save it as “CSV UTF-8”.")
	}
	t := &batchTable{otherwise: otherwise, lines: csv.NewReader(bytes.NewReader(data))}
	t.lines.Comma, t.lines.FieldsPerRecord = separator(data), -1
	if problem := t.header(); problem != "" {
		return nil, []BatchProblem{{t.line, problem}}
	}
	t.rest()
	if len(t.rows)+len(t.problems) == 0 {
		return whole("The file has no rows below its header.")
	}
	return t.rows, t.problems
}

// separator is what stands between the columns of the first line.
func separator(data []byte) rune {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	best := ','
	for _, other := range []rune{';', '\t'} {
		if bytes.Count(line, []byte(string(other))) > bytes.Count(line, []byte(string(best))) {
			best = other
		}
	}
	return best
}

// batchTable is a file that is being read.
type batchTable struct {
	otherwise BatchRow
	lines     *csv.Reader
	columns   []string // of BatchColumns, in the order of the file; "": a column without a name
	line      int      // where the record in hand begins
	orders    int
	rows      []BatchRow
	problems  []BatchProblem
}

// next is the next record that holds anything, or io.EOF.
func (t *batchTable) next() ([]string, error) {
	for {
		record, err := t.lines.Read()
		if bad, is := errors.AsType[*csv.ParseError](err); is {
			t.line = bad.StartLine
		}
		if err != nil {
			return nil, err
		}
		t.line, _ = t.lines.FieldPos(0)
		if slices.ContainsFunc(record, func(cell string) bool { return strings.TrimSpace(cell) != "" }) {
			return record, nil
		}
	}
}

// header reads the names of the columns, and says what is wrong with them.
func (t *batchTable) header() string {
	names, err := t.next()
	switch {
	case errors.Is(err, io.EOF):
		t.line = 0
		return "The file is empty. Its first line must name the columns: " + columnWords + "."
	case err != nil:
		return unreadable
	}
	for _, name := range names {
		column, known := columnOf(name)
		switch {
		case !known:
			return fmt.Sprintf("I do not know the column “%s”. The first line names the columns: %s.", short(name), columnWords)
		case column != "" && slices.Contains(t.columns, column):
			return fmt.Sprintf("The column “%s” is there twice.", column)
		}
		t.columns = append(t.columns, column)
	}
	if !slices.Contains(t.columns, "images") {
		return "There is no column “images”. The first line names the columns: " + columnWords + "."
	}
	return ""
}

// columnWords is how a person is told of the columns.
var columnWords = strings.Join(BatchColumns, ", ")

// otherNames are what people call the columns besides, without blanks.
var otherNames = map[string]string{
	"": "", "name": "name", "project": "name", "projectname": "name",
	"images": "images", "image": "images", "imageurls": "images", "urls": "images", "photos": "images",
	"references": "references", "reference": "references", "referenceimages": "references",
	"service": "service", "servicetype": "service",
	"instructions": "instructions", "instruction": "instructions",
	"customerid": "customer id", "customer": "customer id",
}

// columnOf is the column that a header means, whatever its capitals and blanks.
func columnOf(name string) (string, bool) {
	column, known := otherNames[strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '_' || r == '-' {
			return -1
		}
		return r
	}, name))]
	return column, known
}

const unreadable = "I cannot read this line: a quotation mark is not closed, or stands in the middle of a cell."

// rest reads the rows. Behind a line that cannot be read, nobody knows where the next begins.
func (t *batchTable) rest() {
	for {
		record, err := t.next()
		switch {
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			t.wrong(unreadable)
			return
		}
		t.row(record)
		if t.orders > MaxBatchOrders || len(t.rows) > MaxBatchOrders {
			t.line = 0
			t.wrong(fmt.Sprintf("These are more than %d orders: split the file.", MaxBatchOrders))
			return
		}
	}
}

func (t *batchTable) wrong(says string) {
	if says != "" {
		t.problems = append(t.problems, BatchProblem{t.line, says})
	}
}

// row reads one row, and notes what is wrong with it.
func (t *batchTable) row(record []string) {
	r := t.otherwise
	r.Line, r.Images, r.References = t.line, nil, nil
	if len(record) > len(t.columns) {
		t.wrong("There are more cells than columns. A cell with a separator in it needs quotation marks around it.")
		return
	}
	for i, cell := range record {
		t.wrong(r.take(t.columns[i], strings.TrimSpace(cell)))
	}
	for _, problem := range r.problems() {
		t.wrong(problem)
	}
	t.rows, t.orders = append(t.rows, r), t.orders+len(r.Parts())
}

// take puts a cell into its place, and says what is wrong with it.
func (r *BatchRow) take(column, cell string) string {
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
			return fmt.Sprintf("The service “%s” is not one: basic and extensive are.", short(cell))
		}
	case "instructions":
		r.Instructions = Lines(cell)
	case "customer id":
		r.CustomerID = cell
	default:
		return fmt.Sprintf("“%s” stands in a column without a name.", short(cell))
	}
	return ""
}

// addressesIn are those of a cell, between blanks, lines, commas or semicolons. An address may hold a comma or a
// semicolon: only one that ends a word, or that another address follows, separates.
func addressesIn(cell string) []string {
	for _, mark := range []string{",", ";", "|"} {
		for _, scheme := range []string{"http://", "https://"} {
			cell = strings.ReplaceAll(cell, mark+scheme, " "+scheme)
		}
	}
	var all []string
	for word := range strings.FieldsSeq(cell) {
		if word = strings.Trim(word, "<>,;|"); word != "" {
			all = append(all, word)
		}
	}
	return all
}

// problems are those of the row by itself.
func (r *BatchRow) problems() []string {
	all := append(slices.Clone(r.Images), r.References...)
	wrong, twice := faulty(all)
	checks := []struct {
		bad  bool
		says string
	}{
		{len(r.Images) == 0, "There are no images."},
		{len(wrong) > 0, "Not a web address (http:// or https://): " + fewOf(wrong) + "."},
		{len(twice) > 0, "Listed more than once: " + fewOf(twice) + "."},
		{len(r.References) > MaxBatchReferences, fmt.Sprintf("There are %d references; a row takes at most %d.", len(r.References), MaxBatchReferences)},
		{len(r.Instructions) == 0, "There are no instructions: say what should be done with the images."},
		{utf8.RuneCountInString(r.Name) > MaxProjectName, fmt.Sprintf("The name is longer than %d characters.", MaxProjectName)},
		{utf8.RuneCountInString(r.CustomerID) > MaxCustomerID, fmt.Sprintf("The customer ID is longer than %d characters.", MaxCustomerID)},
	}
	var says []string
	for _, check := range checks {
		if check.bad {
			says = append(says, check.says)
		}
	}
	return says
}

// faulty are the addresses that are none, and those that are there twice.
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

// WebAddress tells an http or https address without spaces.
func WebAddress(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || strings.ContainsFunc(address, unicode.IsSpace) {
		return false
	}
	return u.Scheme == "http" || u.Scheme == "https"
}

// fewOf names the first of them, and how many more there are.
func fewOf(words []string) string {
	const few = 3
	shown := make([]string, 0, few)
	for _, word := range words[:min(few, len(words))] {
		shown = append(shown, short(word))
	}
	says := strings.Join(shown, ", ")
	if more := len(words) - few; more > 0 {
		says += " and " + strconv.Itoa(more) + " more"
	}
	return says
}

// short is what is quoted of a cell.
func short(cell string) string {
	const most = 60
	letters := []rune(strings.Join(strings.Fields(cell), " "))
	if len(letters) <= most {
		return string(letters)
	}
	return string(letters[:most]) + "…"
}

// FirstWords are those that a project is named by: few, and whole ones where there is room.
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

// Parts are the orders of the row: itself, or, when it has more images than one order holds, as many as
// are needed, "Name 1/3" and so on, each with all of the references.
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

// partName is a name that ends in which part it is of.
func partName(name, part string) string {
	letters := []rune(name)
	return strings.TrimSpace(string(letters[:min(len(letters), MaxProjectName-len(part))]) + part)
}
