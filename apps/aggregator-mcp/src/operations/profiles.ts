import { z } from 'zod'
import { component, type Operation, operation } from './operation.ts'
import { described } from './tokens.ts'
import { modeTokens } from './usage.ts'

const profile = component('Profile', {
  name: z
    .string()
    .optional()
    .describe('Absent for requests without a profile, which can access everything.'),
  description: z.string().optional(),
  isDefault: z.boolean(),
  rules: z.record(z.string(), z.unknown()).describe('The rules in the configuration.'),
  servers: z.array(z.string()),
  tools: z.int(),
  listTokens: modeTokens,
  callers: z
    .array(z.string())
    .describe('Configured callers and valid tokens with this profile; token:NAME for a token.'),
  path: z.string().describe('Path of its MCP endpoint.'),
})

export const profileOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/profiles',
    summary: 'List profiles and what each exposes.',
    answer: z.object({ profiles: z.array(profile) }),
    async run(_, { aggregator, config, ownerSession, state: { tokens } }) {
      const { profiles = {}, callers = {}, profile: defaultName } = config().settings
      // A credential without a profile has the default one.
      const holders = [
        ...Object.entries(callers).map(([caller, { profile: profileName = defaultName }]) => ({
          caller,
          profile: profileName,
        })),
        ...(tokens?.list() ?? [])
          .filter((token) => described(token).state === 'valid')
          .map(({ name, profile: profileName = defaultName }) => ({
            caller: `token:${name}`,
            profile: profileName,
          })),
      ]
      const exposed = [undefined, ...Object.keys(profiles)].map(async (name) => {
        const access = { profile: name }
        const view = aggregator.gateway.viewFor({
          session: { ...ownerSession, access },
          capabilities: {},
        })
        const { receipt } = await aggregator.receipt({ access, ask: false })
        const { description, ...rules } = (name === undefined ? undefined : profiles[name]) ?? {}
        return {
          name,
          description,
          isDefault: name === defaultName,
          rules: { ...rules },
          servers: view.servers.map((server) => server.name),
          tools: receipt.tools,
          listTokens: receipt.listTokens,
          callers: holders.filter(({ profile }) => profile === name).map(({ caller }) => caller),
          path: name === undefined ? '/mcp' : `/mcp/${name}`,
        }
      })
      return { profiles: await Promise.all(exposed) }
    },
  }),
]
