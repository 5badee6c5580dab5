import * as api from '@pith-mcp/paginator'
import { expect, test } from 'vitest'

test('exports these names', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "characterBoundary",
      "createContent",
      "decodePageToken",
      "describePage",
      "encodePageToken",
      "estimateTokens",
      "lastAtMost",
      "pageAt",
      "pageHeader",
      "paginate",
      "resolveLength",
      "scaleTokens",
    ]
  `)
})
