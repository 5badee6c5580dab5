import { readConfig } from '@pith-mcp/aggregator'
import { allClients } from '@pith-mcp/server-kit/clients'
import type { Table } from '@pith-mcp/server-kit/files'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planImport } from '../src/plan/plan-import.ts'
import { surroundings } from './import-tree.ts'

const value = fc.oneof(
  fc.constantFrom(
    'x',
    '',
    './x',
    'https://a.example.com',
    '${A}',
    '${workspaceFolder}',
    'stdio',
    'sse',
  ),
  fc.constantFrom<unknown>(
    true,
    false,
    null,
    0,
    -1,
    1e9,
    [],
    {},
    ['x'],
    [1],
    { A: 'x' },
    { A: null },
  ),
  fc.jsonValue({ maxDepth: 2 }).filter((one) => !JSON.stringify(one).includes('__proto__')),
)

/** TOML files that contain this name are refused. */
const name = fc.string().filter((one) => !one.includes('__proto__'))

test.for(allClients)(
  '$name: whatever an entry says, it is moved rightly or stays',
  async (client) => {
    const entry = fc.dictionary(fc.constantFrom(...Object.keys(client.rules), 'unheard'), value)
    const around = surroundings('/home/ada', { cwd: '/home/ada/shop' })
    const [[place] = []] = client.locations(around)
    if (place === undefined) throw new Error(client.name)
    const own = { named: '/own.json', path: '/own.json', before: undefined }
    const options = { name: 'pith', copy: true, project: true }
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, entry, { maxKeys: 4 }), async (servers) => {
        const text =
          client.format === 'toml'
            ? tomlText(servers)
            : JSON.stringify(
                place.at.reduceRight<Table>((inner, key) => ({ [key]: inner }), servers),
              )
        const files = [{ client, location: place, path: place.file, text, otherFiles: {} }]
        const plan = await planImport({ files, unreadable: [] }, own, options, around)
        const [edit] = plan.edits
        if (edit !== undefined) await expect(readConfig(edit.after, {})).resolves.toBeDefined()
        const [planned] = plan.locations
        const named = [
          ...(planned?.servers ?? []).map(({ from }) => from),
          ...(planned?.staying ?? []).map(({ name }) => name),
        ]
        expect(plan.refused).toEqual([])
        expect(named.sort()).toEqual(Object.keys(servers).sort())
      }),
      { numRuns: 150 },
    )
  },
)

/** What TOML can say of it, in lines of pairs. */
const tomlText = (servers: Record<string, Table>): string =>
  `[mcp_servers]\n${Object.entries(servers).map(tomlLine).join('')}`
const tomlLine = ([name, entry]: [string, unknown]): string =>
  `${JSON.stringify(name)} = ${tomlValue(entry)}\n`
function tomlValue(one: unknown): string {
  if (Array.isArray(one)) return `[${one.map(tomlValue).join(', ')}]`
  if (typeof one !== 'object' || one === null)
    return typeof one === 'number' ? one.toFixed(3) : JSON.stringify(one ?? 'null')
  const pairs = Object.entries(one).map(
    ([key, value]) => `${JSON.stringify(key)} = ${tomlValue(value)}`,
  )
  return `{ ${pairs.join(', ')} }`
}
