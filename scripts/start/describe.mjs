import { encode } from 'gpt-tokenizer/encoding/o200k_base'

/** Characters of a line of the answer that are shown, and lines of it. */
const maxWidth = 64
const maxLines = 3
/** Clients that get a line of their own; the others are named. */
const maxClients = 4

const otherServers = [
  ['node apps/aggregator-mcp/dist/main.js meter', 'what MCP servers cost in your sessions'],
  ['node apps/aggregator-mcp/dist/main.js import', 'put many servers behind one endpoint'],
  ['node apps/code-mcp/dist/main.js --help', 'read source code function by function'],
]

/** All that `npm start` prints, line by line, and how many lines end with what the answer costs. */
export function describeStart({ ready, answer, next }) {
  const shown = [describeReady(ready), '', ...describeAnswer(answer)]
  const lines = [...shown, '', ...describeNext({ ...next, question: answer.question })]
  return { lines, costsEnd: shown.length }
}

/** How long it took to get ready, and what it takes on the disk; nothing was added the second time. */
function describeReady({ seconds, here, cache }) {
  if (here === undefined)
    return `Answered in ${seconds.toFixed(1)} s; everything was installed and built before.`
  const added = cache === undefined ? '' : `, ${megabytes(cache)} in the package cache`
  return `Ready in ${Math.round(seconds)} s. On disk: ${megabytes(here)} here${added}.`
}

/** What was asked and where it is answered, and what each text costs a model, dearest first. */
export const figuresOf = ({ question, url, answer, pages }) => ({
  question,
  url,
  texts: [...pages, { name: 'with Pith', text: answer }].map(({ name, text }) => ({
    name,
    characters: text.length,
    tokens: tokensOf(text),
  })),
})

/** What was asked, what came back, and what it cost. */
function describeAnswer(answer) {
  const { title, section } = answer
  const { question, url, texts } = figuresOf(answer)
  const width = 26
  const row = ([name, characters, tokens, note = '']) =>
    `${name.padEnd(width)}${characters.padStart(10)}${tokens.padStart(9)}${note}`
  const costs = ({ name, characters, tokens }, note) =>
    row([name, count(characters), count(tokens), note])
  const [page, pith] = [texts.at(-2), texts.at(-1)]
  const saved = 1 - pith.tokens / page.tokens
  return [
    `Question  ${question}`,
    `Source    ${title}`,
    `Answer    ${url}`,
    ...excerpt(section),
    '',
    row(['What a model reads', 'characters', 'tokens']),
    ...texts.slice(0, -1).map((text) => costs(text)),
    costs(pith, saved > 0 ? `  ${Math.round(saved * 100)} % less` : ''),
    ...(saved > 0 ? [] : ['The page is so short that reading it whole costs no more.']),
  ]
}

/** The first lines of a section, without its heading and the fences of code. */
function excerpt(section) {
  const lines = section
    .split('\n')
    .filter((line) => line.trim() && !/^(#+ |```)/.test(line))
    .flatMap(wrap)
  const shown = lines.slice(0, maxLines)
  const more = lines.length - shown.length
  return [...shown, ...(more > 0 ? [`… ${more} more lines`] : [])].map((line) => `  │ ${line}`)
}

/** Parts of a line that are no longer than `maxWidth`, cut at spaces where there are any. */
function wrap(line) {
  const parts = line.match(new RegExp(`.{1,${maxWidth}}(?=\\s|$)|\\S{${maxWidth}}`, 'g'))
  return parts.map((part, at) => (at === 0 ? part : part.trimStart()))
}

/**
 * How to connect the clients that are here, and what else can be done.
 *
 * @param main The file of docs-mcp, and `source` what it shall serve, as they are to be typed.
 */
function describeNext({ clients, supported, isAll, main, source, question }) {
  const add = (client) => ['node', main, 'add', client, '--user', source].filter(Boolean).join(' ')
  return [
    ...describeClients({ clients, supported }, add),
    source
      ? `Restart it, then ask: ${question}`
      : 'Restart it, then ask about a package that your project has installed.',
    '',
    ...columns([
      ['npm start -- <url or folder> [words]', 'ask your own documentation'],
      ...(isAll ? otherServers : [['npm start -- --all', 'build the other two servers as well']]),
      ['docs/index.md', 'read the manual'],
    ]),
  ]
}

function describeClients({ clients, supported }, add) {
  if (clients.length === 0)
    return [
      'Connect an MCP client. None was found on this computer; for any of them:',
      `  ${add('<client>')}`,
      `  (${supported.join(', ')})`,
    ]
  const others = clients.slice(maxClients).map(({ name }) => name)
  return [
    `Connect an MCP client. Found on this computer: ${clients.map(({ title }) => title).join(', ')}`,
    ...clients.slice(0, maxClients).map(({ name }) => `  ${add(name)}`),
    ...(others.length > 0 ? [`  and the same with ${others.join(', ')}`] : []),
  ]
}

function columns(rows) {
  const width = Math.max(...rows.map(([first]) => first.length))
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`)
}

/** As the o200k vocabulary of current models counts them. */
const tokensOf = (text) => encode(text).length
const count = (value) => value.toLocaleString('en-US')
const megabytes = (bytes) => `${Math.round(bytes / 1e6)} MB`
