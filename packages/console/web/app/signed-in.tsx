import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { answerOf, isRefusal } from '../api/answer-of.ts'
import type { Api } from '../api/create-api.ts'
import { createLive, type Live } from '../api/create-live.ts'
import { createToasts, type Toasts } from '../api/create-toasts.ts'
import type { Schemas } from '../api/schemas.ts'
import { type Console, ConsoleContext } from '../api/use-console.ts'
import { PlainText } from '../ui/plain-text.tsx'
import { reloadIfIncomplete } from './page-loading.ts'
import { Shell } from './shell.tsx'
import '../ui/toast-region.css'

interface SignedInProps {
  api: Api
  session: Schemas['Session']
  onLeave: () => void
}

/** The queries to fetch again for each `changed` event. */
const affected: Record<string, readonly string[]> = {
  pins: ['pins', 'tools', 'tool', 'servers', 'attention'],
  config: ['config', 'servers', 'server', 'tools', 'profiles', 'receipt', 'pins', 'attention'],
  approvals: ['approvals', 'attention'],
  tokens: ['tokens'],
  catalog: ['tools', 'tool', 'receipt', 'profiles', 'servers', 'attention'],
  'sign-ins': ['servers', 'server', 'attention'],
}

/** Holds what lasts as long as a session: cached queries, events and notifications. */
export function SignedIn({ api, session, onLeave }: SignedInProps) {
  const [queries] = useState(createQueries)
  const [toasts] = useState(createToasts)
  const [live, setLive] = useState<Live>()

  useEffect(() => {
    const opened = createLive({
      open: (signal) =>
        answerOf(api.GET('/api/v1/events', { parseAs: 'stream', cache: 'no-store', signal })),
      onServers(changed) {
        const before = queries.getQueryData<Schemas['Server'][]>(['servers']) ?? []
        const states = new Map(before.map(({ unit, state }) => [unit, state]))
        if (changed.some(({ unit, state }) => states.get(unit) !== state))
          void queries.invalidateQueries({ queryKey: ['attention'] })
        queries.setQueryData<Schemas['Server'][]>(
          ['servers'],
          (servers) => servers && mergeServers(servers, changed),
        )
        for (const { unit } of changed)
          void queries.invalidateQueries({ queryKey: ['server', unit] })
      },
      onChanged(what) {
        for (const key of new Set(what.flatMap((topic) => affected[topic] ?? [])))
          void queries.invalidateQueries({ queryKey: [key] })
      },
      onResumed() {
        if (!reloadIfIncomplete()) void queries.invalidateQueries()
      },
    })
    setLive(opened)
    return opened.close
  }, [api, queries])

  const console = useMemo<Console | undefined>(
    () =>
      live && {
        api,
        live,
        toasts,
        session,
        readOnlyReason: session.scopes.includes('console')
          ? undefined
          : 'This session is read-only: its scope is console:read.',
        noAdminReason: session.scopes.includes('console:admin')
          ? undefined
          : 'This requires the scope console:admin.',
        signOut() {
          void answerOf(api.DELETE('/api/v1/session'))
            .then(onLeave)
            .catch((error: Error) => toasts.showError(error))
        },
      },
    [api, live, toasts, session, onLeave],
  )

  if (!console) return null
  return (
    <QueryClientProvider client={queries}>
      <ConsoleContext value={console}>
        <Shell />
        <ToastRegion toasts={toasts} />
      </ConsoleContext>
    </QueryClientProvider>
  )
}

/** `servers` events lack the sign-in state, which has its own event: keep the known one. */
function mergeServers(
  servers: Schemas['Server'][],
  changed: Schemas['Server'][],
): Schemas['Server'][] {
  const byUnit = new Map(changed.map((server) => [server.unit, server]))
  const merged = servers.map((server) => {
    const now = byUnit.get(server.unit)
    return now && server.signIn ? { signIn: server.signIn, ...now } : (now ?? server)
  })
  const units = new Set(servers.map(({ unit }) => unit))
  return [...merged, ...changed.filter(({ unit }) => !units.has(unit))]
}

function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (count, error) => count < 2 && !isRefusal(error),
      },
    },
  })
}

function ToastRegion({ toasts }: { toasts: Toasts }) {
  const visibleToasts = useSyncExternalStore(toasts.subscribe, toasts.view)
  return (
    <section className="toasts" aria-label="Notifications" aria-live="polite">
      {visibleToasts.map(({ id, text, remedy, isError }) => (
        <div key={id} className={isError ? 'toast is-error' : 'toast'}>
          <div>
            <PlainText>{text}</PlainText>
            {remedy && (
              <p>
                <PlainText>{remedy}</PlainText>
              </p>
            )}
          </div>
          <button type="button" aria-label="Dismiss" onClick={() => toasts.dismiss(id)}>
            ×
          </button>
        </div>
      ))}
    </section>
  )
}
