import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'

/** What runs other programs, and the names of ours. */
const runners = new Set(['node:child_process', '@modelcontextprotocol/client/stdio'])
const programs = /dist\/main\.js|scripts\/start|\['start'/

/**
 * Regular expressions in scripts that run a program of ours, as `file: expression`. Programs answer as
 * JSON (`--json`, `--structured-content`); the sentences of a reply change with its content.
 */
export const expressionsOnReplies = () =>
  readdirSync('scripts', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mjs') && !name.includes('node_modules'))
    .map((name) => join('scripts', name))
    .flatMap(expressionsIn)

function expressionsIn(file) {
  const text = readFileSync(file, 'utf8')
  const { program, module } = parseSync(file, text)
  const isRunner = module.staticImports.some(({ moduleRequest }) =>
    runners.has(moduleRequest.value),
  )
  if (!isRunner || !programs.test(text)) return []
  const found = []
  new Visitor({
    Literal(node) {
      if ('regex' in node) found.push(`${file}: ${text.slice(node.start, node.end)}`)
    },
  }).visit(program)
  return found
}
