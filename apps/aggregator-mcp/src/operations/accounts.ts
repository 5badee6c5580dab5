import { z } from 'zod'
import type { OperationContext } from './context.ts'
import { component, type Operation, operation } from './operation.ts'
import { ApiError } from './problem.ts'
import { unitCalled } from './servers.ts'

export const signInOperations: readonly Operation[] = [
  operation({
    method: 'post',
    path: '/servers/{unit}/sign-in',
    summary:
      'Begin a sign-in. The user continues at the URL, in a browser on the machine of the aggregator.',
    answer: component('SignInPage', { url: z.string() }),
    audit: ({ unit }) => `login ${unit}`,
    async run({ unit }, context) {
      const config = signable(unit, context)
      context.signInStates.forget(unit)
      return { url: await context.signIns.begin(config) }
    },
  }),
  operation({
    method: 'delete',
    path: '/servers/{unit}/sign-in',
    summary:
      'Sign out: delete the tokens, and revoke them at the authorization server if possible.',
    audit: ({ unit }) => `logout ${unit}`,
    answer: component('SignOut', { outcome: z.enum(['none', 'forgotten', 'revoked']) }),
    async run({ unit }, context) {
      const config = signable(unit, context)
      const outcome = await context.signIns.signOut(config)
      context.signInStates.forget(unit)
      context.changed('sign-ins')
      return { outcome }
    },
  }),
]

function signable(name: string, context: OperationContext) {
  const unit = unitCalled(name, context)
  if (unit.type !== 'stdio') return unit
  throw new ApiError(
    409,
    'no_sign_in',
    `${name} runs on this machine over stdio. Sign-ins are for servers over HTTP.`,
  )
}
