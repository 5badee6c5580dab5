import { unitName } from '@pith-mcp/aggregator'
import type { Command } from './command.ts'
import { serverNamed, withSignIns } from './login.ts'

const outcomeTexts = {
  none: 'was not signed in.',
  forgotten: 'is signed out here. The tokens could not be revoked at the server.',
  revoked: 'is signed out, here and at the server.',
} as const

export const command: Command = {
  usage: `aggregator-mcp logout SERVER[@ACCOUNT] [--config FILE]

Delete the tokens of a sign-in, and revoke them at the authorization server if possible.`,
  options: {},
  async run(context) {
    const server = await serverNamed(context)
    return withSignIns(context, async (signIns) => {
      const outcome = await signIns.signOut(server)
      context.print(`${unitName(server)} ${outcomeTexts[outcome]}`)
      return 0
    })
  },
}
