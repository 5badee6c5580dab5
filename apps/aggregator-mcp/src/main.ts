#!/usr/bin/env node
import './small-heap.ts'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Aggregator,
  createAggregator,
  createFileCatalogStore,
  createResultStore,
  serveStdio,
} from '@pith-mcp/aggregator'
import { type Config, parseConfig, type Settings } from './config.ts'
import { readConfigFiles } from './read-config-files.ts'
import { UsageError } from './usage-error.ts'
import { version } from './version.ts'

const log = (text: string): void => void process.stderr.write(`aggregator-mcp: ${text}\n`)

async function main(): Promise<void> {
  // Who started us may read no errors.
  process.stderr.on('error', () => {})
  const config = parseConfig(process.argv.slice(2))
  switch (config.command) {
    case 'help':
      process.stdout.write((await import('./cli/usage.ts')).usage)
      break
    case 'version':
      process.stdout.write(`${version}\n`)
      break
    case 'stats':
      await printStats(config)
      break
    case 'serve':
      await serve(config.settings)
  }
}

async function open(settings: Settings): Promise<Aggregator> {
  const { state, mode, prefix, resultCharacters } = settings
  const { servers, disabled } = await readConfigFiles(settings.config)
  for (const { name, problem } of servers) if (problem) log(`${name} cannot be used: ${problem}.`)
  return createAggregator({
    servers,
    disabled,
    mode,
    prefix,
    identity: { name: 'aggregator-mcp', version },
    onLog: log,
    ...(settings.stderr && { onStderr: (server, line) => log(`${server}: ${line}`) }),
    ...(resultCharacters !== undefined && {
      results: { characters: resultCharacters, tokens: resultCharacters / 2 },
    }),
    ...(state !== false && { catalogStore: createFileCatalogStore(join(state, 'catalog'), log) }),
    resultStore: createResultStore(state === false ? scratchFolder() : join(state, 'results')),
  })
}

/** Of this process; what is in it is removed at the end. */
const scratchFolder = (): string => join(tmpdir(), `aggregator-mcp-${process.pid}`)

async function serve(settings: Settings): Promise<void> {
  const aggregator = await open(settings)
  const onError = (error: unknown): void => {
    if (settings.stderr) log(firstLine(error))
  }
  let isStopping = false
  let close = async (): Promise<void> => {}
  const stop = async (): Promise<void> => {
    if (isStopping) return
    isStopping = true
    await close()
    await aggregator.close()
    process.exit(0)
  }
  // A second ctrl-C does not wait.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => (isStopping ? process.exit(1) : void stop()))
  if (settings.http === undefined) {
    const handle = serveStdio(aggregator, {
      input: process.stdin,
      output: process.stdout,
      onError,
      onClose: () => void stop(),
    })
    close = () => handle.close()
    return
  }
  const { serveHttp } = await import('./http/serve-http.ts')
  const { http, token, httpHosts } = settings
  const serving = await serveHttp({ address: http, token, hosts: httpHosts, aggregator, onError })
  close = serving.close
  log(`serving ${serving.url}`)
}

async function printStats({ settings }: Config): Promise<void> {
  const aggregator = await open(settings)
  const { stats } = await import('./cli/stats.ts')
  try {
    process.stdout.write(`${await stats(aggregator)}\n`)
  } finally {
    await aggregator.close()
  }
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]?.slice(0, 300) ?? ''

main().catch((error: unknown) => {
  log(error instanceof Error ? error.message : String(error))
  if (error instanceof UsageError) log('try aggregator-mcp --help.')
  process.exitCode = error instanceof UsageError ? 2 : 1
})
