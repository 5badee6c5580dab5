import type { ReactNode } from 'react'
import { ProblemError } from '../api/answer-of.ts'
import { useAct } from '../api/use-act.ts'
import { WriteButton } from '../ui/button.tsx'

/** Opens the sign-in page of a server. An event reports when the sign-in is complete. */
export function SignInButton({ unit, children }: { unit: string; children: string }): ReactNode {
  const signIn = useAct({
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
  return (
    <WriteButton
      aria-label={`Sign in to ${unit}`}
      isBusy={signIn.isPending}
      onClick={() => signIn.mutate(undefined)}
    >
      {children}
    </WriteButton>
  )
}
