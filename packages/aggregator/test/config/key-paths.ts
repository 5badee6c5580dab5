import { places } from '../../../servers/src/config/known-keys.ts'

/** Paths of all keys that hold a value and no further keys, such as `mcpServers.*.timeoutSeconds`. */
export const keyPaths = (): string[] => {
  const inner = new Set(places.map(({ path }) => path.join('.').replace(/\.(?:\*|\[\])$/, '')))
  const all = places.flatMap(({ path, keys }) => keys.map((key) => [...path, key].join('.')))
  return [...new Set(all)].filter((path) => !inner.has(path)).sort()
}
