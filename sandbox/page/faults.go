package page

import "net/http"

func (p *Page) faultRoutes(*http.ServeMux) {}
