import { AggregatorError } from '#servers/protocol/aggregator-error'
import { saysItReadsOnly } from '../catalog/policy/tool-rules.ts'
import { call, callTool } from './call.ts'
import type { MetaTool } from './meta-tool.ts'

/** For clients that ask their user before each `call`, and can allow this tool once for all. */
export const callReadOnly: MetaTool = {
  name: 'call_read_only',
  isOffered: ({ readOnlyCall = false }) => readOnlyCall,
  description: () => 'call, for tools that only read.',
  inputSchema: { type: 'object' },
  alsoTaken: ['module', 'tool_name', 'params', 'select', ...(call.alsoTaken ?? [])],
  annotations: { readOnlyHint: true },
  answer: (args, requested, deps) =>
    callTool(args, requested, deps, ({ server, name, definition }) => {
      if (saysItReadsOnly(definition)) return
      throw new AggregatorError(
        'call_denied',
        `${server.name}.${name} does not say that it only reads. Nothing was called.`,
        'Use call.',
      )
    }),
}
