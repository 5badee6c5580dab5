import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import openapi, { astToString } from 'openapi-typescript'
import { expect, test } from 'vitest'

test('the types of the API are those of its description (pnpm --filter @pith-mcp/console types)', async () => {
  const description = new URL('../../../docs/aggregator-api.json', import.meta.url)
  const written = readFileSync(new URL('../web/api/schema.d.ts', import.meta.url), 'utf8')
  const types = astToString(await openapi(description))
  expect(written.slice(written.indexOf('export ')), fileURLToPath(description)).toBe(types)
})
