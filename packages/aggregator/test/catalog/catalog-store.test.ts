import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../base/test/temporary-folder.ts'
import type { CatalogEntry } from '../../src/catalog/entries/catalog-entry.ts'
import { createMemoryCatalogStore } from '../../src/catalog/entries/catalog-store.ts'
import { createFileCatalogStore } from '../../src/catalog/entries/file-catalog-store.ts'

const root = temporaryFolder()

const entry = (server: string, name: string): CatalogEntry => ({
  server,
  fingerprint: 'f',
  era: 'legacy',
  capabilities: { tools: {} },
  readAt: 1,
  tools: [{ name, inputSchema: { 'x-odd': [null] } }],
  prompts: [],
  resources: [],
  resourceTemplates: [],
  skills: [],
})

describe.each([
  ['in memory', () => createMemoryCatalogStore()],
  ['in files', () => createFileCatalogStore(join(root, crypto.randomUUID()))],
])('%s', (_name, create) => {
  test('what was written is read, by server', () => {
    const store = create()
    expect(store.read()).toEqual([])
    store.write(entry('a', 'x'))
    store.write(entry('odd name/..', 'z'))
    store.write(entry('a', 'w'))
    expect(store.read()).toEqual(expect.arrayContaining([entry('a', 'w')]))
    expect(store.read()).toHaveLength(2)
  })
})

describe('in files', () => {
  test('what is damaged is left out, and told', () => {
    const folder = join(root, 'damaged')
    const logs: string[] = []
    const store = createFileCatalogStore(folder, (line) => void logs.push(line))
    store.write(entry('a', 'x'))
    writeFileSync(join(folder, 'b.json'), '[{"server": "b"')
    writeFileSync(join(folder, 'c.json'), '{"not": "entries"}')
    expect(store.read()).toEqual([entry('a', 'x')])
    expect(logs).toHaveLength(2)
  })

  test('a folder that cannot be made is told, not thrown', () => {
    writeFileSync(join(root, 'file'), '')
    const logs: string[] = []
    const store = createFileCatalogStore(join(root, 'file', 'x'), (line) => void logs.push(line))
    store.write(entry('a', 'x'))
    expect(store.read()).toEqual([])
    expect(logs[0]).toContain('could not be stored')
  })

  test('no name leads out of the folder', () => {
    const folder = join(root, 'inside')
    createFileCatalogStore(folder).write(entry('../../outside', 'x'))
    expect(readdirSync(folder)).toHaveLength(1)
    expect(existsSync(join(root, '..', 'outside.json'))).toBe(false)
  })
})
