// Command go-facts copies packages of Go's own library into a folder, as they are built here, and prints
// as JSON which of their types implement each of their interfaces: go run go-facts.go FOLDER io,net/http
package main

import (
	"encoding/json"
	"fmt"
	"go/build"
	"go/importer"
	"go/token"
	"go/types"
	"io/ioutil"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

func main() {
	out := os.Args[1]
	roots := strings.Split(os.Args[2], ",")
	goroot := build.Default.GOROOT
	fset := token.NewFileSet()
	imp := importer.ForCompiler(fset, "source", nil)
	type pk struct {
		path string
		p    *types.Package
	}
	var pkgs []pk
	for _, r := range roots {
		base := filepath.Join(goroot, "src", r)
		filepath.Walk(base, func(p string, info os.FileInfo, err error) error {
			if err != nil || !info.IsDir() {
				return nil
			}
			if strings.Contains(p, "testdata") {
				return filepath.SkipDir
			}
			bp, err := build.ImportDir(p, 0)
			if err != nil {
				return nil
			}
			rel, _ := filepath.Rel(filepath.Join(goroot, "src"), p)
			for _, f := range append(append([]string{}, bp.GoFiles...), bp.CgoFiles...) {
				src, _ := ioutil.ReadFile(filepath.Join(p, f))
				os.MkdirAll(filepath.Join(out, rel), 0755)
				ioutil.WriteFile(filepath.Join(out, rel, f), src, 0644)
			}
			tp, err := imp.Import(rel)
			if err != nil || tp == nil {
				fmt.Fprintln(os.Stderr, rel, err)
				return nil
			}
			pkgs = append(pkgs, pk{rel, tp})
			return nil
		})
	}
	var named []*types.Named
	for _, p := range pkgs {
		sc := p.p.Scope()
		for _, n := range sc.Names() {
			if tn, ok := sc.Lookup(n).(*types.TypeName); ok && !tn.IsAlias() {
				if nm, ok := tn.Type().(*types.Named); ok {
					named = append(named, nm)
				}
			}
		}
	}
	res := map[string][]string{}
	for _, n := range named {
		it, ok := n.Underlying().(*types.Interface)
		if !ok || it.NumMethods() == 0 || n.TypeParams().Len() > 0 {
			continue
		}
		var list []string
		for _, t := range named {
			if types.IsInterface(t) || t.TypeParams().Len() > 0 {
				continue
			}
			if types.Implements(t, it) || types.Implements(types.NewPointer(t), it) {
				list = append(list, t.Obj().Pkg().Path()+"."+t.Obj().Name())
			}
		}
		sort.Strings(list)
		res[n.Obj().Pkg().Path()+"."+n.Obj().Name()] = list
	}
	json.NewEncoder(os.Stdout).Encode(res)
}
