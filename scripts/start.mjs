// From a fresh clone to an answer: install, build, then one real question through a real server.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { requireNode } from './pnpm-environment.mjs'
import { findClients } from './start/find-clients.mjs'
import { findSource } from './start/find-source.mjs'
import { prepare } from './start/prepare.mjs'
import { createProgress } from './start/progress.mjs'

const usage = `Install and build Pith, ask its documentation server one question, and show what the answer costs.

  npm start                                     ask a sample that needs no network
  npm start -- <url or folder> [words]          ask your own documentation
  npm start -- --all [<url or folder> [words]]  build the other two servers as well
  npm start -- --fresh                          install and build even if nothing has changed
  npm start -- --json                           print the answer and its figures as JSON

A folder holds HTML or Markdown. Without words, Pith takes a heading of the documentation.`

requireNode()
const { all, fresh, json, name, words } = readArguments()
const progress = createProgress()
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stopping.abort())

try {
  await start(stopping.signal)
} catch (error) {
  progress.end()
  const isStopped = stopping.signal.aborted
  console.error(isStopped ? 'Stopped. Run npm start again to go on.' : error.message)
  process.exitCode = isStopped ? 130 : 1
}

async function start(signal) {
  const given = findSource(name)
  const ready = await prepare({ all, fresh, started: performance.timeOrigin, progress, signal })
  progress.begin('Asking')
  // What was installed only now is needed; it loads while the server reads.
  const { demonstrate } = await import('./start/demonstrate.mjs')
  const onProgress = (done, total) =>
    progress.update(`${done}${total ? ` of ${total}` : ''} pages read`)
  const [answer, clients, { describeStart, figuresOf }] = await Promise.all([
    demonstrate({ given, words, signal, onProgress }),
    findClients({ signal }),
    import('./start/describe.mjs'),
  ])
  progress.end()
  const file = 'apps/docs-mcp/dist/main.js'
  const isHere = resolve(process.env.INIT_CWD ?? '.') === resolve('.')
  const next = {
    ...clients,
    isAll: ready.isAll,
    main: isHere ? file : quoted(resolve(file)),
    source: given && quoted(given),
  }
  // All that was waited for, the answer included.
  const seconds = performance.now() / 1000
  const printed = describeStart({ ready: { ...ready, seconds }, answer, next })
  console.log(
    json
      ? JSON.stringify({ ...ready, seconds, ...figuresOf(answer), ...printed })
      : printed.lines.join('\n'),
  )
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: {
        all: { type: 'boolean', default: false },
        fresh: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
    })
    if (values.help) {
      console.log(usage)
      return process.exit()
    }
    const [name, ...words] = positionals
    return { ...values, name, words: words.join(' ') }
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`)
    return process.exit(2)
  }
}

function quoted(text) {
  if (/^[\w@%+=:,./\\-]+$/.test(text)) return text
  return process.platform === 'win32' ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`
}
