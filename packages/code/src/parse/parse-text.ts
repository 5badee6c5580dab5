import { Parser } from 'web-tree-sitter'
import type { Language } from '../languages/language.ts'
import { loadGrammar, memoryInUse } from './grammars.ts'
import type { Parsed } from './parsed.ts'
import { readTree } from './read-tree.ts'
import { recoverFunctions } from './recover-functions.ts'

/** The syntax of a text, or why it has none: in words that follow `since`. */
export type ParseOutcome = { parsed: Parsed } | { unparsed: string }

/** Of memory a text may take, in bytes: what each of its characters may, and what any text may. */
const mostPerCharacter = 48
const mostForAny = 64 * 2 ** 20
/** Of what a file defines. */
const mostDefinitions = 100_000

/** Parses a text within `timeoutMs`. */
export async function parseText(
  text: string,
  language: Language,
  timeoutMs: number,
): Promise<ParseOutcome> {
  const grammar = await loadGrammar(language.grammar)
  const until = performance.now() + timeoutMs
  const most = memoryInUse() + mostForAny + text.length * mostPerCharacter
  let unparsed = 'parsing it failed'
  const isOver = (): boolean => {
    if (performance.now() > until) unparsed = 'parsing it took too long'
    else if (memoryInUse() > most) unparsed = 'parsing it took too much memory'
    else return false
    return true
  }
  const parser = new Parser()
  parser.setLanguage(grammar)
  try {
    const tree = parser.parse(text, null, { progressCallback: isOver as () => void })
    if (!tree) return { unparsed }
    try {
      const parsed = readTree(tree, text, grammar, language, isOver)
      if (!parsed) return { unparsed }
      if (parsed.definitions.length > mostDefinitions)
        return {
          unparsed: `it defines more than ${mostDefinitions.toLocaleString('en-US')} things`,
        }
      return { parsed: recoverFunctions(parsed, text, language) }
    } finally {
      tree.delete()
    }
  } finally {
    parser.delete()
  }
}
