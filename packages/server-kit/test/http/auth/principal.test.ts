import { expect, test } from 'vitest'
import { scopesOf } from '../../../src/http/auth/principals/principal.ts'

test('a token with a profile has no scope of the console, and mcp only if it is listed', () => {
  expect([...scopesOf(['mcp', 'console:admin'], 'docs')]).toEqual(['mcp'])
  expect([...scopesOf(['console:admin'], 'docs')]).toEqual([])
})
