#!/usr/bin/env node
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Docs, IndexProgress } from '@pith-mcp/docs'
import { checkSource } from './check-source.ts'
import { usage } from './cli/usage.ts'
import { type Chore, type Config, parseConfig } from './config.ts'
import { openDocs } from './open-docs.ts'
import { createServer } from './server.ts'
import { type Settings, UsageError } from './settings.ts'
import type { ToolSet } from './tools/tool.ts'
import { version } from './version.ts'

const log = (text: string): void => void process.stderr.write(`${text}\n`)

async function main(): Promise<void> {
  const config = parseConfig(process.argv.slice(2))
  await checkSites(config)
  switch (config.command) {
    case 'help':
      process.stdout.write(usage)
      break
    case 'version':
      process.stdout.write(`${version}\n`)
      break
    case 'serve':
      await serve(config)
      break
    case 'index':
    case 'pack':
    case 'doctor':
    case 'add':
    case 'sites':
      await doChore(config, config.command)
      break
    default: {
      const { runVerb } = await import('./cli/run-verb.ts')
      const { createProgressLine } = await import('./cli/show-progress.ts')
      const line = createProgressLine()
      const show = (progress: IndexProgress) =>
        progress.done === progress.total ? line.clear() : line.show(progress)
      process.stdout.write(`${await runVerb(config.command, config, show)}\n`)
    }
  }
}

/** Wrong settings end a server when it starts, not at its first call. */
async function checkSites({ command, settings }: Config): Promise<void> {
  const isTold = command === 'help' || command === 'version'
  if (isTold || Object.keys(settings.sites).length === 0) return
  const { readGivenSites } = await import('@pith-mcp/docs')
  try {
    readGivenSites(settings.sites)
  } catch (error) {
    const { message, remedy } = error as Error & { remedy?: string }
    throw new UsageError(`sites: ${message} ${remedy ?? ''}`.trim())
  }
}

async function doChore(config: Config, chore: Chore): Promise<void> {
  const { runChore } = await import('./cli/run-chore.ts')
  const stopping = new AbortController()
  process.once('SIGINT', () => stopping.abort())
  process.once('SIGTERM', () => stopping.abort())
  const { text, isGood } = await runChore(chore, config, stopping.signal)
  process.stdout.write(`${text}\n`)
  process.exitCode = isGood ? 0 : 1
}

async function serve({ settings }: Config): Promise<void> {
  const { sources, offline, structuredContent, site } = settings
  for (const source of sources) checkSource(source)
  const notice = (text: string): void => log(`docs-mcp: ${text}`)
  let docs: Promise<Docs> | undefined
  const open = (): Promise<Docs> => {
    docs ??= openDocs(settings, sources, notice)
    // A source that could not be opened is tried again at the next call.
    docs.catch(() => {
      docs = undefined
    })
    return docs
  }
  const compat = await compatOf(settings)
  const onError = (error: unknown): void => log(`docs-mcp: ${firstLine(error)}`)
  const create = () =>
    createServer({
      openDocs: open,
      // A site that is named has a search even where no other page may be read.
      sources: [...sources, ...site],
      offline,
      structuredContent,
      compat,
      onError,
    })
  const close = await listen(settings, create, onError)
  const stop = async (): Promise<void> => {
    await close()
    await docs?.then((opened) => opened.close()).catch(() => {})
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop())
  // Without a client there is nobody to read pages for.
  if (settings.http === undefined)
    process.stdin.once('end', () => void docs?.then((opened) => opened.close()).catch(() => {}))
}

/** Loaded only where they are offered. */
async function compatOf({ compat, site }: Settings): Promise<ToolSet | undefined> {
  if (compat === undefined) return undefined
  const { compatTools } = await import('./compat/compat-tools.ts')
  return compatTools(compat === 'aws' && site.includes('aws-cn') ? 'aws-cn' : compat)
}

async function listen(
  { http, token, httpHosts }: Config['settings'],
  create: () => ReturnType<typeof createServer>,
  onError: (error: unknown) => void,
): Promise<() => Promise<void>> {
  if (http === undefined) {
    const handle = serveStdio(create, { onerror: onError })
    if (process.stdin.isTTY)
      log(
        'docs-mcp: serving MCP over stdio, for a client to start it; ctrl-C ends it, --help has the commands',
      )
    return () => handle.close()
  }
  const { serveHttp } = await import('./http/serve-http.ts')
  const serving = await serveHttp({
    address: http,
    token,
    hosts: httpHosts,
    createServer: create,
    onError,
  })
  log(`docs-mcp: serving ${serving.url}`)
  if (token === undefined)
    log('docs-mcp: anyone on this machine may call it; DOCS_MCP_TOKEN locks it')
  return serving.close
}

/** What went wrong, without the trace: stderr of a server is read by people. */
function firstLine(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return text.split('\n', 1)[0]?.slice(0, 300) ?? ''
}

main().catch((error: unknown) => {
  if (error instanceof UsageError) {
    log(`docs-mcp: ${error.message}\nTry docs-mcp --help.`)
    process.exitCode = 2
  } else {
    const remedy = error instanceof Error && 'remedy' in error ? ` ${error.remedy}` : ''
    log(`docs-mcp: ${error instanceof Error ? error.message : error}${remedy}`)
    process.exitCode = 1
  }
})
