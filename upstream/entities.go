package upstream

import (
	"html"
	"regexp"
	"strings"
)

var entity = regexp.MustCompile(`&(?:[A-Za-z][A-Za-z0-9]*|#[0-9]+|#[xX][0-9A-Fa-f]+);`)

// Unescape returns the plain words of a text that was escaped once for a web page, as in
// "black &amp; white": some services hand out all texts so. A text that holds what escaping
// leaves nowhere, a bracket or an ampersand of its own, was not escaped and stays as it is.
func Unescape(text string) string {
	if strings.ContainsAny(text, "<>") || strings.Count(text, "&") != len(entity.FindAllStringIndex(text, -1)) {
		return text
	}
	return entity.ReplaceAllStringFunc(text, func(escaped string) string {
		plain := html.UnescapeString(escaped)
		if plain != ";" && strings.HasSuffix(plain, ";") {
			return escaped // it is known by its beginning only, as a browser forgives
		}
		return plain
	})
}
