import { fileURLToPath } from 'node:url'
import { Language, Parser } from 'web-tree-sitter'
import { grammarsFolder } from '../grammars-folder.ts'

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
export const memoryInUse = (): number => memory.buffer.byteLength

let isReady: Promise<void> | undefined
const loaded = new Map<string, Promise<Language>>()

/** Load a grammar once and on demand, because each takes memory and compile time. */
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
