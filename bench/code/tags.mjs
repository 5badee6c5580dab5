// The baseline: functions by the grammar's own tags.scm, in the tree of web-tree-sitter alone.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Language, Parser, Query } from 'web-tree-sitter'

const library = new URL('../../packages/code/', import.meta.url)
const { resolve } = createRequire(new URL('package.json', library))

/** The same file that the library reads. */
export const grammarFile = (language) =>
  fileURLToPath(new URL(`grammars/${language}.wasm`, library))

/** Functions of a text as { name, startLine, endLine }, for as long as it is kept by its caller. */
export async function createTagger(language) {
  await Parser.init()
  const grammar = await Language.load(grammarFile(language))
  const parser = new Parser()
  parser.setLanguage(grammar)
  const tags = readFileSync(resolve(`tree-sitter-${language}/queries/tags.scm`), 'utf8')
  const query = new Query(grammar, tags)
  return (text) => {
    const tree = parser.parse(text)
    const functions = query.matches(tree.rootNode).flatMap(({ captures }) => {
      const name = captures.find((capture) => capture.name === 'name')?.node
      const tagged = captures.find(({ name: tag }) => /^definition\.(?:function|method)$/.test(tag))
      const node = tagged && whole(tagged.node)
      if (!node || !name) return []
      return [
        {
          name: name.text,
          startLine: node.startPosition.row + 1,
          endLine: node.endPosition.row + 1,
        },
      ]
    })
    tree.delete()
    return functions
  }
}

/** The tags of C name a declarator: the function around it is meant, if it has a body. */
function whole(node) {
  if (!/_declarator$/.test(node.type) || node.type === 'variable_declarator') return node
  let at = node
  while (at && /_declarator$/.test(at.type)) at = at.parent
  return at?.type === 'function_definition' ? at : undefined
}
