// Definitions and calls of Go files, one JSON line a file: go run facts.go ROOT FILE...
package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
)

type def struct {
	Name  string   `json:"name"`
	Kind  string   `json:"kind"`
	Line  int      `json:"line"`
	End   int      `json:"end"`
	Scope string   `json:"scope"`
	Bases []string `json:"bases"`
}

func nameOf(node ast.Expr) string {
	switch at := node.(type) {
	case *ast.StarExpr:
		return nameOf(at.X)
	case *ast.SelectorExpr:
		return at.Sel.Name
	case *ast.Ident:
		return at.Name
	}
	return ""
}

func main() {
	for _, file := range os.Args[2:] {
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, filepath.Join(os.Args[1], file), nil, 0)
		if err != nil {
			panic(err)
		}
		line := func(at token.Pos) int { return set.Position(at).Line }
		defs, calls := []def{}, [][]any{}
		ast.Inspect(tree, func(node ast.Node) bool {
			switch at := node.(type) {
			case *ast.FuncDecl:
				scope := ""
				if at.Recv != nil {
					scope = nameOf(at.Recv.List[0].Type)
				}
				defs = append(defs, def{at.Name.Name, "function", line(at.Pos()), line(at.End()), scope, []string{}})
			case *ast.TypeSpec:
				defs = append(defs, def{at.Name.Name, "class", line(at.Pos()), line(at.End()), "", []string{}})
			case *ast.ValueSpec:
				for _, name := range at.Names {
					defs = append(defs, def{name.Name, "value", line(name.Pos()), line(at.End()), "", []string{}})
				}
			case *ast.CallExpr:
				calls = append(calls, []any{nameOf(at.Fun), line(at.Pos())})
			}
			return true
		})
		json.NewEncoder(os.Stdout).Encode(map[string]any{"file": file, "defs": defs, "calls": calls})
	}
}
