import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { VectorStore } from '@pith-mcp/scorer'
import { replaceFile } from '../../files/replace-file.ts'

/** Stores vectors in a folder; without one they are not stored. */
export const createVectorStore = (folder: string | undefined): VectorStore =>
  folder === undefined
    ? { read: async () => [], write: async () => {} }
    : createFileVectorStore(join(folder, 'tools.txt'))

/** One line per vector: a key and base64 of little-endian 32-bit floats. */
function createFileVectorStore(path: string): VectorStore {
  const known = new Map<string, string>()
  const load = async (): Promise<void> => {
    for (const line of (await readFile(path, 'utf8').catch(() => '')).split('\n')) {
      const [key, vector] = line.split(' ')
      if (key && vector) known.set(key, vector)
    }
  }
  return {
    async read(keys) {
      await load()
      return keys.flatMap((key) => {
        const text = known.get(key)
        return text === undefined ? [] : [[key, decoded(text)] as const]
      })
    },
    async write(vectors) {
      await load()
      for (const [key, vector] of vectors) known.set(key, encoded(vector))
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      replaceFile(path, [...known].map(([key, vector]) => `${key} ${vector}\n`).join(''))
    },
  }
}

const encoded = (vector: Float32Array): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')

function decoded(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64')
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}
