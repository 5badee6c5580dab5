import type { UseMutationResult } from '@tanstack/react-query'
import { ProblemError } from '../api/answer-of.ts'
import { useAct } from '../api/use-act.ts'

/** Opens the sign-in page of a server. An event reports when the sign-in is complete. */
export function useSignIn(unit: string): UseMutationResult<{ url: string }, Error, undefined> {
  return useAct({
    async send(api) {
      const path = { unit }
      const reply = await api.POST('/api/v1/servers/{unit}/sign-in', { params: { path } })
      if (reply.data && !/^https?:\/\//i.test(reply.data.url))
        throw new ProblemError(`The sign-in URL is not a web page: ${reply.data.url}`, 0)
      return reply
    },
    invalidates: ['servers', 'server'],
    successText: ({ url }) => `Sign in at ${new URL(url).host} in the tab that opened.`,
    onDone: ({ url }) => void window.open(url, '_blank', 'noopener,noreferrer'),
  })
}
