import type { UseMutationResult } from '@tanstack/react-query'
import { answerOf, ProblemError } from '../api/answer-of.ts'
import { useConsole } from '../api/console-context.ts'
import { useAct } from '../api/use-act.ts'

/** Opens the sign-in page of a server. An event reports when the sign-in is complete. */
export function useSignIn(unit: string): UseMutationResult<{ url: string }, Error, undefined> {
  const { api } = useConsole()
  return useAct({
    async send() {
      const path = { unit }
      const answer = await answerOf(
        api.POST('/api/v1/servers/{unit}/sign-in', { params: { path } }),
      )
      if (!/^https?:\/\//i.test(answer.url))
        throw new ProblemError(`The sign-in URL is not a web page: ${answer.url}`, 0)
      return answer
    },
    invalidates: ['servers', 'server'],
    successText: ({ url }) => `Sign in at ${new URL(url).host} in the tab that opened.`,
    onDone: ({ url }) => void window.open(url, '_blank', 'noopener,noreferrer'),
  })
}
