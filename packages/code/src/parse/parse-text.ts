import { fileURLToPath } from 'node:url'
import { Language as Grammar, Parser, type Tree } from 'web-tree-sitter'
import { createWorkLimit } from '#base/processor-time'
import { grammarsFolder } from '../grammars-folder.ts'
import type { Language } from '../languages/language.ts'
import type { DeclaredModule } from './declarations.ts'
import { nothing } from './parsed.ts'
import { readDefinitions, type TreeDefinitions } from './read-definitions.ts'
import { readPython } from './read-python.ts'
import { readTree } from './read-tree.ts'
import { readTypescript } from './read-typescript.ts'
import { readValues } from './read-values.ts'
import { recoverDefinitions } from './recover-definitions.ts'
import { nameSymbols, type OutlineOutcome, type ParseOutcome, timedOut } from './symbol-table.ts'

/** Bytes of memory that parsing may use: per character, and for any text. */
const maxPerCharacter = 48
const maxForAny = 64 * 2 ** 20
/** At most this many definitions in a file. */
const maxDefinitions = 100_000

/** Parse a text within `timeoutMs` of processor time. */
export const parseText = (
  text: string,
  language: Language,
  timeoutMs: number,
): Promise<ParseOutcome> =>
  inTree(text, language, timeoutMs, (tree, { definitions, behind }, isOver) => {
    const read = readTree(tree, text, language, behind, isOver)
    if (!read) return undefined
    const recovered = recoverDefinitions({ ...read, definitions }, text, language, tree)
    const { units, leads, tokens, hasErrors } = recovered
    const symbols = nameSymbols(recovered.definitions, text)
    const values = nameSymbols(readValues(tree, text, language, recovered.definitions), text)
    return { parsed: { units, leads, tokens, hasErrors }, symbols, values }
  })

/** Only the symbols of a text, without their tokens. */
export const outlineText = (
  text: string,
  language: Language,
  timeoutMs: number,
): Promise<OutlineOutcome> =>
  inTree(text, language, timeoutMs, (tree, outline) => {
    const read = { ...nothing, hasErrors: tree.rootNode.hasError, definitions: outline.definitions }
    const { definitions } = recoverDefinitions(read, text, language, tree)
    const values = nameSymbols(readValues(tree, text, language, definitions))
    return { symbols: nameSymbols(definitions), values }
  })

/** What a text of TypeScript or Python declares; `isAmbient`: it is a declaration file. */
export const declarationsIn = (
  text: string,
  language: Language,
  timeoutMs: number,
  isAmbient: boolean,
): Promise<DeclaredModule | { unparsed: string }> =>
  language.name === 'python'
    ? inTree(text, language, timeoutMs, ({ rootNode }) => readPython(rootNode, text))
    : inTree(text.replace(importedType, padded), language, timeoutMs, ({ rootNode }) =>
        readTypescript(rootNode, isAmbient, text),
      )

/** `import("…").A` as a type, which the grammar does not know. */
const importedType = /\bimport\((?:"[^"\n]{0,2000}"|'[^'\n]{0,2000}')\)/g
const padded = (match: string): string => 'I'.padEnd(match.length)

/** What `read` makes of the tree of a text and its definitions; nothing if it takes too long. */
async function inTree<Read>(
  text: string,
  language: Language,
  timeoutMs: number,
  read: (tree: Tree, outline: TreeDefinitions, isOver: () => boolean) => Read | undefined,
): Promise<Read | { unparsed: string }> {
  const grammar = await loadGrammar(language.grammar ?? language.name)
  const isLate = createWorkLimit(timeoutMs)
  const maxMemory = memoryInUse() + maxForAny + text.length * maxPerCharacter
  let unparsed = 'parsing failed'
  const isOver = (): boolean => {
    if (isLate()) unparsed = timedOut
    else if (memoryInUse() > maxMemory) unparsed = 'parsing exceeded the memory limit'
    else return false
    return true
  }
  const parser = new Parser()
  parser.setLanguage(grammar)
  try {
    const parsedText = inKnownWords(text, language)
    const tree = parser.parse(parsedText, null, {
      progressCallback: isOver as () => void,
    })
    if (!tree) return { unparsed }
    try {
      // Blanked attributes belong to what follows; what is outside a region does not.
      const texts = { text, parsedText: language.regions ? text : parsedText }
      const outline = readDefinitions(tree, texts, language, isOver)
      if (!outline) return { unparsed }
      if (outline.definitions.length > maxDefinitions)
        return {
          unparsed: `it defines more than ${maxDefinitions.toLocaleString('en-US')} symbols`,
        }
      return read(tree, outline, isOver) ?? { unparsed }
    } finally {
      tree.delete()
    }
  } finally {
    parser.delete()
  }
}

const inKnownWords = (text: string, { substitutes = [], regions }: Language): string =>
  substitutes.reduce(
    (output, [word, instead]) => output.replace(word, (match) => instead.padEnd(match.length)),
    regions ? regions(text) : text,
  )

/**
 * The part of WebAssembly that is used here; TypeScript declares it only with the types of
 * browsers.
 */
declare const WebAssembly: {
  Memory: new (size: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer }
}

/** Pages of 64 KB. The memory grows on demand and never shrinks. */
const memory = new WebAssembly.Memory({ initial: 512, maximum: 32_768 })

/** Bytes that parsers have allocated. */
const memoryInUse = (): number => memory.buffer.byteLength

let isReady: Promise<void> | undefined
const loaded = new Map<string, Promise<Grammar>>()

/** Load a grammar once and on demand, because each takes memory and compile time. */
export async function loadGrammar(name: string): Promise<Grammar> {
  isReady ??= Parser.init({ wasmMemory: memory })
  await isReady
  const grammar = loaded.get(name)
  if (grammar) return grammar
  const loading = Grammar.load(fileURLToPath(new URL(`${name}.wasm`, grammarsFolder)))
  loaded.set(name, loading)
  loading.catch(() => loaded.delete(name))
  return loading
}
