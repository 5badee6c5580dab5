import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isInside, nearestReal } from '../src/inside-folder.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()

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
