import { openApi } from '@pith-mcp/console/server'
import { expect, test } from 'vitest'
import { apiOf } from '../../src/operations/api-of.ts'

const describeApi = () => openApi(apiOf({} as never))

test('the description of the API is the one in the manual', async () => {
  const text = `${JSON.stringify(describeApi(), null, 2)}\n`
  await expect(text).toMatchFileSnapshot('../../../../docs/aggregator-api.json')
})

test('whatever is named in it is described', () => {
  const api = describeApi() as { components: { schemas: Record<string, unknown> } }
  const named = JSON.stringify(api).matchAll(/"#\/components\/schemas\/([^"]+)"/g)
  for (const [, name = ''] of named) expect(api.components.schemas).toHaveProperty([name])
})

test('each operation has a name of its own', () => {
  const { paths } = describeApi() as {
    paths: Record<string, Record<string, { operationId: string }>>
  }
  const ids = Object.values(paths).flatMap((path) =>
    Object.values(path).map((one) => one.operationId),
  )
  expect(ids.length).toBeGreaterThan(25)
  expect(new Set(ids).size).toBe(ids.length)
})
