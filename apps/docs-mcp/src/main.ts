#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Docs } from '@pith-mcp/docs'
import { usage } from './cli/usage.ts'
import { type Config, parseConfig, UsageError } from './config.ts'
import { replyCap } from './reply-cap.ts'
import { createServer } from './server.ts'
import { version } from './version.ts'

const log = (text: string): void => void process.stderr.write(`${text}\n`)

async function main(): Promise<void> {
  const config = parseConfig(process.argv.slice(2))
  if (config.command === 'help') process.stdout.write(usage)
  else if (config.command === 'version') process.stdout.write(`${version}\n`)
  else if (config.command === 'serve') serve(config)
  else {
    const { runVerb } = await import('./cli/run-verb.ts')
    process.stdout.write(`${await runVerb(config.command, config, showProgress)}\n`)
  }
}

function serve(config: Config): void {
  for (const source of config.positionals)
    if (!/^(?:https?|file):/i.test(source) && !existsSync(source))
      throw new Error(
        `there is no source ${JSON.stringify(source)}: pass a folder, a file or a URL.`,
      )
  let docs: Promise<Docs> | undefined
  const openDocs = (): Promise<Docs> => {
    docs ??= import('@pith-mcp/docs').then(({ createDocs }) =>
      createDocs({
        sources: config.positionals,
        limits: { timeoutMs: config.timeoutMs },
        maxPages: config.maxPages,
        cap: replyCap,
      }),
    )
    // A source that could not be opened is tried again at the next call.
    docs.catch(() => {
      docs = undefined
    })
    return docs
  }
  const onError = (error: unknown): void => log(`docs-mcp: ${firstLine(error)}`)
  const handle = serveStdio(() => createServer({ openDocs, onError }), { onerror: onError })
  const stop = async (): Promise<void> => {
    await handle.close()
    await docs?.then((open) => open.close()).catch(() => {})
    process.exit(0)
  }
  // Without a client there is nobody to read pages for.
  process.stdin.once('end', () => void docs?.then((open) => open.close()).catch(() => {}))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop())
}

/** What went wrong, without the trace: stderr of a server is read by people. */
function firstLine(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return text.split('\n', 1)[0]?.slice(0, 300) ?? ''
}

function showProgress(done: number, total: number): void {
  if (!process.stderr.isTTY) return
  process.stderr.write(done < total ? `\r${done} of ${total} pages` : '\r\x1b[K')
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
