import { z } from 'zod'
import { type Operation, operation } from '../operation/operation.ts'
import { profile } from '../schemas/profile.ts'

export const profileOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/profiles',
    tag: 'profiles',
    summary: 'List profiles and what each exposes.',
    answer: z.object({ profiles: z.array(profile) }),
    async run(_, { aggregator, config, ownerSession }) {
      const { profiles = {}, callers = {}, profile: defaultName } = config().settings
      const described = [undefined, ...Object.keys(profiles)].map(async (name) => {
        const access = { profile: name }
        const view = aggregator.gateway.viewFor({
          session: { ...ownerSession, access },
          capabilities: {},
        })
        const { receipt } = await aggregator.receipt({ access, ask: false })
        const { description, ...rules } = (name === undefined ? undefined : profiles[name]) ?? {}
        const own = Object.entries(callers).filter(([, caller]) => caller.profile === name)
        return {
          name,
          description,
          isDefault: name === defaultName,
          rules: { ...rules },
          servers: view.servers.map((server) => server.name),
          tools: receipt.tools,
          listTokens: receipt.listTokens,
          callers: own.map(([caller]) => caller),
          path: name === undefined ? '/mcp' : `/mcp/${name}`,
        }
      })
      return { profiles: await Promise.all(described) }
    },
  }),
]
