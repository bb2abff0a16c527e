// The crawl of the benchmark with colly: follow a[href] within one host to the end, count HTML pages.
package main

import (
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/gocolly/colly/v2"
)

func main() {
	start, err := url.Parse(os.Args[1])
	if err != nil {
		panic(err)
	}
	parallel, _ := strconv.Atoi(os.Args[2])
	var pages atomic.Int64
	crawler := colly.NewCollector(colly.AllowedDomains(start.Host, start.Hostname()), colly.Async(true))
	crawler.Limit(&colly.LimitRule{DomainGlob: "*", Parallelism: parallel})
	crawler.OnResponse(func(response *colly.Response) {
		if strings.Contains(response.Headers.Get("Content-Type"), "html") {
			pages.Add(1)
		}
	})
	crawler.OnHTML("a[href]", func(element *colly.HTMLElement) {
		link, _, _ := strings.Cut(element.Request.AbsoluteURL(element.Attr("href")), "#")
		if strings.HasSuffix(link, ".html") || strings.HasSuffix(link, "/") {
			crawler.Visit(link)
		}
	})
	crawler.Visit(start.String())
	crawler.Wait()
	fmt.Println(pages.Load())
}
