import { text as readAll } from 'node:stream/consumers'
import { attempt } from '@pith-mcp/base/attempt'
import { valueAt } from '@pith-mcp/server-kit/files'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { isInClear } from '../config-file/mask.ts'
import { editConfig, getConfig } from '../operations/config.ts'
import { listEdits, previewUndo, undoConfig } from '../operations/config-history.ts'
import { type Command, oneOf } from './command.ts'
import { type Perform, withOperations } from './with-operations.ts'

const actions = ['show', 'set', 'unset', 'history', 'undo'] as const

export const command: Command = {
  usage: `aggregator-mcp config [show] [PATH]
aggregator-mcp config set PATH VALUE
aggregator-mcp config set PATH --secret < FILE
aggregator-mcp config unset PATH
aggregator-mcp config history
aggregator-mcp config undo [ID] [--dry-run]

Show or change values of the configuration. Everything else in the file stays byte for byte, and
running aggregators apply it immediately. PATH is such as mcpServers.notes.env.TOKEN; if a name has
dots, a list in JSON. VALUE is JSON, or else a text. history lists the last 50 changes with who made
them, also those of add, remove, import and registry; undo shows and undoes one, by default the last.

      --dry-run      show what undo would write
      --secret       read the value from stdin, store it in the keychain, or without one in a file that
                     only you can read, and write a reference
  -c, --config FILE`,
  options: { secret: { type: 'boolean' }, 'dry-run': { type: 'boolean' } },
  async run({ settings, words, values, print, printJson, log }) {
    const [word = 'show', path = '', value, ...more] = words
    const action = oneOf(actions, word, 'config: The action')
    const isSecret = values['secret'] === true
    const hasValue = action === 'set' && !isSecret
    if (more.length > 0 || (!hasValue && value !== undefined))
      throw new UsageError(`config ${action}: Unexpected argument ${more[0] ?? value}.`)
    if ((action === 'set' || action === 'unset') && path === '')
      throw new UsageError(`config ${action}: Name a path, such as mcpServers.notes.enabled.`)
    if (hasValue && value === undefined)
      throw new UsageError(`config set ${path}: Enter a value, or --secret.`)
    const opening = { settings, log }
    return withOperations(
      opening,
      action !== 'show' && action !== 'history',
      async (_, perform) => {
        if (action === 'show') {
          const { files } = await perform('config', getConfig)
          for (const { path: file, version: _version, ...data } of files) {
            print(file)
            printJson(path === '' ? data : valueAt(data, pathOf(path)), 2)
          }
        } else if (action === 'history') await printHistory(perform, print)
        else if (action === 'undo') await undo(path, values['dry-run'] === true, { perform, print })
        else {
          const secret = isSecret ? (await readAll(process.stdin)).replace(/\r?\n$/, '') : undefined
          const at = pathOf(path)
          const edit = { path: at, value: secret ?? valueAtPath(at, value ?? ''), isSecret }
          const body = { edits: [action === 'unset' ? { path: edit.path } : edit] }
          const done = await perform(`config ${action}`, editConfig, { body })
          print(`${action === 'set' ? 'Set' : 'Removed'} ${path} in ${done.path}.`)
          if (hasValue && isInClear(at, value ?? ''))
            print(
              'It is in clear in the file. --secret stores it elsewhere, and writes a reference.',
            )
        }
        return 0
      },
    )
  },
}

type Print = (text: string) => void

async function printHistory(perform: Perform, print: Print): Promise<void> {
  const { edits } = await perform('config history', listEdits)
  for (const { id, at, by = '', via = '', what, diff } of edits)
    for (const line of [`${id} ${at} ${by} ${via}: ${what}`, ...diff.map((each) => `  ${each}`)])
      print(line)
  if (edits.length === 0) print('No change is kept.')
}

/** Shows what undoing writes, and writes it. @throws {UsageError} why it cannot be undone */
async function undo(
  word: string,
  isDry: boolean,
  { perform, print }: { perform: Perform; print: Print },
): Promise<void> {
  const id = word || (await perform('config undo', listEdits)).edits[0]?.id
  if (id === undefined) throw new UsageError('config undo: There is no change to undo.')
  const params = { id }
  const { diff, version, refusal } = await perform('config undo', previewUndo, { params })
  for (const line of diff) print(line)
  if (refusal) throw new UsageError(`config undo: ${refusal.reason} ${refusal.remedy}`)
  if (isDry) return
  const undone = await perform('config undo', undoConfig, { body: { id, version } })
  print(`Undone in ${undone.path}: ${undone.what}`)
  if (undone.what.startsWith('import'))
    print('Clients stay as they are: aggregator-mcp import --undo restores them too.')
}

function pathOf(text: string): string[] {
  const list = text.startsWith('[') ? parsed(text) : undefined
  return Array.isArray(list) ? list.map(String) : text.split('.')
}

/** Variables and headers are texts, also if they look like JSON. */
const valueAtPath = (path: readonly string[], text: string): unknown =>
  /^(?:env|headers)$/.test(path.at(-2) ?? '') ? text : parsed(text)

const parsed = (text: string): unknown => attempt((): unknown => JSON.parse(text), text)
