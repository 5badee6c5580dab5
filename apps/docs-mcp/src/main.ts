#!/usr/bin/env node
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Docs, IndexProgress } from '@pith-mcp/docs'
import { checkSource } from './check-source.ts'
import { usage } from './cli/usage.ts'
import { type Chore, type Config, parseConfig } from './config.ts'
import { flagHint } from './flag-hint.ts'
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

/** Invalid settings end the server at startup, not at its first call. */
async function checkSites({ command, settings }: Config): Promise<void> {
  const isInfo = command === 'help' || command === 'version'
  if (isInfo || Object.keys(settings.sites).length === 0) return
  const { parseSiteSettings } = await import('@pith-mcp/docs')
  try {
    parseSiteSettings(settings.sites)
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
  const { text, isOk } = await runChore(chore, config, stopping.signal)
  process.stdout.write(`${text}\n`)
  process.exitCode = isOk ? 0 : 1
}

async function serve({ settings }: Config): Promise<void> {
  const { sources, offline, structuredContent, site } = settings
  for (const source of sources) checkSource(source)
  const notice = (text: string): void => log(`docs-mcp: ${text}`)
  let docs: Promise<Docs> | undefined
  const open = (): Promise<Docs> => {
    docs ??= openDocs(settings, sources, notice)
    // A source that could not be opened is opened again at the next call.
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
      // A site of `--site` makes the search available even if other pages may not be read.
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
  // Without a client, indexing stops.
  if (settings.http === undefined)
    process.stdin.once('end', () => void docs?.then((opened) => opened.close()).catch(() => {}))
}

/** Loaded only with `--compat`. */
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
        'docs-mcp: serving MCP over stdio. MCP clients start this command; press Ctrl-C to stop, and see --help for the commands.',
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
    log(
      'docs-mcp: every process on this machine can call it; set DOCS_MCP_TOKEN to require a token',
    )
  return serving.close
}

/** The message without the stack trace, for people who read stderr. */
function firstLine(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return text.split('\n', 1)[0]?.slice(0, 300) ?? ''
}

main().catch((error: unknown) => {
  if (error instanceof UsageError) {
    log(`docs-mcp: ${error.message}\nTry docs-mcp --help.`)
    process.exitCode = 2
  } else {
    const remedy =
      error instanceof Error && 'remedy' in error ? ` ${error.remedy}${flagHint(error)}` : ''
    log(`docs-mcp: ${error instanceof Error ? error.message : error}${remedy}`)
    process.exitCode = 1
  }
})
