import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { isInside, nearestReal } from '../src/inside-folder.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pith-base-')))
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  ['', true],
  ['..notes', true],
  ['a/b', true],
  ['..', false],
  ['../sibling', false],
])('of a folder, %j is inside: %j', (path, inside) => {
  expect(isInside(join(folder, path), folder)).toBe(inside)
})

test('a missing path is that of its nearest parent', async () => {
  mkdirSync(join(folder, 'a'))
  expect(await nearestReal(join(folder, 'a'))).toEqual({ real: join(folder, 'a'), exists: true })
  const missing = join(folder, 'a', 'b', 'c')
  expect(await nearestReal(missing)).toEqual({ real: join(folder, 'a'), exists: false })
})
