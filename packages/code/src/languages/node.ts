/**
 * What is read of a node of web-tree-sitter, whose own types name types of Emscripten and of browsers
 * that users of this package do not have.
 */
export interface Node {
  readonly id: number
  readonly type: string
  readonly typeId: number
  readonly text: string
  readonly startIndex: number
  readonly endIndex: number
  readonly hasError: boolean
  readonly parent: Node | null
  readonly children: Node[]
  readonly namedChildren: Node[]
  readonly namedChildCount: number
  readonly firstNamedChild: Node | null
  readonly lastNamedChild: Node | null
  readonly lastChild: Node | null
  readonly previousSibling: Node | null
  readonly previousNamedSibling: Node | null
  readonly nextNamedSibling: Node | null
  namedChild(index: number): Node | null
  childForFieldName(name: string): Node | null
  childrenForFieldName(name: string): Node[]
  childWithDescendant(descendant: Node): Node | null
}
