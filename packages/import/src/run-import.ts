import { lstat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { asSentence } from '@pith-mcp/base/as-sentence'
import { allClients, type Client, findClient } from '@pith-mcp/server-kit/clients'
import { FileRefused, readText } from '@pith-mcp/server-kit/files'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { applyImport, ImportFailed } from './apply/apply-import.ts'
import { undoImport } from './apply/undo-import.ts'
import type { HostEnvironment } from './entry/host-environment.ts'
import { findConfigFiles } from './find/find-config-files.ts'
import { validName } from './plan/name-servers.ts'
import type { PlannedSecret, PlanOptions } from './plan/plan.ts'
import { planImport } from './plan/plan-import.ts'
import { renderPlan, renderUndone, shortPath } from './render/render-plan.ts'

const first = ['claude-desktop', 'claude-code', 'cursor', 'vscode', 'devin']

/** In order: if two clients use one name for different servers, the first one keeps it. */
const clientsInOrder: readonly Client[] = [
  ...first.flatMap((name) => findClient(name) ?? []),
  ...allClients.filter(({ name }) => !first.includes(name)),
]

const clientNames: readonly string[] = clientsInOrder.map(({ name }) => name)

const importUsage = `aggregator-mcp import: move the servers of your clients into one file.

  aggregator-mcp import             show what would be moved, without writing
  aggregator-mcp import --write     back up every file and move the servers
  aggregator-mcp import --undo      restore every file as before the last import

      --client NAME   only this client; repeatable:
                      ${clientNames.slice(0, 5).join(', ')},
                      ${clientNames.slice(5, 12).join(', ')},
                      ${clientNames.slice(12).join(', ')}
      --project       include files of the current folder, which may be shared with others
      --copy          copy into our file; do not change clients
      --keychain      store secrets that are in clear in the keychain, or without one in
                      files that only you can read
  -c, --config FILE   our file (default ~/.config/pith/aggregator.json)
      --name NAME     name of our entry in clients (default pith)
      --accept        accept the risks that are named, if there are any
      --no-review     do not start them to show and pin what they offer
      --force         with --undo: restore files that changed since, too
  -h, --help          show this help
`

/** The output of an import. */
export interface ImportOutput {
  print(text: string): void
  printError(text: string): void
  /** Servers were written to this file. */
  onWritten?(path: string): Promise<void>
}

/** Run `aggregator-mcp import …`. Resolves to the exit code; expected errors are printed, not thrown. */
export async function runImport(
  argv: readonly string[],
  host: HostEnvironment,
  output: ImportOutput,
): Promise<number> {
  try {
    const values = readArguments(argv)
    check(values)
    if (values.help) output.print(importUsage)
    else if (values.undo) return await undo(values, host, output)
    else return await move(values, host, output)
    return 0
  } catch (error) {
    if (error instanceof UsageError) {
      output.printError(`${error.message}\nTry aggregator-mcp import --help.\n`)
      return 2
    }
    if (!(error instanceof FileRefused || error instanceof ImportFailed)) throw error
    output.printError(`${error.message}\n`)
    return 1
  }
}

type Values = ReturnType<typeof readArguments>

function readArguments(argv: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        write: { type: 'boolean', default: false },
        undo: { type: 'boolean', default: false },
        force: { type: 'boolean', default: false },
        copy: { type: 'boolean', default: false },
        keychain: { type: 'boolean', default: false },
        'no-review': { type: 'boolean', default: false },
        accept: { type: 'boolean', default: false },
        project: { type: 'boolean', default: false },
        client: { type: 'string', multiple: true },
        config: { type: 'string', short: 'c' },
        name: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    return values
  } catch (error) {
    throw new UsageError((error as Error).message.split('\n', 1)[0] ?? '')
  }
}

/** @throws {UsageError} */
function check(values: Values): void {
  const { undo, force, client = [], name } = values
  const flags = (
    [
      'write',
      'copy',
      'keychain',
      'accept',
      'no-review',
      'project',
      'client',
      'config',
      'name',
    ] as const
  ).filter((key) => values[key] !== undefined && values[key] !== false)
  if (undo && flags.length > 0)
    throw new UsageError(
      `--undo restores the whole import and cannot be combined with --${flags[0]}.`,
    )
  if (force && !undo) throw new UsageError('--force can only be used with --undo.')
  const unknown = client.find((choice) => findClient(choice) === undefined)
  if (unknown !== undefined)
    throw new UsageError(`--client must be one of ${clientNames.join(', ')}, got "${unknown}".`)
  if (name !== undefined && validName(name) !== name)
    throw new UsageError(
      `--name must begin with a letter or digit, and have at most 60 letters, digits, "_", "-", "." and spaces, got ${JSON.stringify(name)}.`,
    )
}

async function undo({ force }: Values, host: HostEnvironment, { print, printError }: ImportOutput) {
  const undone = await undoImport(host, { force })
  if (undone === undefined) {
    printError('There is no import to undo.\n')
    return 1
  }
  print(renderUndone(undone, host))
  return undone.files.some(({ reason }) => reason !== undefined) ? 1 : 0
}

async function move(values: Values, host: HostEnvironment, output: ImportOutput) {
  const { print, printError } = output
  const { client: requested, write, name = 'pith', copy, project, keychain } = values
  const options: PlanOptions = { name, copy, project, keychain }
  const names = requested?.map((choice) => findClient(choice)?.name)
  const clients = clientsInOrder.filter((client) => names?.includes(client.name) ?? true)
  const findings = await findConfigFiles(clients, host)
  const dest = await ownFile(values.config, host)
  const plan = await planImport(findings, dest, options, host).catch((error: unknown) => {
    if (error instanceof FileRefused)
      throw new FileRefused(`${dest.path}: ${asSentence(error.message)} Nothing was written.`)
    throw error
  })
  if (plan.locations.length + plan.refused.length === 0) {
    print('No servers were found in your clients.\n')
    return 0
  }
  print(renderPlan(plan, options, host))
  const code = plan.refused.length > 0 ? 1 : 0
  if (plan.edits.length === 0) print('\nThere is nothing to do.\n')
  else if (!write) print('\nNothing was written. Run it with --write; --undo reverts it.\n')
  else if (plan.risks.length > 0 && !values.accept) {
    printError('Nothing was written: accept what is said above with --accept, or leave it out.\n')
    return 1
  } else {
    if (keychain) await storeAll(plan.secrets, host)
    const { backups, lost } = await applyImport(plan.edits, plan.config, host)
    const files = plan.edits.map(({ path }) => shortPath(path, host.home)).join(', ')
    print(`\nWritten: ${files}. Backups: ${shortPath(backups, host.home)}. --undo restores them.\n`)
    if (!copy) print('Restart your clients.\n')
    for (const path of lost)
      printError(
        `${path} was overwritten by another program. Close it, run with --undo, and import again.\n`,
      )
    if (!values['no-review']) await output.onWritten?.(plan.config)
    if (lost.length > 0) return 1
  }
  if (code !== 0) printError('Some files could not be read.\n')
  return code
}

async function storeAll(
  secrets: readonly PlannedSecret[],
  { secrets: open }: HostEnvironment,
): Promise<void> {
  const { store } = await open()
  for (const { name, value } of secrets)
    await store(name, value).catch((error: Error) => {
      throw new ImportFailed(`${name}: ${error.message} Nothing else was written.`)
    })
}

/** Our own file, with links resolved. */
async function ownFile(configOption: string | undefined, host: HostEnvironment) {
  const { home, cwd, variables } = host
  const config = variables['XDG_CONFIG_HOME'] || join(home, '.config')
  const path =
    configOption === undefined
      ? join(config, 'pith', 'aggregator.json')
      : resolve(cwd, configOption)
  const read = await readText(path).catch((error: unknown) => {
    if (error instanceof FileRefused) throw new FileRefused(`${path}: ${asSentence(error.message)}`)
    throw error
  })
  if (read !== undefined) return { named: path, path: read.path, before: read.text }
  const link = await lstat(path).catch(() => undefined)
  if (link) throw new FileRefused(`${path} is a symbolic link to a file that does not exist.`)
  return { named: path, path, before: undefined }
}
