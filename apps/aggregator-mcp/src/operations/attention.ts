import { z } from 'zod'
import { attentionItem, attentionOf } from '../attention/attention-of.ts'
import { activityOf } from '../attention/recent-activity.ts'
import { idleSettings } from '../open/idle-settings.ts'
import { factsOf } from '../open/running.ts'
import { type Operation, operation } from './operation.ts'

export const attentionOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/attention',
    summary: 'List what needs a person, the most important first, each with its fix.',
    answer: z.object({ items: z.array(attentionItem) }),
    async run(_, context) {
      const { aggregator, config, state } = context
      const facts = factsOf(context, await idleSettings(config(), aggregator))
      return { items: attentionOf({ ...facts, ...(await activityOf(state, 1)) }) }
    },
  }),
]
