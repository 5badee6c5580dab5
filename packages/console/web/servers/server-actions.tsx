import { type ReactNode, useState } from 'react'
import { answerOf } from '../api/answer-of.ts'
import { useConsole } from '../api/console-context.ts'
import type { Schemas } from '../api/schemas.ts'
import { useAct } from '../api/use-act.ts'
import { WriteButton } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { useSignIn } from './use-sign-in.ts'

type Verb = 'start' | 'stop' | 'restart'

const pastForms: Record<Verb, string> = { start: 'started', stop: 'stopped', restart: 'restarted' }

/** The actions that the state of a server allows. */
export function ServerActions({ server }: { server: Schemas['Server'] }): ReactNode {
  const { api } = useConsole()
  const [isConfirming, setConfirming] = useState(false)
  const { unit, state } = server
  const path = { unit }
  const signIn = useSignIn(unit)
  const act = useAct({
    send: (verb: Verb) =>
      answerOf(
        verb === 'start'
          ? api.POST('/api/v1/servers/{unit}/start', { params: { path } })
          : verb === 'stop'
            ? api.POST('/api/v1/servers/{unit}/stop', { params: { path } })
            : api.POST('/api/v1/servers/{unit}/restart', { params: { path } }),
      ),
    invalidates: ['servers', 'server', 'receipt'],
    successText: (_answer, verb) => `${unit} ${pastForms[verb]}.`,
    onDone: () => setConfirming(false),
  })
  const press = (verb: Verb, word: string) => (
    <WriteButton
      isBusy={act.isPending && act.variables === verb}
      aria-label={`${word} ${unit}`}
      onClick={() => (verb === 'stop' ? setConfirming(true) : act.mutate(verb))}
    >
      {word}
    </WriteButton>
  )
  if (state === 'disabled' || state === 'unusable') return null
  const isUp = state === 'ready' || state === 'starting'
  return (
    <div className="button-row">
      {state === 'needs_sign_in' && (
        <WriteButton
          isBusy={signIn.isPending}
          aria-label={`Sign in to ${unit}`}
          onClick={() => signIn.mutate(undefined)}
        >
          Sign in
        </WriteButton>
      )}
      {!isUp && state !== 'needs_sign_in' && press('start', 'Start')}
      {isUp && press('restart', 'Restart')}
      {isUp && press('stop', 'Stop')}
      {isConfirming && (
        <ConfirmDialog
          title="Stop this server?"
          action="Stop"
          isBusy={act.isPending}
          onConfirm={() => act.mutate('stop')}
          onClose={() => setConfirming(false)}
        >
          <p>
            Calls in progress finish, and new calls fail. <PlainText>{unit}</PlainText> stays
            stopped until someone starts it here.
          </p>
        </ConfirmDialog>
      )}
    </div>
  )
}
