import { z } from 'zod'
import type { ApiContext } from '../operation/context.ts'
import { type Operation, operation } from '../operation/operation.ts'
import { ApiError } from '../operation/problem.ts'
import { named } from '../schemas/named.ts'
import { unitCalled } from './servers.ts'

const tag = 'sign-ins'
const params = z.object({ unit: z.string() })

export const signInOperations: readonly Operation[] = [
  operation({
    method: 'post',
    path: '/servers/{unit}/sign-in',
    tag,
    summary:
      'Begin a sign-in. The user continues at the URL, in a browser on the machine of the aggregator.',
    params,
    answer: named('SignInPage', { url: z.string() }),
    async run({ params: { unit } }, context) {
      const found = signable(unit, context)
      context.signInStates.forget(unit)
      return { url: await context.signIns.begin(found) }
    },
  }),
  operation({
    method: 'delete',
    path: '/servers/{unit}/sign-in',
    tag,
    summary:
      'Sign out: delete the tokens, and revoke them at the authorization server if possible.',
    params,
    answer: named('SignOut', { outcome: z.enum(['none', 'forgotten', 'revoked']) }),
    async run({ params: { unit } }, context) {
      const found = signable(unit, context)
      const outcome = await context.signIns.signOut(found)
      context.signInStates.forget(unit)
      context.live.changed('sign-ins')
      return { outcome }
    },
  }),
]

function signable(name: string, context: ApiContext) {
  const unit = unitCalled(name, context)
  if (unit.type !== 'stdio') return unit
  throw new ApiError(
    409,
    'no_sign_in',
    `${name} runs on this machine over stdio. Sign-ins are for servers over HTTP.`,
  )
}
