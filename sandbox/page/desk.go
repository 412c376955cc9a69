package page

import "net/http"

func (p *Page) deskRoutes(*http.ServeMux) {}
