import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { toMarkdown } from '@pith-mcp/cleaner'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { isTable } from '../../base/src/table.ts'
import { openapi } from '../src/readers/openapi.ts'

// Each text of a description is on its page, or the page counts the key that has it. PITH_OPENAPI names
// a folder of further descriptions.

const folders = [
  join(import.meta.dirname, 'fixtures/documents/openapi'),
  ...(process.env['PITH_OPENAPI']?.split(':') ?? []),
]
const files = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => /(?<!truth)\.(?:json|ya?ml)$/.test(path) && statSync(path).isFile()),
)

const letters = (text: string) =>
  text.replace(/\]\([^)]*\)/g, '').replace(/<br>|[^\p{L}\p{N}]+/gu, '')
/** Said in other words, or by what stands there. */
const isSaid = (keys: readonly string[], value: string) =>
  /type: (?:object|array)|\$ref: .*\/(?!schemas\/)\w+\/\w+$/.test(`${keys.at(-1)}: ${value}`) ||
  /^(?:consumes|produces|schemes)$/.test(keys[0] ?? '') ||
  value === 'application/json'

/** Texts and numbers below a value, with the keys that lead to them. */
function* valuesIn(value: unknown, keys: readonly string[] = []): Generator<[string, string[]]> {
  if (Array.isArray(value)) for (const each of value) yield* valuesIn(each, keys)
  else if (isTable(value))
    for (const [key, each] of Object.entries(value)) yield* valuesIn(each, [...keys, key])
  else if (typeof value === 'string' || typeof value === 'number') yield [String(value), [...keys]]
}

const isCounted = (keys: readonly string[], unread: string) =>
  keys.some((key) => unread.includes(`\`${key}\``) || key.startsWith('x-'))

test.for(files)('%s: each value is on the page, or its key is counted', async (path) => {
  const source = readFileSync(path, 'utf8')
  if (!openapi.recognises?.(source)) return
  const page = await openapi.read(source, { url: path })
  const unread = (page.health.unread ?? []).join(' ')
  const text = letters(`${toMarkdown(page)} ${page.sections.map(({ id }) => id).join(' ')}`)
  const lacking = [...valuesIn(parse(source, { merge: true }))].flatMap(([value, keys]) => {
    const words = letters(value.startsWith('#') ? (value.split('/').at(-1) ?? '') : value)
    return text.includes(words) || isSaid(keys, value) || isCounted(keys, unread)
      ? []
      : [`${keys.join('.')}: ${value}`]
  })
  expect(lacking.slice(0, 8), unread).toEqual([])
})
