import type { ReactNode } from 'react'
import type { Schemas } from '../api/schemas.ts'
import { SignInButton } from '../servers/sign-in-button.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { PlainText } from '../ui/plain-text.tsx'

const outcomes = {
  none: 'There was no sign-in.',
  forgotten: 'Signed out here. The tokens could not be revoked at the server.',
  revoked: 'Signed out. The tokens were revoked and deleted.',
} as const

export function SignInActions({ server }: { server: Schemas['Server'] }): ReactNode {
  const { unit, signIn: state } = server
  return (
    <div className="button-row">
      <SignInButton unit={unit}>{state === 'signed in' ? 'Sign in again' : 'Sign in'}</SignInButton>
      {state !== 'none' && (
        <ConfirmButton
          action="Sign out"
          label={`Sign out of ${unit}`}
          title="Sign out?"
          send={(api) =>
            api.DELETE('/api/v1/servers/{unit}/sign-in', { params: { path: { unit } } })
          }
          invalidates={['servers', 'server']}
          successText={({ outcome }) => outcomes[outcome]}
        >
          <p>
            The tokens for <PlainText>{unit}</PlainText> are deleted here, and revoked if the server
            supports that. Calls fail until someone signs in again.
          </p>
        </ConfirmButton>
      )}
    </div>
  )
}
