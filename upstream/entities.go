package upstream

import (
	"html"
	"regexp"
	"strings"
)

var entity = regexp.MustCompile(`&(?:[A-Za-z][A-Za-z0-9]*|#[0-9]+|#[xX][0-9A-Fa-f]+);`)

// Unescape decodes a text that was escaped once for HTML, as in "black &amp; white": some services return all
// texts so. A text with a bracket or a bare ampersand was not escaped and stays as it is.
func Unescape(text string) string {
	if strings.ContainsAny(text, "<>") || strings.Count(text, "&") != len(entity.FindAllStringIndex(text, -1)) {
		return text
	}
	return entity.ReplaceAllStringFunc(text, func(escaped string) string {
		plain := html.UnescapeString(escaped)
		if plain != ";" && strings.HasSuffix(plain, ";") {
			return escaped // only its beginning is a known entity, which browsers accept
		}
		return plain
	})
}
