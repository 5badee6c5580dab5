import { decoded } from '@pith-mcp/base/decoded'
import { type FormEvent, useCallback, useEffect, useState } from 'react'
import { answerOf, ProblemError } from '../api/answer-of.ts'
import { createApi, createProof } from '../api/create-api.ts'
import type { Schemas } from '../api/schemas.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields.tsx'
import { ProblemNote } from '../ui/page.tsx'
import { Logo } from './logo.tsx'
import { reloadIfIncomplete } from './page-loading.ts'
import { SignedIn } from './signed-in.tsx'
import './sign-in-page.css'
import './app.css'

type Entrance =
  | { at: 'loading' }
  | { at: 'sign-in'; error?: Error }
  | { at: 'error'; error: Error }
  | { at: 'console'; session: Schemas['Session']; key: string | undefined }

const ended = new ProblemError(
  'The session has ended.',
  401,
  'Sessions end when the aggregator restarts, on sign-out, and after 12 hours without use.',
)

/** Signs in with the code of the link, or else with the cookie and its proof. */
export function App() {
  const [proof] = useState(createProof)
  const [api] = useState(() => createApi(proof))
  const [entrance, setEntrance] = useState<Entrance>({ at: 'loading' })

  const enter = useCallback(async () => {
    const key = proof.read()
    try {
      setEntrance({ at: 'console', session: await answerOf(api.GET('/api/v1/session')), key })
    } catch (error) {
      const isSignedOut = error instanceof ProblemError && error.status === 401
      if (!isSignedOut) setEntrance({ at: 'error', error: error as Error })
      else if (proof.read() === undefined) setEntrance(toSignIn)
    }
  }, [api, proof])

  /** Storing the proof signs in all tabs. */
  const signIn = useCallback(
    async ({ code = '', token }: Key) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
      const signedIn = await answerOf(api.POST('/api/v1/session', { body: { code }, headers }))
      proof.store(signedIn.proof)
    },
    [api, proof],
  )

  useEffect(() => {
    const unwatch = proof.watch(() => {
      if (proof.read() === undefined) setEntrance(toSignIn)
      else if (!reloadIfIncomplete()) void enter()
    })
    const begin = () => {
      const code = takeCode()
      if (!code) return enter()
      return signIn({ code }).catch((error: Error) => setEntrance({ at: 'sign-in', error }))
    }
    const again = () => {
      if (location.hash.startsWith('#code=')) void begin()
    }
    void begin()
    addEventListener('hashchange', again)
    return () => {
      unwatch()
      removeEventListener('hashchange', again)
    }
  }, [proof, enter, signIn])

  const leave = useCallback(() => {
    proof.forget(proof.read())
    setEntrance({ at: 'sign-in' })
  }, [proof])

  if (entrance.at === 'loading') return null
  if (entrance.at === 'sign-in') return <SignInPage error={entrance.error} signIn={signIn} />
  if (entrance.at === 'error')
    return (
      <main className="trouble">
        <h1>Pith console</h1>
        <ProblemNote error={entrance.error} onRetry={enter} />
      </main>
    )
  const { session, key } = entrance
  // The key drops all state of the previous session.
  return <SignedIn key={key} api={api} session={session} onLeave={leave} />
}

/** To the sign-in page, with the reason if a session has ended. */
function toSignIn(entrance: Entrance): Entrance {
  if (entrance.at === 'sign-in') return entrance
  return entrance.at === 'console' ? { at: 'sign-in', error: ended } : { at: 'sign-in' }
}

/** The code of a sign-in link, which is removed from the address bar and the history. */
function takeCode(): string | undefined {
  const code = /^#code=(.+)$/.exec(location.hash)?.[1]
  if (code === undefined) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  return decoded(code)
}

/** A credential: the code of a link, or an access token. */
interface Key {
  code?: string
  token?: string
}

interface SignInPageProps {
  error: Error | undefined
  signIn: (key: Key) => Promise<void>
}

function SignInPage({ error, signIn }: SignInPageProps) {
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
