import { readFileSync } from 'node:fs'
import { countOf } from '@pith-mcp/base/count-of'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { jsonErrorAt, textOf } from '../text-of.ts'
import type { Command } from './command.ts'
import { withAggregator } from './with-aggregator.ts'

export const command: Command = {
  usage: `aggregator-mcp call SERVER TOOL [PARAMS] [--select FIELD] [--account NAME] [--again] [--json]

Call a tool. PARAMS is JSON, or "-" to read stdin. --select prints
only a field, such as items[].title (repeatable), a JSONPath, or the
places of a text. --again sends a call whose outcome is unknown once
more. --json prints the whole result.
Exits with 1 if the tool fails.`,
  options: {
    account: { type: 'string', short: 'a' },
    again: { type: 'boolean' },
    select: { type: 'string', multiple: true, short: 's' },
    json: { type: 'boolean' },
  },
  async run(context) {
    const { words, values, printText, printJson } = context
    const { module, tool, params } = toolCallIn(words, 'call')
    return withAggregator(context, async ({ callOwnTool }) => {
      const args = {
        module,
        tool_name: tool,
        params,
        account: values['account'],
        again: values['again'],
        select: values['select'],
      }
      const result = await callOwnTool('call', args)
      if (values['json'] === true) printJson(result, 2)
      else printText(textOf(result))
      return result['isError'] === true ? 1 : 0
    })
  },
}

/** `SERVER TOOL [PARAMS]`; the parameters may come from stdin. @throws {UsageError} */
export function toolCallIn(words: readonly string[], command: string) {
  const [module, tool, params, ...more] = words
  if (module === undefined || tool === undefined || more.length > 0)
    throw new UsageError(
      `${command}: Expected SERVER TOOL [PARAMS], got ${countOf(words.length, 'argument')}.`,
    )
  return { module, tool, params: paramsIn(params, command) }
}

function paramsIn(word = '{}', command: string): unknown {
  const text = word === '-' ? readFileSync(0, 'utf8') : word
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${command}: PARAMS must be valid JSON${jsonErrorAt(text, error)}.`)
  }
}
