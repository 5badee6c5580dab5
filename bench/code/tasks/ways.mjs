// Each way acts by fixed rules, with names and no files. Tokens are o200k, of replies alone.
//
// code-mcp   through a client, over stdio: find_function, then get_chunk of the first hit and its
//            next pages; find_references once there is such a tool, up to five pages.
// rg         `rg -n -w` cut at 100 lines of 300 characters, then windows of 200 numbered lines. That
//            the right hit is recognized at sight is taken for granted. Callers need the windows
//            around the hits outside of tests, up to ten calls; implementers, `class .*X` and the like.
// codegraph  BENCH_CODEGRAPH is the program of @colbymchenry/codegraph: all tools of its server, on
//            indexed copies. A second tool is tried where the first one did not answer.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { connect } from '../client.mjs'
import { bareName, hasName, judges, linesOf } from './judges.mjs'
import { isTest, sources } from './oracles.mjs'

/** The call that a reply ends with: [next: tool(argument="value", …)]. */
function nextCall(reply) {
  const [, tool, args] = /\[[^\]]*next: (\w+)\((.*)\)\]/.exec(reply) ?? []
  return (
    tool && [
      tool,
      Object.fromEntries(
        [...args.matchAll(/(\w+)=("(?:[^"\\]|\\.)*"|\d+)/g)].map(([, key, value]) => [
          key,
          JSON.parse(value),
        ]),
      ),
    ]
  )
}

const codeMcp = {
  async open(root) {
    const { client, call, close } = await connect(root)
    const { tools } = await client.listTools()
    return { call, close, has: (name) => tools.some((tool) => tool.name === name) }
  },
  async read({ name }, { ask, isDone }) {
    const [id] = /^[^\s#]+#.+?(?= · )/m.exec(await ask('find_function', { query: name })) ?? []
    if (!id || isDone()) return
    await this.pages('get_chunk', { chunk_id: id }, 20, { ask, isDone })
  },
  async pages(tool, args, most, { ask, isDone }) {
    let call = [tool, args]
    for (let count = 0; call && count < most && !isDone(); count++)
      call = nextCall(await ask(...call))
  },
  async where({ name }, { ask }) {
    await ask('find_function', { query: name })
  },
  async methods({ name }, tools) {
    const [file] = /^[^\s#]+(?=#)/m.exec(await tools.ask('find_function', { query: name })) ?? []
    if (file)
      await this.pages('list_functions_in_file', { file_path: file, query: `${name}/` }, 5, tools)
  },
  'small-methods'(task, tools) {
    return this.pages('list_functions_in_file', { file_path: task.in }, 5, tools)
  },
  async calls({ name }, tools) {
    if (!tools.server.has('find_references')) throw new Error('no tool')
    await this.pages('find_references', { name }, 5, tools)
  },
  async implements({ name }, tools) {
    await this.pages('find_references', { name, kind: 'implementations' }, 5, tools)
  },
}
Object.assign(codeMcp, {
  'small-calls': codeMcp.calls,
  description: codeMcp.where,
  'small-text': codeMcp.where,
  'small-where': codeMcp.where,
})

const rg = {
  open: async (root) => ({
    close() {},
    call(tool, args) {
      if (tool === 'window')
        return linesOf(root, args.file)
          .slice(args.first - 1, args.first + 199)
          .map((line, at) => `${args.first + at}\t${line}`)
          .join('\n')
      try {
        const flags = ['-nH', '--no-heading', '--sort', 'path', '-M', '300', ...args]
        const found = execFileSync('rg', flags, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 30 })
        return found.replace(/^\.\//gm, '').split('\n').slice(0, 100).join('\n')
      } catch {
        return ''
      }
    },
  }),
  async read({ name, answer }, tools) {
    const reply = await tools.ask('rg', ['-w', '--', bareName(name), './'])
    if (!judges.where([reply], { file: answer.file, line: answer.lines[0] + 1 })) return
    for (let first = answer.lines[0]; first <= answer.lines[1]; first += 200)
      await tools.ask('window', { file: answer.file, first })
  },
  async where({ name }, { ask }) {
    await ask('rg', ['-w', '--', name, './'])
  },
  async 'small-text'({ name }, { ask }) {
    await ask('rg', ['-F', '--', name, './'])
  },
  async 'small-methods'(task, { ask, root }) {
    if (!/\.(?:c|cc|cpp|h|java|cs)$/.test(task.in))
      await ask('rg', [
        '--',
        /\.js$/.test(task.in) ? '\\bfunction\\b|=>' : '\\b(def|func|function|fn|fun|class)\\b',
        task.in,
      ])
    else
      for (let first = 1; first <= linesOf(root, task.in).length; first += 200)
        await ask('window', { file: task.in, first })
  },
  async calls({ name }, { ask, isDone }) {
    const found = (await ask('rg', ['-w', '--', bareName(name), './'])).split('\n').filter(Boolean)
    const shown = []
    for (const [, file, number] of found.map((line) => /^(.+?):(\d+):/.exec(line) ?? [])) {
      const first = Math.max(1, Number(number) - 150)
      const isShown = shown.some(
        ([path, begin]) => path === file && begin <= number - 50 && number < begin + 200,
      )
      if (!file || isTest(file) || !sources.test(file) || isShown || shown.length === 9 || isDone())
        continue
      shown.push([file, first])
      await ask('window', { file, first })
    }
  },
  async implements({ name }, { ask }) {
    await ask('rg', ['--', `\\b(class|struct|interface|enum|object|impl)\\b.*\\b${name}\\b`, './'])
  },
  async description({ name }, { ask }) {
    const words = [...new Set(name.match(/[a-z]{4,}/gi))]
      .sort((a, b) => b.length - a.length)
      .slice(0, 3)
    await ask('rg', ['-i', '-w', '--', words.join('|'), './'])
  },
  judge(kind, replies, answer, root, task) {
    const isNamed = /calls|implements/.test(kind)
    return isNamed
      ? answer.sites.every((site) => hasName(replies.join('\n'), site.split('#')[1]))
      : judges[kind](replies, answer, root, task)
  },
}
Object.assign(rg, { methods: rg.read, 'small-calls': rg.calls, 'small-where': rg.where })

const codegraph = {
  program: process.env['BENCH_CODEGRAPH'],
  async open(root) {
    const copy = mkdtempSync(join(tmpdir(), 'pith-codegraph-'))
    cpSync(root, copy, { recursive: true, filter: (path) => !path.endsWith('/.git') })
    const env = {
      ...process.env,
      DO_NOT_TRACK: '1',
      CODEGRAPH_NO_DAEMON: '1',
      CODEGRAPH_MCP_TOOLS: 'explore,search,node,callers,impact',
    }
    execFileSync(this.program, ['init', copy], { env, stdio: 'ignore' })
    const client = new Client({ name: 'bench', version: '0' })
    await client.connect(
      new StdioClientTransport({
        command: this.program,
        args: ['serve', '--mcp', '--no-watch', '--path', copy],
        env,
        stderr: 'ignore',
      }),
    )
    return {
      async call(tool, args) {
        const { content } = await client.callTool(
          { name: `codegraph_${tool}`, arguments: args },
          { timeout: 300_000 },
        )
        return content.map(({ text }) => text).join('\n')
      },
      async close() {
        await client.close()
        rmSync(copy, { recursive: true, force: true })
      },
    }
  },
  async read({ name }, { ask, isDone }) {
    const [, file, line] =
      /\*\*Location:\*\* (\S+?):(\d+)/.exec(
        await ask('node', { symbol: name, includeCode: true }),
      ) ?? []
    if (!isDone() && !file) await ask('explore', { query: name })
    for (
      let offset = Number(line);
      file && !isDone() && offset < Number(line) + 1000;
      offset += 400
    )
      await ask('node', { file, offset, limit: 400 })
  },
  async where({ name }, { ask, isDone }) {
    await ask('search', { query: name })
    if (!isDone()) await ask('explore', { query: name })
  },
  async methods({ name }, { ask, isDone }) {
    const [, file] =
      /\*\*Location:\*\* (\S+?):\d+/.exec(await ask('node', { symbol: name, includeCode: true })) ??
      []
    if (!isDone() && file) await ask('node', { file, symbolsOnly: true })
  },
  async 'small-methods'(task, { ask }) {
    await ask('node', { file: task.in, symbolsOnly: true })
  },
  async calls({ name }, { ask }) {
    await ask('callers', { symbol: name, limit: 100 })
  },
  async implements({ name }, { ask, isDone, replies }) {
    await ask('callers', { symbol: name, limit: 100 })
    if (!isDone()) replies.length = 0
    if (replies.length === 0) await ask('impact', { symbol: name, depth: 1 })
  },
  async description({ name }, { ask }) {
    await ask('explore', { query: name })
  },
}
Object.assign(codegraph, {
  'small-calls': codegraph.calls,
  'small-text': codegraph.description,
  'small-where': codegraph.where,
})

if (!codegraph.program) console.log('codegraph is left out: BENCH_CODEGRAPH is not set')

export const ways = { 'code-mcp': codeMcp, rg, ...(codegraph.program && { codegraph }) }
