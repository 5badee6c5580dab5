import { runImport } from '@pith-mcp/import'
import { hostEnvironment } from '../clients/host-environment.ts'
import { parseConfig } from '../config.ts'
import type { Log } from '../log/logger.ts'

/** Run `aggregator-mcp import …`. Resolves to the exit code. @throws {UsageError} */
export async function importServers(argv: readonly string[], log: Log): Promise<number> {
  const run = () =>
    runImport(argv, hostEnvironment(), {
      print: (text) => void process.stdout.write(text),
      printError: (text) => void process.stderr.write(text),
    })
  const flag = argv.find((word) => word === '--write' || word === '--undo')
  if (flag === undefined) return run()
  const { settings } = parseConfig([])
  const { recordCommand } = await import('./with-operations.ts')
  return recordCommand(`import ${flag}`, { settings, log }, run)
}
