import * as api from '@pith-mcp/code'
import { expect, test } from 'vitest'

test('exports these names', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "CodeError",
      "createCode",
      "defaultPageTokens",
      "maxPageTokens",
    ]
  `)
})
