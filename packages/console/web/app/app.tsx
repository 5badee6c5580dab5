import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { answerOf, createApi, ProblemError, type Schemas } from '../api/create-api.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { type Key, SignInPage } from './sign-in-page.tsx'
import { SignedIn } from './signed-in.tsx'
import { takeCode } from './take-code.ts'
import './app.css'

type Entrance =
  | { at: 'asking' }
  | { at: 'door'; error?: Error }
  | { at: 'trouble'; error: Error }
  | { at: 'inside'; session: Schemas['Session'] }

/** Who asks is found out first: by the code of the link, else by the cookie. */
export function App(): ReactNode {
  const [api] = useState(createApi)
  const [queries] = useState(createQueries)
  const [entrance, setEntrance] = useState<Entrance>({ at: 'asking' })

  const enter = useCallback(async () => {
    try {
      setEntrance({ at: 'inside', session: await answerOf(api.GET('/api/v1/session')) })
    } catch (error) {
      const isOutside = error instanceof ProblemError && error.status === 401
      setEntrance(isOutside ? { at: 'door' } : { at: 'trouble', error: error as Error })
    }
  }, [api])

  const signIn = useCallback(
    async ({ code = '', token }: Key) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
      await answerOf(api.POST('/api/v1/session', { body: { code }, headers }))
      await enter()
    },
    [api, enter],
  )

  useEffect(() => {
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
    return () => removeEventListener('hashchange', again)
  }, [enter, signIn])

  const leave = useCallback(() => {
    queries.clear()
    setEntrance({ at: 'door' })
  }, [queries])

  if (entrance.at === 'asking') return null
  if (entrance.at === 'door') return <SignInPage error={entrance.error} signIn={signIn} />
  if (entrance.at === 'trouble')
    return (
      <main className="trouble">
        <h1>Pith console</h1>
        <ProblemNote error={entrance.error} onRetry={enter} />
      </main>
    )
  return (
    <QueryClientProvider client={queries}>
      <SignedIn api={api} session={entrance.session} onLeave={leave} />
    </QueryClientProvider>
  )
}

function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // What the server refuses it refuses again.
        retry: (count, error) =>
          count < 2 &&
          (!(error instanceof ProblemError) || error.status === 0 || error.status >= 500),
      },
    },
  })
}
