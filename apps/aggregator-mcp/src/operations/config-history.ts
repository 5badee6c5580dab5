import { realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { attempt } from '@pith-mcp/base/attempt'
import { z } from 'zod'
import { editFile, written } from '../config-file/edit-file.ts'
import {
  type Edit,
  forgetEdit,
  linesOf,
  readHistory,
  withoutEdit,
} from '../config-file/edit-history.ts'
import { changedMeanwhile, versionOf } from './config-edits.ts'
import type { StateContext } from './context.ts'
import { scopeOfEdits } from './edit-scope.ts'
import { component, type Operation, operation } from './operation.ts'
import { ApiError, checkScope, notFound } from './problem.ts'

const lines = z
  .array(z.string())
  .describe('Lines; "- " is removed, "+ " added, "…" stands for others.')

const edit = component('ConfigEdit', {
  id: z.string(),
  path: z.string().describe('The file.'),
  what: z.string().describe('The command that does the same.'),
  at: z.string(),
  by: z.string().optional(),
  via: z.string().optional(),
  diff: lines,
})

const undo = component('ConfigUndo', {
  what: z.string(),
  path: z.string(),
  version: z.string().describe('Pass it back to undo what was shown.'),
  diff: lines,
  refusal: z
    .object({ reason: z.string(), remedy: z.string() })
    .optional()
    .describe('Why it cannot be undone; the diff shows what is in the way.'),
})

const described = ({ patch, changes: _, ...rest }: Edit): z.input<typeof edit> => ({
  ...rest,
  diff: linesOf(patch),
})

export const listEdits = operation({
  method: 'get',
  path: '/config/edits',
  summary: 'List the changes of the configuration that are kept, the last one first.',
  scope: 'console:admin',
  answer: z.object({ edits: z.array(edit) }),
  run: (_, context: StateContext) => ({
    edits: editsHere(context).map(described).toReversed(),
  }),
})

export const previewUndo = operation({
  method: 'get',
  path: '/config/edits/{id}',
  summary: 'Show what undoing a change would write, or why it cannot be undone. Writes nothing.',
  scope: 'console:admin',
  answer: undo,
  async run({ id }, context: StateContext) {
    const found = editCalled(id, context)
    const { what, path } = found
    const current = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new ApiError(409, 'no_file', `${path} cannot be read (${error.code}).`)
    })
    const { diff, ...rest } = withoutEdit(found, readHistory(context), current)
    return {
      ...{ what, path, version: versionOf(current), diff },
      ...('reason' in rest && { refusal: { reason: rest.reason, remedy: rest.remedy } }),
    }
  },
})

export const undoConfig = operation({
  method: 'post',
  path: '/config/undo',
  summary:
    'Undo a change of the configuration, by default the last one. Refused if the file has changed since by hand, or later changes set the same values.',
  body: z.object({ id: z.string().optional(), version: z.string().optional() }),
  audit: ({ id }) => (id === undefined ? 'config undo' : `config undo ${id}`),
  answer: z.object({ what: z.string(), path: z.string() }),
  async run({ id, version }, context: StateContext, { principal }) {
    const found = editCalled(id, context)
    const { path, what } = found
    const done = await written.run([], () =>
      editFile(path, (text = '') => {
        if (version !== undefined && version !== versionOf(text)) throw changedMeanwhile()
        const undone = withoutEdit(found, readHistory(context), text)
        if ('reason' in undone) {
          checkScope('console:admin', principal)
          throw new ApiError(409, 'not_undone', undone.reason, undone.remedy)
        }
        checkScope(scopeOfEdits(settingsOf(found), text, undone.text), principal)
        return undone.text
      }),
    )
    forgetEdit(context, found, done.after ?? '')
    return { what, path }
  },
})

export const historyOperations: readonly Operation[] = [listEdits, previewUndo, undoConfig]

/** The changes of the files of this configuration. */
function editsHere(context: StateContext): Edit[] {
  const paths = context.settings.config.map((path) => attempt(() => realpathSync(path), path))
  return readHistory(context).edits.filter(({ path }) => paths.includes(path))
}

/** The change with an id, or the last one. @throws {ApiError} */
function editCalled(id: string | undefined, context: StateContext): Edit {
  const edits = editsHere(context)
  const found = id === undefined ? edits.at(-1) : edits.find((each) => each.id === id)
  if (found !== undefined) return found
  if (id !== undefined)
    throw notFound(`change ${JSON.stringify(id)}`, 'GET /config/edits lists them.')
  throw new ApiError(409, 'no_edit', 'There is no change to undo.')
}

/** The settings of a change, named as scopes name them. */
const settingsOf = ({ changes }: Edit): string[][] =>
  changes.map(({ path: [first = '', ...rest] }) => [
    first === 'servers' ? 'mcpServers' : first,
    ...rest,
  ])
