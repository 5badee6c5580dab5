// Page tokens as a model would miscopy them: every drop, double, swap and substitution of every
// character of the tokens of many texts, and tokens of texts that have changed since.
//   node slips.mjs
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { decodePageToken, encodePageToken, paginate } from '../../packages/paginator/dist/index.js'

const signs = '0123456789abcdefghijklmnopqrstuvwxyz.'
const texts = 12
let mended = 0
let refused = 0
let wrong = 0
let stale = 0
let longest = 0

function* slips(text) {
  for (let at = 0; at < text.length; at++) {
    yield text.slice(0, at) + text.slice(at + 1)
    yield text.slice(0, at) + text[at] + text.slice(at)
    if (at + 1 < text.length) yield text.slice(0, at) + text[at + 1] + text[at] + text.slice(at + 2)
    for (const sign of signs) yield text.slice(0, at) + sign + text.slice(at + 1)
  }
}

for (let number = 0; number < texts; number++) {
  const resource = `https://example.org/guide/${number}`
  const content = Array.from(
    { length: 300 + 150 * number },
    (_, at) => `Line ${at} of ${number}.`,
  ).join('\n')
  const starts = paginate(content, { budget: 1000 }).map(({ start }) => start)
  for (const start of starts) {
    const token = encodePageToken({ resource, start, content })
    longest = Math.max(longest, countTokens(token))
    for (const slip of slips(token)) {
      const result = decodePageToken(slip, { resource, content, starts: () => starts })
      if (!result.ok) refused++
      else if (result.start === start) mended++
      else wrong++
    }
    if (decodePageToken(token, { resource, content: `${content}.`, starts: () => starts }).ok)
      stale++
  }
}
console.log(
  `${mended + refused + wrong} slips: ${mended} mended or harmless, ${refused} refused, ${wrong} wrong pages`,
)
console.log(`stale tokens taken: ${stale}; the longest token costs ${longest} tokens of o200k`)
process.exitCode = wrong + stale === 0 ? 0 : 1
