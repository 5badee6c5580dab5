import { text as readAll } from 'node:stream/consumers'
import { attempt } from '@pith-mcp/base/attempt'
import { valueAt } from '@pith-mcp/server-kit/files'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { isInClear } from '../config-file/mask.ts'
import { editConfig, getConfig, undoConfig } from '../operations/config.ts'
import { type Command, oneOf } from './command.ts'
import { withOperations } from './with-operations.ts'

const actions = ['show', 'set', 'unset', 'undo'] as const

export const command: Command = {
  usage: `aggregator-mcp config [show] [PATH]
aggregator-mcp config set PATH VALUE
aggregator-mcp config set PATH --secret < FILE
aggregator-mcp config unset PATH
aggregator-mcp config undo

Show or change values of the configuration. Everything else in the file stays byte for byte, and
running aggregators apply it immediately. PATH is such as mcpServers.notes.env.TOKEN; if a name has
dots, a list in JSON. VALUE is JSON, or else a text.

      --secret       read the value from stdin, store it in the keychain, or without one in a file that
                     only you can read, and write a reference
  -c, --config FILE`,
  options: { secret: { type: 'boolean' } },
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
    return withOperations(opening, action !== 'show', async (_, perform) => {
      if (action === 'show') {
        const { files } = await perform('config', getConfig)
        for (const { path: file, version: _version, ...data } of files) {
          print(file)
          printJson(path === '' ? data : valueAt(data, pathOf(path)), 2)
        }
      } else if (action === 'undo') {
        const undone = await perform('config undo', undoConfig)
        print(`Undone in ${undone.path}: ${undone.what}`)
      } else {
        const secret = isSecret ? (await readAll(process.stdin)).replace(/\r?\n$/, '') : undefined
        const at = pathOf(path)
        const edit = { path: at, value: secret ?? valueAtPath(at, value ?? ''), isSecret }
        const body = { edits: [action === 'unset' ? { path: edit.path } : edit] }
        const done = await perform(`config ${action}`, editConfig, { body })
        print(`${action === 'set' ? 'Set' : 'Removed'} ${path} in ${done.path}.`)
        if (hasValue && isInClear(at, value ?? ''))
          print('It is in clear in the file. --secret stores it elsewhere, and writes a reference.')
      }
      return 0
    })
  },
}

function pathOf(text: string): string[] {
  const list = text.startsWith('[') ? parsed(text) : undefined
  return Array.isArray(list) ? list.map(String) : text.split('.')
}

/** Variables and headers are texts, also if they look like JSON. */
const valueAtPath = (path: readonly string[], text: string): unknown =>
  /^(?:env|headers)$/.test(path.at(-2) ?? '') ? text : parsed(text)

const parsed = (text: string): unknown => attempt((): unknown => JSON.parse(text), text)
