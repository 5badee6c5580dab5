import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { type Node, Parser, Query } from 'web-tree-sitter'
import { languageOf } from '../../src/languages/all-languages.ts'
import { loadGrammar } from '../../src/parse/parse-text.ts'
import { fixtures, fixtureText } from './fixtures.ts'
import { placesOf, readSource } from './read-source.ts'

// The grammars are installed for the script that gathers them.
const { resolve } = createRequire(
  new URL('../../../../scripts/grammars/package.json', import.meta.url),
)

/** Packages whose queries find the definitions of a language; Kotlin's, Swift's, Dart's and Bash's have none. */
const packages: Readonly<Record<string, readonly string[]>> = {
  javascript: ['tree-sitter-javascript'],
  typescript: ['tree-sitter-javascript', 'tree-sitter-typescript'],
  tsx: ['tree-sitter-javascript', 'tree-sitter-typescript'],
  python: ['tree-sitter-python'],
  go: ['tree-sitter-go'],
  rust: ['tree-sitter-rust'],
  java: ['tree-sitter-java'],
  c: ['tree-sitter-c'],
  cpp: ['tree-sitter-cpp'],
  csharp: ['tree-sitter-c-sharp'],
  ruby: ['tree-sitter-ruby'],
  php: ['tree-sitter-php'],
  scala: ['tree-sitter-scala'],
  lua: ['@tree-sitter-grammars/tree-sitter-lua'],
}

/** What the queries find and we do not give, by the language and the type of the node. */
const exceptions: Readonly<Record<string, string>> = {
  'c function_declarator': 'declared, and defined elsewhere in the file',
  'cpp function_declarator': 'declared, and defined elsewhere in the file',
  'cpp class_specifier': 'declared, and defined elsewhere in the file',
  'typescript function_signature': 'declared, and defined elsewhere in the file',
  'typescript method_signature': 'declared, and defined elsewhere in the file',
  'lua assignment_statement': 'one of several variables that are assigned at once',
  'rust mod_item': 'a module in another file',
  'php namespace_definition': 'without braces, it holds nothing',
  'scala package_clause': 'without braces, it holds nothing',
  'scala simple_enum_case': 'a value',
  'scala full_enum_case': 'a value',
}

interface Found {
  name: string
  node: Node
}

function definitionsIn(root: Node, query: Query): Found[] {
  return query.matches(root).flatMap(({ captures }) => {
    const name = captures.find((capture) => capture.name === 'name')
    const definition = captures.find(({ name: kind }) =>
      /^definition\.(?:function|method|class|interface|module|macro)$/.test(kind),
    )
    if (!name || !definition) return []
    // A field of a table is given as the whole table.
    const isTable = definition.node.type === 'table_constructor'
    const node = isTable ? (name.node.parent ?? name.node) : definition.node
    return [{ name: name.node.text, node }]
  })
}

const compared = fixtures.filter((name) => packages[name.slice(0, name.indexOf('/'))])

test.for(compared)('%s has all that the queries of its grammar find', async (name) => {
  const text = fixtureText(name)
  const language = languageOf(name, text)
  if (!language) throw new Error(`${name} has no language.`)
  const grammar = await loadGrammar(language.grammar ?? language.name)
  const queries = (packages[language.name] ?? [])
    .map((from) => readFileSync(resolve(`${from}/queries/tags.scm`), 'utf8'))
    .join('\n')
  const parser = new Parser()
  parser.setLanguage(grammar)
  const tree = parser.parse(text)
  const found = tree ? definitionsIn(tree.rootNode, new Query(grammar, queries)) : []
  const places = placesOf(await readSource(name, text))
  const missing = found.filter(({ name: requested, node }) => {
    const first = node.startPosition.row + 1
    // Closed by indentation, it goes on to what follows it.
    const last = first + node.text.trimEnd().split('\n').length - 1
    const names = requested.split(/::|\.|\\/).join('/')
    return !places.some(
      (place) =>
        `/${place.path.replace(/\[\d+\]$/, '')}`.endsWith(`/${names}`) &&
        place.first <= first &&
        place.last >= last,
    )
  })
  expect(found.length).toBeGreaterThan(0)
  expect(
    missing
      .filter(({ node }) => !exceptions[`${language.name} ${node.type}`])
      .map(
        ({ name: requested, node }) => `${node.type} ${requested} ${node.startPosition.row + 1}`,
      ),
  ).toEqual([])
})
