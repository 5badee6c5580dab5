import { lstat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { FileRefused, readText } from '@pith-mcp/setup/files'
import { UsageError } from '../usage-error.ts'
import { applyImport, ImportFailed } from './apply/apply-import.ts'
import { undoImport } from './apply/undo-import.ts'
import { allClients } from './clients/all-clients.ts'
import type { Surroundings } from './entry/entry-context.ts'
import { findPlaces } from './find/find-places.ts'
import { validName } from './plan/name-servers.ts'
import type { PlanOptions } from './plan/plan.ts'
import { planImport } from './plan/plan-import.ts'
import { renderPlan } from './render/render-plan.ts'
import { renderUndone } from './render/render-undone.ts'
import { shortPath } from './render/short-path.ts'

const clientNames: readonly string[] = allClients.map(({ name }) => name)

const importUsage = `aggregator-mcp import: take the servers of your clients into one file.

  aggregator-mcp import             show what would move; nothing is written
  aggregator-mcp import --write     move it; every file is kept as it was first
  aggregator-mcp import --undo      put every file back as it was before the last import

      --client NAME   only this one; may be given several times:
                      ${clientNames.slice(0, 5).join(', ')},
                      ${clientNames.slice(5).join(', ')}
      --project       what belongs to the current folder too; such files may be shared with others
      --copy          into our file only; clients are left alone
  -c, --config FILE   our file; default ~/.config/pith/aggregator.json
      --name NAME     of our entry in clients; default pith
      --force         with --undo: files that were changed since, too
  -h, --help          this text
`

/** Where an import says what it has to say. */
export interface ImportOutput {
  print(text: string): void
  complain(text: string): void
}

/** `aggregator-mcp import …`. Gives the exit code; throws nothing it foresees. */
export async function runImport(
  argv: readonly string[],
  around: Surroundings,
  output: ImportOutput,
): Promise<number> {
  try {
    const values = readArguments(argv)
    if (values.help) output.print(importUsage)
    else if (values.undo) return await undo(values, around, output)
    else return await move(values, around, output)
    return 0
  } catch (error) {
    if (error instanceof UsageError) {
      output.complain(`${error.message}\nTry aggregator-mcp import --help.\n`)
      return 2
    }
    if (!(error instanceof FileRefused || error instanceof ImportFailed)) throw error
    output.complain(`${error.message}\n`)
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
        project: { type: 'boolean', default: false },
        client: { type: 'string', multiple: true },
        config: { type: 'string', short: 'c' },
        name: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    check(values)
    return values
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError((error as Error).message.split('\n', 1)[0] ?? '')
  }
}

function check(values: {
  write: boolean
  undo: boolean
  force: boolean
  copy: boolean
  project: boolean
  client?: string[] | undefined
  config?: string | undefined
  name?: string | undefined
}): void {
  const { undo, force, client = [], name } = values
  const others = (['write', 'copy', 'project', 'client', 'config', 'name'] as const).filter(
    (key) => values[key] !== undefined && values[key] !== false,
  )
  if (undo && others.length > 0)
    throw new UsageError(`--undo undoes the whole import: it goes without --${others[0]}.`)
  if (force && !undo) throw new UsageError('--force goes with --undo.')
  const unknown = client.find((one) => !clientNames.includes(one))
  if (unknown !== undefined)
    throw new UsageError(`--client ${unknown}: there is ${clientNames.join(', ')}.`)
  if (name !== undefined && validName(name) !== name)
    throw new UsageError(
      `--name ${name}: letters, digits, "_", "-", "." and blanks only, at most 60, a letter or digit first.`,
    )
}

async function undo({ force }: Values, around: Surroundings, { print, complain }: ImportOutput) {
  const undone = await undoImport(around, { force })
  if (undone === undefined) {
    complain('There is no import to undo.\n')
    return 1
  }
  print(renderUndone(undone, around))
  return undone.files.some(({ why }) => why !== undefined) ? 1 : 0
}

async function move(values: Values, around: Surroundings, { print, complain }: ImportOutput) {
  const { client: wanted, write, name = 'pith', copy, project } = values
  const options: PlanOptions = { name, copy, project }
  const clients = allClients.filter((client) => wanted?.includes(client.name) ?? true)
  const findings = await findPlaces(clients, around)
  const own = await ownFile(values.config, around)
  const plan = await planImport(findings, own, options, around).catch((error: unknown) => {
    if (error instanceof FileRefused)
      throw new FileRefused(`${own.path}: ${error.message}. Nothing was written.`)
    throw error
  })
  if (plan.places.length + plan.refused.length === 0) {
    print('No client of yours has servers of its own.\n')
    return 0
  }
  print(renderPlan(plan, options, around))
  const code = plan.refused.length > 0 ? 1 : 0
  if (plan.edits.length === 0) print('\nThere is nothing to do.\n')
  else if (!write) print('\nNothing was written. --write does it, --undo takes it back.\n')
  else {
    const { backups, lost } = await applyImport(plan.edits, plan.config, around)
    const files = plan.edits.map(({ path }) => shortPath(path, around.home)).join(', ')
    print(
      `\nWritten: ${files}. As they were: ${shortPath(backups, around.home)}; --undo puts them back.\n`,
    )
    if (!copy) print('Start your clients again.\n')
    for (const path of lost)
      complain(`${path} was written over by another program: close it, --undo, and import again.\n`)
    if (lost.length > 0) return 1
  }
  if (code !== 0) complain('Not every file could be read.\n')
  return code
}

/** Our own file, behind links. */
async function ownFile(given: string | undefined, around: Surroundings) {
  const { home, cwd, variables } = around
  const config = variables['XDG_CONFIG_HOME'] || join(home, '.config')
  const path = given === undefined ? join(config, 'pith', 'aggregator.json') : resolve(cwd, given)
  const read = await readText(path).catch((error: unknown) => {
    if (error instanceof FileRefused) throw new FileRefused(`${path}: ${error.message}.`)
    throw error
  })
  if (read !== undefined) return { named: path, path: read.path, before: read.text }
  const isLink = await lstat(path).then(
    () => true,
    () => false,
  )
  if (isLink) throw new FileRefused(`${path}: it is a link to nothing.`)
  return { named: path, path, before: undefined }
}
