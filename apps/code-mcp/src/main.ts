#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Code } from '@pith-mcp/code'
import { usage } from './cli/usage.ts'
import { type Config, commands, parseConfig } from './config.ts'
import { openCode } from './open-code.ts'
import { createServer } from './server.ts'
import { existingRoots, readThresholds, UsageError } from './settings.ts'
import { version } from './version.ts'

const log = (text: string): void => void process.stderr.write(`${text}\n`)

async function main(): Promise<void> {
  const config = parseConfig(process.argv.slice(2))
  switch (config.command) {
    case 'help':
      process.stdout.write(usage)
      break
    case 'version':
      process.stdout.write(`${version}\n`)
      break
    case 'serve':
      serve(config)
      break
    case 'add': {
      const { addClient } = await import('./cli/add-client.ts')
      process.stdout.write(`${await addClient(config)}\n`)
      break
    }
    default: {
      const { ask } = await import('./cli/ask.ts')
      process.stdout.write(`${await ask(config.command, config)}\n`)
    }
  }
}

function serve({ settings, positionals, roots: named }: Config): void {
  // Invalid settings end the server at startup, not at its first call.
  const [word = ''] = positionals
  if (/^[a-z-]+$/i.test(word) && !existsSync(word))
    throw new UsageError(
      `There is no folder ${JSON.stringify(word)}. The commands are ${commands.join(', ')}.`,
    )
  const roots = existingRoots([...positionals, ...named], process.env)
  readThresholds(settings.pageOver)
  let code: Promise<Code> | undefined
  const open = (): Promise<Code> => {
    code ??= openCode(settings, roots)
    // Folders that could not be opened are opened again at the next call.
    code.catch(() => {
      code = undefined
    })
    return code
  }
  const { locale, structuredContent } = settings
  const onError = (error: unknown): void => log(`code-mcp: ${firstLine(error)}`)
  const create = () => createServer({ openCode: open, locale, structuredContent, onError })
  const handle = serveStdio(create, { onerror: onError })
  if (process.stdin.isTTY)
    log(
      'code-mcp: serving MCP over stdio. MCP clients start this command; press Ctrl-C to stop, and see --help for the commands.',
    )
  const stop = async (): Promise<void> => {
    await handle.close()
    await code?.then((opened) => opened.close()).catch(() => {})
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop())
  // Without a client, reading stops.
  process.stdin.once('end', () => void code?.then((opened) => opened.close()).catch(() => {}))
}

/** The message without the stack trace, for people who read stderr. */
function firstLine(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return text.split('\n', 1)[0]?.slice(0, 300) ?? ''
}

main().catch((error: unknown) => {
  if (error instanceof UsageError) {
    log(`code-mcp: ${error.message}\nTry code-mcp --help.`)
    process.exitCode = 2
  } else {
    const remedy = error instanceof Error && 'remedy' in error ? ` ${error.remedy}` : ''
    log(`code-mcp: ${error instanceof Error ? error.message : error}${remedy}`)
    process.exitCode = 1
  }
})
