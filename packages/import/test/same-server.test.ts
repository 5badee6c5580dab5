import { expect, test } from 'vitest'
import { isSameServer } from '../src/plan/name-servers.ts'

test('a server is the same in a sandbox as without: it is not taken over a second time', () => {
  const plain = { command: 'npx', args: ['-y', 'x'] }
  expect(isSameServer({ ...plain, sandbox: { network: true } }, plain)).toBe(true)
  expect(isSameServer({ ...plain, sandbox: {} }, { ...plain, args: ['-y', 'y'] })).toBe(false)
})
