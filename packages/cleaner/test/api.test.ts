import * as api from '@pith-mcp/cleaner'
import { expect, test } from 'vitest'

test('exports these names', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "CleanError",
      "cleanHtml",
      "cleanMarkdown",
      "compilePage",
      "pithClean",
      "rehypeAnchors",
      "rehypeLimitDepth",
      "rehypeMainRegion",
      "rehypeMarkdown",
      "rehypeParse5",
      "rehypeProfile",
      "rehypeStripNoise",
      "rehypeTabs",
      "subtreeOf",
      "toChunks",
      "toMarkdown",
    ]
  `)
})
