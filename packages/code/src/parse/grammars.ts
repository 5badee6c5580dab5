import { fileURLToPath } from 'node:url'
import { Language, Parser } from 'web-tree-sitter'
import { grammarsFolder } from '../grammars-folder.ts'

/** As far as it is used here; it is of the language, but not of its types without a browser's. */
declare const WebAssembly: {
  Memory: new (size: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer }
}

/** Pages of 64 KB. It grows as it has to, and never shrinks. */
const memory = new WebAssembly.Memory({ initial: 512, maximum: 32_768 })

/** Bytes that parsers have taken. */
export const memoryInUse = (): number => memory.buffer.byteLength

let isReady: Promise<void> | undefined
const loaded = new Map<string, Promise<Language>>()

/** A grammar, loaded once and only when it is asked for: each takes memory and compiling. */
export async function loadGrammar(name: string): Promise<Language> {
  isReady ??= Parser.init({ wasmMemory: memory })
  await isReady
  const known = loaded.get(name)
  if (known) return known
  const loading = Language.load(fileURLToPath(new URL(`${name}.wasm`, grammarsFolder)))
  loaded.set(name, loading)
  loading.catch(() => loaded.delete(name))
  return loading
}
