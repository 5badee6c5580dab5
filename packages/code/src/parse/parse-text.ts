import { Parser } from 'web-tree-sitter'
import type { Language } from '../languages/language.ts'
import { recoverFunctions } from '../recover/recover-functions.ts'
import { loadGrammar } from './grammars.ts'
import type { Parsed } from './parsed.ts'
import { readTree } from './read-tree.ts'

/** The syntax of a text; `undefined` if that takes longer than `timeoutMs`. */
export async function parseText(
  text: string,
  language: Language,
  timeoutMs: number,
): Promise<Parsed | undefined> {
  const grammar = await loadGrammar(language.grammar)
  const until = performance.now() + timeoutMs
  const isOver = (): boolean => performance.now() > until
  const parser = new Parser()
  parser.setLanguage(grammar)
  try {
    const tree = parser.parse(text, null, { progressCallback: isOver as () => void })
    if (!tree) return undefined
    try {
      const parsed = readTree(tree, text, grammar, language, isOver)
      return parsed && recoverFunctions(parsed, text, language)
    } finally {
      tree.delete()
    }
  } finally {
    parser.delete()
  }
}
