import { createContent, decodePageToken, encodePageToken, pageAt } from '@pith-mcp/paginator'

const resource = 'https://example.org/guide'
const content = createContent('First paragraph.\n\nSecond paragraph.\n\nThird paragraph.')

const first = pageAt(content, 0, 40)
console.log(first.text)

const token = encodePageToken({ resource, start: first.next ?? 0, content: content.text })
const decoded = decodePageToken(token, { resource, content: content.text })
if (decoded.ok) console.log(pageAt(content, decoded.start, 40).text)
