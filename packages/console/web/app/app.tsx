import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { answerOf, createApi, ProblemError, type Schemas } from '../api/create-api.ts'
import { createProof } from '../api/create-proof.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { reloadIfIncomplete } from './page-loading.ts'
import { type Key, SignInPage } from './sign-in-page.tsx'
import { SignedIn } from './signed-in.tsx'
import './app.css'

type Entrance =
  | { at: 'asking' }
  | { at: 'door'; error?: Error }
  | { at: 'trouble'; error: Error }
  | { at: 'inside'; session: Schemas['Session']; visit: string | undefined }

const ended = new ProblemError(
  'The session has ended.',
  401,
  'It does when the aggregator starts anew, when someone signs out, and after 12 hours without use.',
)

/** Who asks is found out first: by the code of the link, else by the cookie and its proof. */
export function App(): ReactNode {
  const [proof] = useState(createProof)
  const [api] = useState(() => createApi(proof))
  const [entrance, setEntrance] = useState<Entrance>({ at: 'asking' })

  const enter = useCallback(async () => {
    const visit = proof.read()
    try {
      setEntrance({ at: 'inside', session: await answerOf(api.GET('/api/v1/session')), visit })
    } catch (error) {
      const isOutside = error instanceof ProblemError && error.status === 401
      if (!isOutside) setEntrance({ at: 'trouble', error: error as Error })
      else if (proof.read() === undefined) setEntrance(outside)
    }
  }, [api, proof])

  /** Whoever has the proof is let in by that, also in other tabs. */
  const signIn = useCallback(
    async ({ code = '', token }: Key) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
      const signedIn = await answerOf(api.POST('/api/v1/session', { body: { code }, headers }))
      proof.keep(signedIn.proof)
    },
    [api, proof],
  )

  useEffect(() => {
    const unwatch = proof.watch(() => {
      if (proof.read() === undefined) setEntrance(outside)
      else if (!reloadIfIncomplete()) void enter()
    })
    const begin = () => {
      const code = takeCode()
      if (!code) return enter()
      return signIn({ code }).catch((error: Error) => setEntrance({ at: 'door', error }))
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
    setEntrance({ at: 'door' })
  }, [proof])

  if (entrance.at === 'asking') return null
  if (entrance.at === 'door') return <SignInPage error={entrance.error} signIn={signIn} />
  if (entrance.at === 'trouble')
    return (
      <main className="trouble">
        <h1>Pith console</h1>
        <ProblemNote error={entrance.error} onRetry={enter} />
      </main>
    )
  const { session, visit } = entrance
  // What one was shown is not for the next.
  return <SignedIn key={visit} api={api} session={session} onLeave={leave} />
}

/** To the door; who was inside is told why. */
function outside(entrance: Entrance): Entrance {
  if (entrance.at === 'door') return entrance
  return entrance.at === 'inside' ? { at: 'door', error: ended } : { at: 'door' }
}

/** The code of the link that was opened, taken out of the address bar and the history. */
function takeCode(): string | undefined {
  const code = /^#code=(.+)$/.exec(location.hash)?.[1]
  if (code === undefined) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  try {
    return decodeURIComponent(code)
  } catch {
    return code
  }
}
