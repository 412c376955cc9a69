package page

import "net/http"

func (p *Page) tourRoutes(*http.ServeMux) {}
