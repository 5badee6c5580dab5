import { fileURLToPath } from 'node:url'
import { Language, Parser } from 'web-tree-sitter'

const folder = new URL('../../grammars/', import.meta.url)

let isReady: Promise<void> | undefined
const loaded = new Map<string, Promise<Language>>()

/** A grammar, loaded once and only when it is asked for: each takes memory and compiling. */
export async function loadGrammar(name: string): Promise<Language> {
  isReady ??= Parser.init()
  await isReady
  const known = loaded.get(name)
  if (known) return known
  const loading = Language.load(fileURLToPath(new URL(`${name}.wasm`, folder)))
  loaded.set(name, loading)
  loading.catch(() => loaded.delete(name))
  return loading
}
