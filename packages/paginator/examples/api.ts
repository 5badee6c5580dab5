import { createContent, decodePageToken, encodePageToken, pageAt } from '@pith-mcp/paginator'

const orders = Array.from({ length: 40 }, (_, n) => ({ id: n + 1, total: 10 * n }))

/** One page of 120 tokens, and the token for the next one. The API stores nothing between calls. */
function listOrders(token = '') {
  // One piece per item: a page never ends inside a piece.
  const pieces = orders.map((order) => ({ kind: 'order', text: `${JSON.stringify(order)}\n` }))
  const content = createContent(pieces)
  const place = { resource: 'GET /orders', content: content.text }
  const decoded = decodePageToken(token || encodePageToken({ ...place, start: 0 }), place)
  if (!decoded.ok) return { text: `${decoded.reason}: start again without a token.` }
  const { text, next } = pageAt(content, decoded.start, { budget: 120, unit: 'tokens' })
  return next === undefined ? { text } : { text, next: encodePageToken({ ...place, start: next }) }
}

const first = listOrders()
console.log(first.text, first.next)
const second = listOrders(first.next)
console.log(second.text, second.next)

orders.push({ id: 41, total: 400 })
console.log(listOrders(second.next).text)
// content_changed: start again without a token.
