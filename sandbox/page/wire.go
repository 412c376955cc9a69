package page

import "net/http"

func (p *Page) wireRoutes(*http.ServeMux) {}
