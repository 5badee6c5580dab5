import { ProblemError } from '../api/answer-of.ts'
import type { Api } from '../api/create-api.ts'
import { useAct } from '../api/hooks.ts'
import type { Schemas } from '../api/schemas.ts'
import { WriteButton } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/dialog.tsx'
import { PlainText } from '../ui/plain-text.tsx'

const pastForms = { start: 'started', stop: 'stopped', restart: 'restarted' } as const

type Verb = keyof typeof pastForms

/** The actions that the state of a server allows. */
export function ServerActions({ server }: { server: Schemas['Server'] }) {
  const { unit, state } = server
  const acting = {
    send: (api: Api, verb: Verb) =>
      api.POST(`/api/v1/servers/{unit}/${verb}`, { params: { path: { unit } } }),
    invalidates: ['servers', 'server', 'receipt'],
    successText: (_: unknown, verb: Verb) => `${unit} ${pastForms[verb]}.`,
  }
  const act = useAct(acting)
  const press = (verb: Verb, word: string) => (
    <WriteButton
      isBusy={act.isPending && act.variables === verb}
      aria-label={`${word} ${unit}`}
      onClick={() => act.mutate(verb)}
    >
      {word}
    </WriteButton>
  )
  if (state === 'disabled' || state === 'unusable') return null
  const isUp = state === 'ready' || state === 'starting'
  return (
    <div className="button-row">
      {state === 'needs_sign_in' && <SignInButton unit={unit}>Sign in</SignInButton>}
      {!isUp && state !== 'needs_sign_in' && press('start', 'Start')}
      {isUp && press('restart', 'Restart')}
      {isUp && (
        <ConfirmButton
          {...acting}
          send={(api) => acting.send(api, 'stop')}
          successText={() => acting.successText(undefined, 'stop')}
          kind="plain"
          action="Stop"
          label={`Stop ${unit}`}
          title="Stop this server?"
        >
          <p>
            Calls in progress finish, and new calls fail. <PlainText>{unit}</PlainText> stays
            stopped until someone starts it here.
          </p>
        </ConfirmButton>
      )}
    </div>
  )
}

/** Opens the sign-in page of a server. An event reports when the sign-in is complete. */
export function SignInButton({ unit, children }: { unit: string; children: string }) {
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
