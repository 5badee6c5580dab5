import { unitName } from '@pith-mcp/aggregator'
import type { Command } from './command.ts'
import { serverNamed } from './login.ts'
import { withSignIns } from './with-sign-ins.ts'

const said = {
  none: 'was not signed in.',
  forgotten: 'is signed out here; the server could not be told.',
  revoked: 'is signed out, here and at the server.',
} as const

export const command: Command = {
  usage: `aggregator-mcp logout SERVER[@ACCOUNT] [--config FILE]

Forgets the tokens of a sign-in, and tells the authorization server where that can be told.`,
  options: {},
  async run(context) {
    const server = await serverNamed(context)
    return withSignIns(context, async (signIns) => {
      const outcome = await signIns.signOut(server)
      context.print(`${unitName(server)} ${said[outcome]}`)
      return 0
    })
  },
}
