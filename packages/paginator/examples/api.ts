import { createContent, decodePageToken, encodePageToken, pageAt } from '@pith-mcp/paginator'

const orders = Array.from({ length: 40 }, (_, n) => ({ id: n + 1, total: 10 * n }))

/** What the API answers, 120 tokens of it, and the token for the next page. Nothing is kept. */
function reply(token = '') {
  // A piece for each item: a page never ends within one.
  const pieces = orders.map((order) => ({ kind: 'order', text: `${JSON.stringify(order)}\n` }))
  const content = createContent(pieces)
  const place = { resource: 'GET /orders', content: content.text }
  const asked = decodePageToken(token || encodePageToken({ ...place, start: 0 }), place)
  if (!asked.ok) return { text: `${asked.reason}: ask again without a token.` }
  const { text, next } = pageAt(content, asked.start, { budget: 120, unit: 'tokens' })
  return next === undefined ? { text } : { text, next: encodePageToken({ ...place, start: next }) }
}

const first = reply()
console.log(first.text, first.next)
const second = reply(first.next)
console.log(second.text, second.next)

orders.push({ id: 41, total: 400 })
console.log(reply(second.next).text)
// content_changed: ask again without a token.
