// The crawl of the benchmark with katana: follow links within one host to the end, count HTML pages.
package main

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/projectdiscovery/gologger"
	"github.com/projectdiscovery/gologger/levels"
	"github.com/projectdiscovery/katana/pkg/engine/standard"
	"github.com/projectdiscovery/katana/pkg/output"
	"github.com/projectdiscovery/katana/pkg/types"
)

func main() {
	gologger.DefaultLogger.SetMaxLevel(levels.LevelSilent)
	parallel, _ := strconv.Atoi(os.Args[2])
	var pages atomic.Int64
	options, err := types.NewCrawlerOptions(&types.Options{
		MaxDepth:     math.MaxInt32,
		FieldScope:   "fqdn",
		BodyReadSize: math.MaxInt32,
		Timeout:      10,
		Concurrency:  parallel,
		Parallelism:  1,
		RateLimit:    math.MaxInt32,
		Strategy:     "breadth-first",
		Silent:       true,
		OnResult: func(result output.Result) {
			response := result.Response
			if response != nil && response.StatusCode == 200 && strings.Contains(response.Headers["Content-Type"], "html") {
				pages.Add(1)
			}
		},
	})
	if err != nil {
		panic(err)
	}
	defer options.Close()
	crawler, err := standard.New(options)
	if err != nil {
		panic(err)
	}
	defer crawler.Close()
	if err := crawler.Crawl(os.Args[1]); err != nil {
		panic(err)
	}
	fmt.Println(pages.Load())
}
