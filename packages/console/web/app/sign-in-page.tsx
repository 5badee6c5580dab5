import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { TextField } from '../ui/text-field.tsx'
import { Logo } from './logo.tsx'
import './sign-in-page.css'

/** A credential: the code of a link, or an access token. */
export interface Key {
  code?: string
  token?: string
}

interface SignInPageProps {
  error: Error | undefined
  signIn: (key: Key) => Promise<void>
}

export function SignInPage({ error, signIn }: SignInPageProps): ReactNode {
  const [token, setToken] = useState('')
  const [problem, setProblem] = useState(error)
  const [isBusy, setBusy] = useState(false)
  useEffect(() => setProblem(error), [error])
  useEffect(() => {
    document.title = 'Sign in · Pith console'
  }, [])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setProblem(undefined)
    try {
      await signIn({ token: token.trim() })
    } catch (cause) {
      setProblem(cause as Error)
      setBusy(false)
    }
  }

  return (
    <main className="sign-in">
      <Logo />
      <h1>Sign in to the console</h1>
      <p>
        On the machine of the aggregator, run this command to open a sign-in link. Each link works
        once.
      </p>
      <pre>aggregator-mcp console</pre>
      {problem && <ProblemNote error={problem} />}
      <form onSubmit={submit}>
        <TextField
          label="Or an access token"
          hint="It needs the scope console, or console:read for read-only access."
          type="password"
          required
          maxLength={10_000}
          value={token}
          onChange={setToken}
        />
        <Button type="submit" kind="main" isBusy={isBusy}>
          Sign in
        </Button>
      </form>
    </main>
  )
}
