import { type ReactNode, Suspense } from 'react'
import { useSearch } from 'wouter/use-browser-location'
import { decoded, toolPage } from '../text/paths.ts'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { reloadOnceItAnswers } from './page-loading.ts'
import { pages, Server, Tool } from './pages.tsx'
import { usePath } from './use-path.ts'

function pageOf(path: string, query: URLSearchParams): ReactNode {
  // Names may contain slashes, so the path is split before it is decoded.
  const [page = '', first, ...rest] = path.split('/').slice(1).map(decoded)
  const depth = rest.length > 0 ? 3 : first !== undefined ? 2 : 1
  if (depth === 2 && page === 'servers') return <Server unit={first ?? ''} />
  const [server, name] = [query.get('server'), query.get('name')]
  if (path === toolPage && server && name) return <Tool server={server} name={name} />
  const found = pages.flatMap(({ items }) => items).find((item) => item.path === `/${page}`)
  if (depth === 1 && found) return <found.Content />
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
