import { type ReactNode, useState } from 'react'
import { answerOf } from '../api/answer-of.ts'
import { useConsole } from '../api/console-context.ts'
import type { Schemas } from '../api/schemas.ts'
import { useAct } from '../api/use-act.ts'
import { useSignIn } from '../servers/use-sign-in.ts'
import { WriteButton } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { PlainText } from '../ui/plain-text.tsx'

const outcomes = {
  none: 'There was no sign-in.',
  forgotten: 'Signed out here. The tokens could not be revoked at the server.',
  revoked: 'Signed out. The tokens were revoked and deleted.',
} as const

export function SignInActions({ server }: { server: Schemas['Server'] }): ReactNode {
  const { api } = useConsole()
  const { unit, signIn: state } = server
  const [isConfirming, setConfirming] = useState(false)
  const signIn = useSignIn(unit)
  const signOut = useAct({
    send: () =>
      answerOf(api.DELETE('/api/v1/servers/{unit}/sign-in', { params: { path: { unit } } })),
    invalidates: ['servers', 'server'],
    successText: ({ outcome }) => outcomes[outcome],
    onDone: () => setConfirming(false),
  })
  return (
    <div className="button-row">
      <WriteButton
        aria-label={`Sign in to ${unit}`}
        isBusy={signIn.isPending}
        onClick={() => signIn.mutate(undefined)}
      >
        {state === 'signed in' ? 'Sign in again' : 'Sign in'}
      </WriteButton>
      {state !== 'none' && (
        <WriteButton
          kind="danger"
          aria-label={`Sign out of ${unit}`}
          onClick={() => setConfirming(true)}
        >
          Sign out
        </WriteButton>
      )}
      {isConfirming && (
        <ConfirmDialog
          title="Sign out?"
          action="Sign out"
          isBusy={signOut.isPending}
          onConfirm={() => signOut.mutate(undefined)}
          onClose={() => setConfirming(false)}
        >
          <p>
            The tokens for <PlainText>{unit}</PlainText> are deleted here, and revoked if the server
            supports that. Calls fail until someone signs in again.
          </p>
        </ConfirmDialog>
      )}
    </div>
  )
}
