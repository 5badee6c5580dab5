import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { replaceFile, withLock } from '../src/replace-file.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()

test('a file is replaced, and only its owner can read it', () => {
  const path = join(folder, 'state.json')
  replaceFile(path, 'one')
  replaceFile(path, 'two', { isDurable: false })
  expect(readFileSync(path, 'utf8')).toBe('two')
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('a file that cannot be replaced leaves no draft', () => {
  const path = join(folder, 'missing', 'state.json')
  expect(() => replaceFile(path, 'one')).toThrow('ENOENT')
  expect(existsSync(join(folder, 'missing'))).toBe(false)
})

test('a lock that a dead process left is taken over, and a held one is waited for in vain', () => {
  const path = join(folder, 'locked')
  writeFileSync(`${path}.lock`, '')
  expect(() => withLock(path, () => 'done', 0)).toThrow('is held by another process.')
  const old = new Date(Date.now() - 60_000)
  utimesSync(`${path}.lock`, old, old)
  expect(withLock(path, () => 'done')).toBe('done')
  expect(existsSync(`${path}.lock`)).toBe(false)
})
