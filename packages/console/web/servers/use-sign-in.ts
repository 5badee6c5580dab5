import type { UseMutationResult } from '@tanstack/react-query'
import { useConsole } from '../api/console-context.ts'
import { answerOf, ProblemError } from '../api/create-api.ts'
import { useAct } from '../api/use-act.ts'

/** Opens the page at which one signs in at a server; that it is done comes as an event. */
export function useSignIn(unit: string): UseMutationResult<{ url: string }, Error, undefined> {
  const { api } = useConsole()
  return useAct({
    async ask() {
      const path = { unit }
      const answer = await answerOf(
        api.POST('/api/v1/servers/{unit}/sign-in', { params: { path } }),
      )
      if (!/^https?:\/\//i.test(answer.url))
        throw new ProblemError(`The address to sign in at is no web page: ${answer.url}`, 0)
      return answer
    },
    changes: ['servers', 'server'],
    says: ({ url }) => `Sign in at ${new URL(url).host} in the tab that opened.`,
    done: ({ url }) => void window.open(url, '_blank', 'noopener,noreferrer'),
  })
}
