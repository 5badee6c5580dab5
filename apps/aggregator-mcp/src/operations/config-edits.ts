import { hash } from 'node:crypto'
import { readFile, realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { editJsoncValue, readJsonc, serversKeyOf, type ValueEdit } from '@pith-mcp/server-kit/files'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { type EditedFile, editFile, type TextEdit } from '../config-file/edit-file.ts'
import { edited, type ServersEdit } from '../config-file/edit-servers.ts'
import { mask } from '../config-file/mask.ts'
import type { StateContext } from './context.ts'
import { ApiError, badRequest } from './problem.ts'

type EditContext = Pick<StateContext, 'settings' | 'state' | 'secrets'>

/** A value to set, which a secret is not as it is: its reference is. */
export type ConfigEdit = ValueEdit & { isSecret?: boolean | undefined }

/** What may refuse a change by the texts before and after it. @throws {ApiError} */
type CheckEdit = (before: string, after: string) => void

/** The version of a file, by which a change of it is noticed. */
export const versionOf = (text: string): string => hash('sha256', text, 'base64url')

/** Why the configuration cannot be changed here; undefined if it can. */
export const readOnlyReason = ({ state }: EditContext): string | undefined =>
  state.engines.shared === undefined
    ? undefined
    : 'Each replica has a configuration file of its own. Change the file and deploy it to all replicas; each follows changes.'

/** Sets values in a file, without writing it. @throws {ApiError | UsageError} */
export const previewValues = async (
  context: EditContext,
  edits: readonly ConfigEdit[],
  version?: string,
): Promise<EditedFile> =>
  editFile(await fileOf(edits, context), textEdit(edits, context, version), true)

/**
 * Sets values in a configuration file. Secrets are stored before the file refers to them.
 * @throws {ApiError | UsageError}
 */
export async function editValues(
  context: EditContext,
  edits: readonly ConfigEdit[],
  { version, check = () => {} }: { version?: string | undefined; check?: CheckEdit } = {},
): Promise<EditedFile> {
  checkWritable(context)
  // What would not be valid stores no secret.
  if (edits.some(({ isSecret }) => isSecret)) {
    const { before = '', after = '' } = await previewValues(context, edits, version)
    check(before, after)
  }
  for (const { path, value, isSecret } of edits)
    if (isSecret) await (await context.secrets()).store(nameOf(path), String(value))
  const edit = textEdit(edits, context, version)
  return editFile(await fileOf(edits, context), async (before) => {
    const after = await edit(before)
    check(before ?? '', after ?? '')
    return after
  })
}

/** Adds or removes a server. @throws {ApiError | UsageError} */
export async function editServerEntries(
  context: EditContext,
  name: string,
  edit: ServersEdit,
): Promise<string> {
  checkWritable(context)
  const file = await fileOf([{ path: ['mcpServers', name] }], context)
  return (await editFile(file, (text) => edited(text, edit))).path
}

function checkWritable(context: EditContext): void {
  const reason = readOnlyReason(context)
  if (reason !== undefined) throw new ApiError(409, 'replicas', reason)
}

function textEdit(
  edits: readonly ConfigEdit[],
  { secrets }: Pick<EditContext, 'secrets'>,
  version: string | undefined,
): TextEdit {
  return async (before) => {
    let text = before?.trim() ? before : '{\n}\n'
    if (version !== undefined && versionOf(text) !== version) throw changedMeanwhile()
    const key = serversKeyOf(readJsonc(text).data)
    for (const { path, value, isSecret } of edits) {
      const [first = '', ...rest] = path
      if (JSON.stringify(value ?? '').includes(mask))
        throw badRequest(`${rest.join('.')} has a hidden part. Enter the whole value.`)
      text = editJsoncValue(text, {
        path: [first === 'mcpServers' ? key : first, ...rest],
        value: isSecret ? (await secrets()).referenceTo(nameOf(path)) : value,
      })
      // Each takes up to 15 ms in a configuration of 40 servers: calls are answered in between.
      await setImmediate()
    }
    return text
  }
}

export const changedMeanwhile = (): ApiError =>
  new ApiError(
    409,
    'changed',
    'The file has changed since it was read. Nothing was written.',
    'Load it again, and repeat your change.',
  )

/** Of a server's variable: `notes.env.TOKEN`. */
const nameOf = (path: readonly string[]): string => path.slice(1).join('.')

/** The file that has the server or setting of the edits, which are all in one file. */
async function fileOf(edits: readonly ConfigEdit[], { settings }: EditContext): Promise<string> {
  const [first = '', ...more] = settings.config
  if (more.length === 0) return first
  const files = await readConfigTexts(settings.config)
  const having = edits.map(
    ({ path }) => files.find(({ text }) => hasPath(text, path.slice(0, 2)))?.path,
  )
  const [file] = having
  if (file !== undefined && having.every((path) => path === file)) return file
  throw new ApiError(
    409,
    'several_files',
    'The configuration consists of several files.',
    'Change one file at a time. Use aggregator-mcp add, remove or config set with --config FILE.',
  )
}

/** Whether a file has a setting; names in its path may have dots. */
export const hasSetting = (text: string, setting: string): boolean =>
  hasPath(
    text,
    setting.split(/[.[]/).map((step) => step.replace(/\]$/, '')),
  )

/** Whether a file has something at a path, of which several steps may be one name. */
function hasPath(text: string, [first = '', ...rest]: readonly string[]): boolean {
  const { data } = readJsonc(text)
  const has = (at: unknown, steps: readonly string[]): boolean =>
    steps.length === 0 ||
    steps.some((_, end) => {
      const key = steps.slice(0, end + 1).join('.')
      const isThere = typeof at === 'object' && at !== null && Object.hasOwn(at, key)
      return isThere && has((at as Readonly<Record<string, unknown>>)[key], steps.slice(end + 1))
    })
  return has(data, [first === 'mcpServers' ? serversKeyOf(data) : first, ...rest])
}

/** The configuration files, with links resolved. Those that do not exist are empty objects. */
export const readConfigTexts = (
  paths: readonly string[],
): Promise<{ path: string; text: string }[]> =>
  Promise.all(
    paths.map(async (file) => {
      const path = await realpath(resolve(file)).catch(() => resolve(file))
      const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return ''
        throw new UsageError(`${path} cannot be read (${error.code}).`)
      })
      return { path, text: text.trim() ? text : '{\n}\n' }
    }),
  )
