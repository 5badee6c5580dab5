import { messageOf } from '@pith-mcp/server-kit/run'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { parseConfig } from './config.ts'
import { createTextLogger, openLogger } from './log/text-logger.ts'
import { servingWord } from './shared/lines.ts'
import { version } from './version.ts'
import './heap-size.ts'

let logger = createTextLogger()

async function main(): Promise<void> {
  // The parent process may have closed stderr.
  process.stderr.on('error', () => {})
  // The reader of stdout may close the pipe early, as `head` does.
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(0)
  })
  const [first = '', ...rest] = process.argv.slice(2)
  if (first === servingWord)
    return (await import('./serve/serve-clients.ts')).serveClients(String(rest[0]))
  const isHelp = first === 'help' && rest.length === 0
  if (first !== '' && !first.startsWith('-') && !isHelp) {
    const { runCommand } = await import('./cli/run-command.ts')
    const [name = '', args] = first === 'help' ? [rest[0], ['--help']] : [first, rest]
    process.exitCode = await runCommand(name, args, logger.log)
    return
  }
  const argv = isHelp ? ['--help'] : process.argv.slice(2)
  const { settings, helpRequested, versionRequested } = parseConfig(argv)
  if (helpRequested) process.stdout.write((await import('./cli/usage.ts')).usage)
  else if (versionRequested) process.stdout.write(`${version}\n`)
  else {
    logger = await openLogger(settings.logFormat, settings.logLevel)
    await (await import('./serve/serve.ts')).serve(settings, logger)
  }
}

main().catch((error: unknown) => {
  logger.log(messageOf(error), 'error')
  if (error instanceof UsageError) process.stderr.write('Try aggregator-mcp --help.\n')
  // Connections to engines would keep the process.
  process.stderr.write('', () => process.exit(error instanceof UsageError ? 2 : 1))
})
