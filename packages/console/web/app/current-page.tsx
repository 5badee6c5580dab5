import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { useSearch } from 'wouter/use-browser-location'
import { Overview } from '../overview/overview.tsx'
import { toolPage } from '../text/paths.ts'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { loadPage, reloadOnceItAnswers } from './page-loading.ts'
import { usePath } from './use-path.ts'

type PageOf<Props> = ComponentType<Props>

function later<Props extends object>(load: () => Promise<PageOf<Props>>): PageOf<Props> {
  return lazy(async () => ({ default: await loadPage(load) })) as unknown as PageOf<Props>
}

const Servers = later(async () => (await import('../servers/servers-page.tsx')).ServersPage)
const Server = later(async () => (await import('../servers/server-page.tsx')).ServerPage)
const Tools = later(async () => (await import('../tools/tools-page.tsx')).ToolsPage)
const Tool = later(async () => (await import('../tools/tool-page.tsx')).ToolPage)
const Live = later(async () => (await import('../live/live-page.tsx')).LivePage)
const Usage = later(async () => (await import('../usage/usage-page.tsx')).UsagePage)
const Journal = later(async () => (await import('../journal/journal-page.tsx')).JournalPage)
const Pins = later(async () => (await import('../pins/pins-page.tsx')).PinsPage)
const Accounts = later(async () => (await import('../accounts/accounts-page.tsx')).AccountsPage)
const Profiles = later(async () => (await import('../profiles/profiles-page.tsx')).ProfilesPage)
const Tokens = later(async () => (await import('../tokens/tokens-page.tsx')).TokensPage)

/** Names may contain slashes, so the path is split before it is decoded. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function pageOf(path: string, query: URLSearchParams): ReactNode {
  const [page = '', first, ...rest] = path.split('/').slice(1).map(decoded)
  const depth = rest.length > 0 ? 3 : first !== undefined ? 2 : 1
  if (depth === 2 && page === 'servers') return <Server unit={first ?? ''} />
  const [server, name] = [query.get('server'), query.get('name')]
  if (path === toolPage && server && name) return <Tool server={server} name={name} />
  const top: Record<string, ReactNode> = {
    '': <Overview />,
    servers: <Servers />,
    tools: <Tools />,
    live: <Live />,
    usage: <Usage />,
    journal: <Journal />,
    pins: <Pins />,
    accounts: <Accounts />,
    profiles: <Profiles />,
    tokens: <Tokens />,
  }
  if (depth === 1 && Object.hasOwn(top, page)) return top[page]
  return (
    <Page title="Page not found">
      <p>There is no page at this address. Choose one from the navigation.</p>
    </Page>
  )
}

export function CurrentPage(): ReactNode {
  const path = usePath()
  const search = useSearch()
  return (
    <ErrorBoundary
      key={path === toolPage ? path + search : path}
      onRetry={() => void reloadOnceItAnswers()}
    >
      <Suspense fallback={<Skeleton lines={10} />}>
        {pageOf(path, new URLSearchParams(search))}
      </Suspense>
    </ErrorBoundary>
  )
}
