package order_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"darkroom/order"
)

var otherwise = order.BatchRow{Service: order.ServiceBasic, Instructions: []string{"Brighten."}}

func TestABatchIsReadAsSpreadsheetsWriteIt(t *testing.T) {
	want := []order.BatchRow{
		{
			Line: 2, Name: "Smith, wedding", Images: []string{"https://a.example/1.jpg", "https://a.example/2.jpg?x=1,2"}, Service: order.ServiceExtensive,
			Instructions: []string{"Warm it.", "Crop it."}, CustomerID: "C-7",
		},
		{Line: 5, Name: "Jones", Images: []string{"https://a.example/3.jpg"}, References: []string{"https://a.example/mood.jpg"}, Service: order.ServiceBasic, Instructions: []string{"Brighten."}},
	}
	for name, file := range map[string]string{
		"commas": "name,images,service,instructions,customer id,references\n" +
			"\"Smith, wedding\",\"https://a.example/1.jpg;https://a.example/2.jpg?x=1,2\",Extensive,\"Warm it.\nCrop it.\",C-7,\n" +
			",,,,,\nJones,https://a.example/3.jpg,,,,https://a.example/mood.jpg\n",
		"semicolons of Excel, CRLF and a byte order mark": "\ufeffProject name;Image URLs;Service_type;Instructions;Customer;Reference images\r\n" +
			"Smith, wedding;https://a.example/1.jpg https://a.example/2.jpg?x=1,2;extensive;\"Warm it.\r\nCrop it.\";C-7;\r\n" +
			";;;;;\r\nJones;https://a.example/3.jpg;;;;https://a.example/mood.jpg\r\n",
		"tabs, in another order": "images\tname\tcustomer-id\tinstructions\tservice\treferences\n" +
			"<https://a.example/1.jpg>, https://a.example/2.jpg?x=1,2\tSmith, wedding\tC-7\t\"Warm it.\n\nCrop it.\"\tEXTENSIVE\n" +
			"https://a.example/3.jpg\tJones\t\t\t\thttps://a.example/mood.jpg",
	} {
		t.Run(name, func(t *testing.T) {
			rows, problems := order.ReadBatch([]byte(file), otherwise)
			require.Empty(t, problems)
			require.Equal(t, want, rows)
		})
	}
}

func TestEachProblemOfABatchIsNamedByItsLine(t *testing.T) {
	many := strings.Repeat("https://a.example/1.jpg\n", order.MaxBatchOrders+1)
	refs := make([]string, order.MaxBatchReferences+1)
	for i := range refs {
		refs[i] = fmt.Sprintf("https://a.example/r%d.jpg", i)
	}
	for name, c := range map[string]struct {
		file string
		line int
		says string
	}{
		"nothing":               {"", 0, "is empty"},
		"only a header":         {"images\n", 0, "no rows"},
		"no header":             {"https://a.example/1.jpg\n", 1, "I do not know the column “https://a.example/1.jpg”"},
		"no photos":             {"name\nSmith\n", 1, "no column “images”"},
		"a column twice":        {"images,urls\n", 1, "“images” is there twice"},
		"a row without images":  {"name,images\nSmith,\n", 2, "no photos"},
		"no address":            {"images\n\nhttps://a.example/1.jpg\nbeach.jpg\n", 4, "Not a link (http:// or https://): beach.jpg."},
		"an address twice":      {"images\nhttps://a.example/1.jpg https://a.example/1.jpg https://a.example/1.jpg\n", 2, "Listed more than once: https://a.example/1.jpg."},
		"a reference as image":  {"images,references\nhttps://a.example/1.jpg,https://a.example/1.jpg\n", 2, "more than once"},
		"a service":             {"images,service\nhttps://a.example/1.jpg,gold\n", 2, "“gold” is not one"},
		"a customer":            {"images,customer\nhttps://a.example/1.jpg,123456789012345678901\n", 2, "20 characters"},
		"a name":                {"images,name\nhttps://a.example/1.jpg," + strings.Repeat("x", 81) + "\n", 2, "80 characters"},
		"references":            {"images,references\nhttps://a.example/1.jpg," + strings.Join(refs, " ") + "\n", 2, "11 references"},
		"a cell too many":       {"images,name\nhttps://a.example/1.jpg,Smith, wedding\n", 2, "more cells than columns"},
		"a column without name": {"images,\nhttps://a.example/1.jpg,Smith\n", 2, "“Smith” stands in a column without a name"},
		"a quotation mark":      {"images,name\nhttps://a.example/1.jpg,\"Smith\nhttps://a.example/2.jpg,Jones\n", 2, "quotation mark"},
		"too many rows":         {"images\n" + many, 0, "more than 200 orders"},
		"too much":              {"images\n" + strings.Repeat("x", order.MaxBatchFile), 0, "larger than 1 MB"},
		"another encoding":      {"images\nhttps://a.example/\xe9.jpg\n", 0, "UTF-8"},
		"a spreadsheet":         {"PK\x03\x04\x00\x00", 0, "UTF-8"},
	} {
		t.Run(name, func(t *testing.T) {
			_, problems := order.ReadBatch([]byte(c.file), otherwise)
			require.Len(t, problems, 1)
			require.Equal(t, c.line, problems[0].Line)
			require.Contains(t, problems[0].Message, c.says)
		})
	}
	_, problems := order.ReadBatch([]byte("images\nhttps://a.example/1.jpg\n"), order.BatchRow{Service: order.ServiceBasic})
	require.Equal(t, []order.BatchProblem{{Line: 2, Message: "There are no instructions. Say what should be done with the photos."}}, problems)
}

// What is as long, or as many, as it may be is no problem.
func TestARowMayReachEachBound(t *testing.T) {
	refs := make([]string, order.MaxBatchReferences)
	for i := range refs {
		refs[i] = fmt.Sprintf("https://a.example/r%d.jpg", i)
	}
	long := "https://a.example/" + strings.Repeat("x", 3000-len("https://a.example/"))
	file := "name,images,customer,references\n" + strings.Repeat("ü", order.MaxProjectName) + "," + long + "," + strings.Repeat("7", order.MaxCustomerID) + "," + strings.Join(refs, " ") + "\n"
	rows, problems := order.ReadBatch([]byte(file), otherwise)
	require.Empty(t, problems)
	require.Equal(t, strings.Repeat("ü", order.MaxProjectName), rows[0].Name)
	require.Equal(t, refs, rows[0].References)

	_, problems = order.ReadBatch([]byte(strings.Replace(file, long, long+"x", 1)), otherwise)
	require.Len(t, problems, 1, "an address that is longer")

	full := "images\n" + strings.Repeat("https://a.example/1.jpg\n", order.MaxBatchOrders)
	full += strings.Repeat("\n", order.MaxBatchFile-len(full))
	rows, problems = order.ReadBatch([]byte("\ufeff"+full), otherwise)
	require.Empty(t, problems)
	require.Len(t, rows, order.MaxBatchOrders)
}

// Each problem of a row has a sentence, which names only the first few texts.
func TestARowWithManyProblemsNamesAFewOfEach(t *testing.T) {
	long := strings.Repeat("x", 61)
	_, problems := order.ReadBatch([]byte("images,service\n"+long+" 2.jpg 3.jpg 4.jpg 5.jpg,"+long+"\nhttps://a.example/1.jpg,"+long[:60]+"\n"), otherwise)
	require.Len(t, problems, 3)
	require.Contains(t, problems[0].Message, "“"+long[:60]+"…”")
	require.Contains(t, problems[1].Message, ": "+long[:60]+"…, 2.jpg, 3.jpg and 2 more.")
	require.Contains(t, problems[2].Message, "“"+long[:60]+"”", "whole")
	for addresses, says := range map[string]string{"1 2 3": ": 1, 2, 3.", "1 2 3 4": ": 1, 2, 3 and 1 more."} {
		_, problems = order.ReadBatch([]byte("images\n"+addresses+"\n"), otherwise)
		require.Contains(t, problems[0].Message, says)
	}
}

func TestAProjectIsNamedByTheFirstWholeWords(t *testing.T) {
	for words, name := range map[string]string{
		"Brighten  the\nbeach":                                "Brighten the beach",
		strings.Repeat("x", 40):                               strings.Repeat("x", 40),
		strings.Repeat("x", 41):                               strings.Repeat("x", 40),
		"Brighten all of the photos of the beach, softly":     "Brighten all of the photos of the beach,",
		"Brighten all of the photos of the beaches and crop.": "Brighten all of the photos of the",
	} {
		require.Equal(t, name, order.FirstWords(words))
	}
}

func TestARowOfManyImagesIsSeveralOrdersUnderOneName(t *testing.T) {
	images := make([]string, 120)
	for i := range images {
		images[i] = fmt.Sprintf("https://a.example/%d.jpg", i)
	}
	row := order.BatchRow{Name: "Smith", Images: images, References: []string{"https://a.example/mood.jpg"}}
	var all, names []string
	for _, part := range row.Parts() {
		require.LessOrEqual(t, len(part.Images)+len(part.References), order.MaxImages)
		require.Equal(t, row.References, part.References)
		all, names = append(all, part.Images...), append(names, part.Name)
	}
	require.Equal(t, images, all)
	require.Equal(t, []string{"Smith 1/3", "Smith 2/3", "Smith 3/3"}, names)
	row.Images = images[:49]
	require.Equal(t, []order.BatchRow{row}, row.Parts())
	row.Name, row.Images = strings.Repeat("ü", 80), images
	require.Equal(t, strings.Repeat("ü", 76)+" 2/3", row.Parts()[1].Name)
}

// A spreadsheet's file has the texts that were written, with each separator, and with or without a byte order
// mark.
func TestABatchIsReadAsItWasWritten(t *testing.T) {
	words := rapid.StringOf(rapid.OneOf(rapid.SampledFrom([]rune("=+-@＝;,\"'aÄ漢😀")), rapid.RuneFrom(nil, unicode.L, unicode.N, unicode.S)))
	rapid.Check(t, func(t *rapid.T) {
		var want []order.BatchRow
		var file bytes.Buffer
		if rapid.Bool().Draw(t, "mark") {
			file.WriteString("\ufeff")
		}
		w := csv.NewWriter(&file)
		w.Comma, w.UseCRLF = rapid.SampledFrom([]rune(",;\t")).Draw(t, "separator"), rapid.Bool().Draw(t, "crlf")
		require.NoError(t, w.Write([]string{"name", "images", "customer id", "instructions", "references"}))
		line := 2
		for i := range rapid.IntRange(1, 5).Draw(t, "rows") {
			r := otherwise
			r.Line, r.Images = line, []string{fmt.Sprintf("https://a.example/%d.jpg?x=1,2;3", i), "https://a.example/b.jpg"}
			r.Name, r.CustomerID = words.Draw(t, "name"), string([]rune(words.Draw(t, "customer") + "1")[:1])
			r.Instructions = []string{"1" + words.Draw(t, "one"), "2" + words.Draw(t, "two")}
			if runes := []rune(r.Name); len(runes) > order.MaxProjectName {
				r.Name = string(runes[:order.MaxProjectName])
			}
			want, line = append(want, r), line+2
			require.NoError(t, w.Write([]string{r.Name, strings.Join(r.Images, " "), r.CustomerID, strings.Join(r.Instructions, "\n"), ""}))
		}
		w.Flush()
		rows, problems := order.ReadBatch(file.Bytes(), otherwise)
		require.Empty(t, problems)
		require.Equal(t, want, rows)
	})
}

// Any file can be ordered or has a problem, and the service accepts every part.
func FuzzReadBatch(f *testing.F) {
	f.Add([]byte("name,images\nSmith,https://a.example/1.jpg\n"))
	f.Add([]byte("\ufeffimages;references;service\r\n\"https://a.example/1.jpg\r\nhttps://a.example/2.jpg\";;basic\r\n"))
	f.Add([]byte("images\n\"\n"))
	f.Add([]byte("images\t\nhttps://a.example/1.jpg\t;"))
	f.Fuzz(func(t *testing.T, data []byte) {
		rows, problems := order.ReadBatch(data, otherwise)
		if len(problems) > 0 {
			return
		}
		require.NotEmpty(t, rows)
		orders := 0
		for _, row := range rows {
			require.Positive(t, row.Line)
			for _, part := range row.Parts() {
				orders++
				require.NotEmpty(t, part.Images)
				require.LessOrEqual(t, len(part.Images)+len(part.References), order.MaxImages)
				require.LessOrEqual(t, len([]rune(part.Name)), order.MaxProjectName)
				require.NotEmpty(t, part.Instructions)
			}
		}
		require.LessOrEqual(t, orders, order.MaxBatchOrders)
	})
}
