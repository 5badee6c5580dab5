import { type ReactNode, useState } from 'react'
import { useConsole } from '../api/console-context.ts'
import { answerOf, type Schemas } from '../api/create-api.ts'
import { useAct } from '../api/use-act.ts'
import { useSignIn } from '../servers/use-sign-in.ts'
import { WriteButton } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { PlainText } from '../ui/plain-text.tsx'

const outcomes = {
  none: 'There was nothing to forget.',
  forgotten: 'The sign-in is forgotten here; the server was not told.',
  revoked: 'The sign-in is revoked and forgotten.',
} as const

export function SignInActions({ server }: { server: Schemas['Server'] }): ReactNode {
  const { api } = useConsole()
  const { unit, signIn: state } = server
  const [isAsking, setAsking] = useState(false)
  const signIn = useSignIn(unit)
  const signOut = useAct({
    ask: () =>
      answerOf(api.DELETE('/api/v1/servers/{unit}/sign-in', { params: { path: { unit } } })),
    changes: ['servers', 'server'],
    says: ({ outcome }) => outcomes[outcome],
    done: () => setAsking(false),
  })
  return (
    <div className="button-row">
      <WriteButton
        aria-label={`Sign in at ${unit}`}
        isBusy={signIn.isPending}
        onClick={() => signIn.mutate(undefined)}
      >
        {state === 'signed in' ? 'Sign in again' : 'Sign in'}
      </WriteButton>
      {state !== 'none' && (
        <WriteButton
          kind="danger"
          aria-label={`Sign out of ${unit}`}
          onClick={() => setAsking(true)}
        >
          Sign out
        </WriteButton>
      )}
      {isAsking && (
        <ConfirmDialog
          title="Sign out?"
          action="Sign out"
          isBusy={signOut.isPending}
          onConfirm={() => signOut.mutate(undefined)}
          onClose={() => setAsking(false)}
        >
          <p>
            The tokens for <PlainText>{unit}</PlainText> are revoked where the server allows it, and
            deleted here. Calls fail until someone signs in again.
          </p>
        </ConfirmDialog>
      )}
    </div>
  )
}
