import { readFile, realpath } from 'node:fs/promises'
import { runImport } from '@pith-mcp/import'
import { hostEnvironment } from '../clients/host-environment.ts'
import { parseConfig } from '../config.ts'
import { written } from '../config-file/edit-file.ts'
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
  return recordCommand(`import ${flag}`, { settings, log }, () =>
    noting(settings.config[0] ?? '', run),
  )
}

/** Keeps what an import changes in our own file, which it writes together with those of clients. */
async function noting(file: string, run: () => Promise<number>): Promise<number> {
  const path = await realpath(file).catch(() => file)
  const textNow = () => readFile(path, 'utf8').catch(() => undefined)
  const before = await textNow()
  const code = await run()
  const after = await textNow()
  if (before !== after) written.getStore()?.push({ path, before, after })
  return code
}
