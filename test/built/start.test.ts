import { execFile, spawn } from 'node:child_process'
import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { main } from './manual-page.ts'

const execute = promisify(execFile)
const start = resolve('scripts/start.mjs')
const { packageManager: hashed } = JSON.parse(readFileSync('package.json', 'utf8'))
const [packageManager] = hashed.split('+')

interface Client {
  name: string
  title: string
}
interface Answer {
  question: string
  url: string
  section: string
  answer: string
}
interface Printed {
  lines: string[]
  costsEnd: number
}

/** The scripts have no types of their own. */
const scripts = new URL('../../scripts/start/', import.meta.url)
const load = (name: string) => import(new URL(`${name}.mjs`, scripts).href)
const { demonstrate } = (await load('demonstrate')) as {
  demonstrate: (options: {
    given?: string
    words?: string | undefined
    keep?: boolean
  }) => Promise<Answer>
}
const { describeStart } = (await load('describe')) as {
  describeStart: (all: {
    ready: { seconds: number; here?: number; cache?: number }
    answer: Answer
    next: { clients: Client[]; supported: string[]; isAll: boolean; main: string; source?: string }
  }) => Printed
}
const { createDiskUsage } = (await load('disk-usage')) as {
  createDiskUsage: () => (
    folder: string,
    options?: { since?: number; timeout?: number },
  ) => number | undefined
}
const { findClients } = (await load('find-clients')) as {
  findClients: (options?: { env?: Record<string, string> }) => Promise<{
    clients: Client[]
    supported: string[]
  }>
}
const { recordedLines, themeNames } = (await load('recording')) as {
  recordedLines: (printed: Printed) => string[]
  themeNames: string[]
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pith start '))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('what npm start prints', () => {
  let answer: Answer
  let printed: Printed
  beforeAll(async () => {
    answer = await demonstrate({})
    printed = describeStart({
      ready: { seconds: 12, here: 486e6, cache: 65e6 },
      answer,
      next: {
        clients: [{ name: 'cursor', title: 'Cursor' }],
        supported: ['cursor'],
        isAll: false,
        main: 'apps/docs-mcp/dist/main.js',
      },
    })
  })

  test.for(themeNames)('is what the %s picture of the README shows', (theme) => {
    const [command, ...shown] = readRecording(readFileSync(`docs/start-${theme}.svg`, 'utf8'))
    expect(command).toBe('$ npm start')
    expect(
      withoutMeasures(shown),
      'If the new output is right, node scripts/record-start.mjs draws it.',
    ).toEqual(withoutMeasures(recordedLines(printed)))
  })

  test('has each figure that the README and the manual take from it', () => {
    const readme = readFileSync('README.md', 'utf8')
    const figuresOf = (text = '') => text.match(/\d[\d,]*/g) ?? []
    const rowOf = (start: string) => figuresOf(printed.lines.find((line) => line.startsWith(start)))
    const [whole, part] = [rowOf('the whole page'), rowOf('with Pith')]
    const lineOf = (start: string) =>
      figuresOf(readme.split('\n').find((line) => line.startsWith(start)))
    expect(figuresOf(/alt="([^"]+)"/.exec(readme)?.[1])).toEqual([whole[1], part[1]])
    expect(lineOf('- **Without Pith**')).toEqual(whole)
    expect(lineOf('- **With Pith**')).toEqual(part)
    const [, saved] =
      /^\*\*What it saves:\*\*(.*?)\./m.exec(readFileSync('docs/index.md', 'utf8')) ?? []
    expect(figuresOf(saved)).toEqual([whole[1], part[1]])
  })

  test('has each line of the replies that the README quotes', () => {
    const transcript = /\nYou {4}[\s\S]*?\n```/.exec(readFileSync('README.md', 'utf8'))?.[0] ?? ''
    const quoted = transcript.match(/^ {7}[^…\n].*$/gm) ?? []
    expect(quoted.length).toBeGreaterThan(5)
    expect(quoted.filter((line) => !answer.answer.includes(line.trim()))).toEqual([])
  })

  test('begins with how long the answer took where nothing was installed', () => {
    const next = { clients: [], supported: [], isAll: false, main: 'main.js' }
    const { lines } = describeStart({ ready: { seconds: 1.26 }, answer, next })
    expect(lines[0]).toBe('Answered in 1.3 s; everything was installed and built before.')
  })

  test('fits a terminal of 80 columns and 24 lines', () => {
    expect(printed.lines.length).toBeLessThanOrEqual(24)
    expect(printed.lines.filter((line) => line.length > 79)).toEqual([])
  })
})

/** The lines of a picture, as they were drawn. */
const readRecording = (svg: string): string[] =>
  [...svg.matchAll(/<text [^>]*>(.*?)<\/text>/g)].map(([, text = '']) =>
    text
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&'),
  )

/** Seconds and megabytes are those of the machine. */
const withoutMeasures = (lines: string[]): string[] =>
  lines.map((line) => line.replace(/\d+ (?=s\b|MB\b)/g, 'N '))

test('a folder of your own is asked, and is what the client is connected to', async () => {
  const page = join(folder, 'ferry.html')
  writeFileSync(
    page,
    `<title>Ferry</title><main><h1>Ferry</h1><h2 id="fares">Fares</h2><p>A child pays half.</p>${'<h2>Timetable</h2><p>There is a boat every hour, on Sundays every two hours.</p>'.repeat(40)}</main>`,
  )
  const answer = await demonstrate({ given: folder, words: 'fares', keep: false })
  const next = {
    clients: [],
    supported: ['cursor', 'zed'],
    isAll: true,
    main: 'main.js',
    source: `'${folder}'`,
  }
  const ready = { seconds: 1, here: 1e6 }
  const text = describeStart({ ready, answer, next }).lines.join('\n')
  expect(text).toContain('Answer    ferry.html#fares\n  │ A child pays half.\n')
  expect(text).toMatch(/the whole page, HTML +3,\d\d\d /)
  expect(text).toMatch(/with Pith .* \d\d % less\n/)
  expect(text).toContain(`  node main.js add <client> --user '${folder}'\n  (cursor, zed)\n`)
  expect(text).toContain('Ready in 1 s. On disk: 1 MB here.\n')
})

describe('your own folder', () => {
  const long = 'After a failure the client waits, and tries again after twice the time. '.repeat(
    150,
  )
  const made = (name: string, files: Record<string, string>): string => {
    const path = mkdtempSync(join(folder, name))
    for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text)
    return path
  }
  const html = `<title>Client</title><main><h1>Client</h1><h2 id="retries">Retries and backoff</h2><p>${long}</p><h2 id="proxy">Proxies</h2><p>One for each scheme.</p></main>`
  const markdown = `# Ferry\n\n## Fares\n\nA child pays half.\n\n## Retries\n\n${long}\n`

  test.each([
    ['HTML with a long section', { 'a.html': html }, 'retries and backoff', 'a.html#retries'],
    ['Markdown with a long section', { 'a.md': markdown }, 'retries', 'a.md#retries'],
    ['a short section of Markdown', { 'a.md': markdown }, 'fares of a child', 'a.md#fares'],
    ['both formats', { 'a.html': html, 'b.md': markdown }, 'proxies', 'a.html#proxy'],
  ])(
    'with %s is answered by the section that the search has first',
    async (name, files, words, url) => {
      const answer = await demonstrate({ given: made(name, files), words, keep: false })
      expect(answer.url).toBe(url)
      expect(answer.section.length).toBeGreaterThan(10)
    },
  )

  test.each([
    ['HTML', { 'a.html': html }],
    ['Markdown', { 'b.md': markdown }],
    ['both', { 'a.html': html, 'b.md': markdown }],
  ])('without words is asked for one of its headings: %s', async (name, files) => {
    const { question, url } = await demonstrate({ given: made(name, files), keep: false })
    expect(['Retries and backoff', 'Proxies', 'Fares', 'Retries']).toContain(question)
    expect(Object.keys(files)).toContain(url.split('#')[0])
  })

  test.each([
    ['nothing', {}, undefined, /^The source has no pages\. Pass a folder with HTML, /],
    ['documents only', { 'a.pdf': '%PDF' }, undefined, /^The source has only files that are no/],
    [
      'other words',
      { 'a.md': markdown },
      'zebra',
      /^No section matches "zebra" .*Try other words/s,
    ],
    ['no headings', { 'a.md': 'x' }, undefined, /^No heading of 1 page could be asked for\./],
  ])('with %s says so', async (name, files, words, said) => {
    const asked = demonstrate({ given: made(name, files), words, keep: false })
    await expect(asked).rejects.toThrow(said)
  })
})

test('clients are found by the built program, which add knows by the same names', async () => {
  const home = join(folder, 'home of clients')
  const bin = join(folder, 'bin of clients')
  mkdirSync(home)
  mkdirSync(bin)
  const env = { HOME: home, PATH: dirname(process.execPath) }
  const { clients, supported } = await findClients({ env })
  expect(clients).toEqual([])
  const { stderr } = await execute('node', [main, 'add']).catch((error) => error)
  expect(stderr).toContain(`Name a client: ${supported.join(', ')}.`)
  writeFileSync(join(bin, 'codex'), '')
  await execute(process.execPath, [main, 'add', 'goose', '--user'], { env })
  const installed = await findClients({ env: { ...env, PATH: [env.PATH, bin].join(delimiter) } })
  expect(installed.clients.map(({ name, title }) => [name, title])).toEqual([
    ['codex', 'Codex'],
    ['goose', 'Goose'],
  ])
})

describe.skipIf(process.platform === 'win32')('npm start', () => {
  /** Run it with a pnpm that is this script. */
  function run(pnpm: string, args: string[] = ['--fresh']) {
    const bin = mkdtempSync(join(folder, 'bin '))
    writeFileSync(join(bin, 'pnpm'), `#!/bin/sh\n${pnpm}\n`, { mode: 0o755 })
    const env = {
      ...process.env,
      PATH: [bin, process.env['PATH']].join(delimiter),
      npm_config_user_agent: `${packageManager.replace('@', '/')} npm/? node/v24.0.0 linux x64`,
    }
    const child = spawn(process.execPath, [start, ...args], { env })
    const ended = new Promise<{ code: number | null; output: string }>((done) => {
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (data) => {
          output += data
        })
      child.on('close', (code) => done({ code, output }))
    })
    return { child, ended }
  }

  test('says what failed, the last lines, and what to do', async () => {
    const { code, output } = await run(`
      for i in $(seq 100); do echo "line $i"; done
      echo 'Progress: resolved 7, reused 1, downloaded 2, added 0'
      echo 'GET https://registry.example/zod error (ENOTFOUND). Will retry in 10 seconds.' >&2
      echo ' ERR_PNPM_META_FETCH_FAIL  getaddrinfo ENOTFOUND registry.example' >&2
      exit 3`).ended
    expect(code).toBe(1)
    expect(output).toMatch(/Installing failed: pnpm install --frozen-lockfile .* ended with 3\. /)
    expect(output).toContain('  │  ERR_PNPM_META_FETCH_FAIL  getaddrinfo ENOTFOUND')
    expect(output).toContain('  │ line 100\n')
    expect(output).not.toContain('line 50\n')
    expect(output).not.toMatch(/Progress: resolved|Will retry in/)
    expect(output).toMatch(/The package registry does not answer\..*HTTPS_PROXY.*\n$/)
  })

  test('ends at ctrl-C with what it started', async () => {
    const marker = join(folder, 'pid')
    const { child, ended } = run(`echo $$ > '${marker}'; exec sleep 60`)
    const pid = await untilWritten(marker)
    child.kill('SIGINT')
    const { code, output } = await ended
    expect(code).toBe(130)
    expect(output).toBe('Installing …\nStopped. Run npm start again to go on.\n')
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  test('names a folder that is not there before it installs anything', async () => {
    const { code, output } = await run('echo installed', ['no/such folder']).ended
    expect(code).toBe(1)
    expect(output).toMatch(/^There is no file or folder \/.*\/no\/such folder\.\n$/)
    const site = await run('echo installed', ['docs.example.org/3', 'fares']).ended
    expect(site.output).toContain(' For a site, pass https://docs.example.org/3\n')
  })

  test('explains itself', async () => {
    const asked = await run('echo installed', ['--help']).ended
    expect(asked).toEqual({ code: 0, output: expect.stringContaining('npm start -- --all') })
    const wrong = await run('echo installed', ['--al']).ended
    expect(wrong).toEqual({ code: 2, output: expect.stringContaining('npm start -- --all') })
    expect(asked.output + wrong.output).not.toContain('installed\n')
  })
})

test('npm start installs and builds again only after a change of a source', async () => {
  const clone = join(folder, 'clone')
  const source = join(clone, 'packages/docs/src/index.ts')
  const built = join(clone, 'apps/docs-mcp/dist/main.js')
  for (const path of [source, built]) mkdirSync(dirname(path), { recursive: true })
  for (const path of [source, built]) writeFileSync(path, '1')
  const module = JSON.stringify(new URL('preparation.mjs', scripts).href)
  const call = async (code: string) => {
    const text = `import * as p from ${module}; console.log(JSON.stringify(${code}) ?? 'none')`
    const args = ['--input-type=module', '--eval', text]
    return (await execute(process.execPath, args, { cwd: clone })).stdout.trim()
  }
  const last = () => call('p.lastPreparation({ all: false })')
  expect(await last()).toBe('none')
  await call('p.keepPreparation({ isAll: false })')
  expect(await last()).toBe('{"isAll":false}')
  expect(await call('p.lastPreparation({ all: true })')).toBe('none')
  writeFileSync(source, '12')
  expect(await last()).toBe('none')
  writeFileSync(source, '1')
  await call('p.keepPreparation({ isAll: true })')
  rmSync(built)
  expect(await last()).toBe('none')
})

async function untilWritten(path: string): Promise<number> {
  for (let left = 100; left > 0; left--) {
    const pid = Number(readOrNothing(path))
    if (pid > 0) return pid
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error(`${path} was not written.`)
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

test('disk usage counts a file once, however many names it has', () => {
  const [store, modules] = [join(folder, 'store'), join(folder, 'modules')]
  for (const path of [store, modules]) mkdirSync(path)
  writeFileSync(join(store, 'a'), Buffer.alloc(1_000_000, 1))
  linkSync(join(store, 'a'), join(modules, 'a'))
  linkSync(join(store, 'a'), join(modules, 'b'))
  const sizeOf = createDiskUsage()
  expect(sizeOf(modules)).toBeGreaterThanOrEqual(1_000_000)
  expect(sizeOf(modules)).toBe(0)
  writeFileSync(join(store, 'b'), Buffer.alloc(2_000_000, 1))
  const added = sizeOf(store)
  expect(added).toBeGreaterThanOrEqual(2_000_000)
  expect(added).toBeLessThan(2_900_000)
  expect(createDiskUsage()(store, { since: Date.now() + 60_000 })).toBe(0)
  expect(createDiskUsage()(store, { timeout: -1 })).toBeUndefined()
  expect(createDiskUsage()(join(folder, 'nowhere'))).toBe(0)
})
