import { runImport } from '@pith-mcp/import'
import { hostEnvironment } from '../clients/host-environment.ts'
import { parseConfig } from '../config.ts'
import type { Log } from '../log/logger.ts'
import { lineFor } from '../text-of.ts'

/** Run `aggregator-mcp import …`. Resolves to the exit code. @throws {UsageError} */
export async function importServers(argv: readonly string[], log: Log): Promise<number> {
  const print = (text: string): void => void process.stdout.write(text)
  const run = () =>
    runImport(argv, hostEnvironment(), {
      print,
      printError: (text) => void process.stderr.write(text),
      async onWritten(path) {
        const { settings } = parseConfig([])
        const opening = { settings: { ...settings, config: [path] }, log }
        const { reviewServers } = await import('./review.ts')
        await reviewServers(
          undefined,
          { ...opening, print: (line) => print(`${lineFor(line)}\n`) },
          true,
        )
      },
    })
  const flag = argv.find((word) => word === '--write' || word === '--undo')
  if (flag === undefined) return run()
  const { settings } = parseConfig([])
  const { recordCommand } = await import('./with-operations.ts')
  return recordCommand(`import ${flag}`, { settings, log }, run)
}
