import { decoded } from '@pith-mcp/base/decoded'
import { Suspense, useState, useSyncExternalStore } from 'react'
import { Link } from 'wouter'
import { usePathname, useSearch } from 'wouter/use-browser-location'
import { useAttention } from '../api/hooks.ts'
import { useConsole } from '../api/use-console.ts'
import { basePath, pathBelow, toolPage } from '../text/paths.ts'
import { Button } from '../ui/button.tsx'
import { Segmented } from '../ui/fields.tsx'
import { ErrorBoundary, Page, Skeleton } from '../ui/page.tsx'
import { Dot, PlainText } from '../ui/plain-text.tsx'
import { JumpDialog, useJumpKey } from './jump-dialog.tsx'
import { Logo } from './logo.tsx'
import { reloadOnceItAnswers } from './page-loading.ts'
import { Access, pages, Server, Tool } from './pages.tsx'
import { readTheme, showTheme } from './theme.ts'
import './navigation.css'
import './shell.css'
import './touch.css'

export function Shell() {
  const { session, readOnlyReason, signOut } = useConsole()
  const [isOpen, setOpen] = useState(false)
  const [isJumping, setJumping] = useState(false)
  useJumpKey(() => setJumping(true))
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <div className="side" data-open={isOpen || undefined}>
        <div className="side-top">
          <Logo />
          <LiveState />
          <Button
            className="menu-button"
            aria-expanded={isOpen}
            aria-controls="menu"
            onClick={() => setOpen(!isOpen)}
          >
            Menu
          </Button>
        </div>
        <div id="menu" className="side-menu">
          <button type="button" className="jump-button" onClick={() => setJumping(true)}>
            Go to… <kbd>Ctrl K</kbd>
          </button>
          <Navigation onChosen={() => setOpen(false)} />
          <footer className="side-foot">
            <ThemeSwitch />
            <div className="who">
              <PlainText isClipped>{session.name ?? 'Owner'}</PlainText>
              <Button kind="quiet" onClick={signOut}>
                Sign out
              </Button>
            </div>
            <div className="version">aggregator-mcp {session.version}</div>
          </footer>
        </div>
      </div>
      <main id="main" tabIndex={-1}>
        {readOnlyReason && <p className="read-only">{readOnlyReason}</p>}
        <CurrentPage />
      </main>
      {isJumping && <JumpDialog onClose={() => setJumping(false)} />}
    </div>
  )
}

const words = {
  connecting: ['info', 'Connecting'],
  live: ['ok', 'Live'],
  reconnecting: ['warn', 'Reconnecting'],
} as const

function LiveState() {
  const { live } = useConsole()
  const state = useSyncExternalStore(live.subscribe, () => live.view().state)
  const [tone, word] = words[state]
  return (
    <span className="live-state" role="status">
      <Dot tone={tone}>{word}</Dot>
    </span>
  )
}

/** Kinds of which each tool or call needs attention. */
const counted = new Set(['tools_held', 'calls_waiting'])

function Navigation({ onChosen }: { onChosen: () => void }) {
  const path = usePath()
  const counts = new Map<string, number>()
  for (const { kind, count = 1, fix } of useAttention().data ?? []) {
    const page = fix.page?.replace(/(?<=\w)[/?].*$/, '') ?? '/'
    counts.set(page, (counts.get(page) ?? 0) + (counted.has(kind) ? count : 1))
  }
  return (
    <nav className="navigation" aria-label="Pages">
      {pages.map(({ group, items }) => (
        <div key={group}>
          {group && <h2>{group}</h2>}
          <ul>
            {items.map(({ path: to, name }) => {
              const isHere = to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`)
              const count = counts.get(to) ?? 0
              return (
                <li key={to}>
                  <Link href={to} aria-current={isHere ? 'page' : undefined} onClick={onChosen}>
                    {name}
                    {count > 0 && (
                      <span className="count">
                        {count}
                        <span className="for-readers"> need attention</span>
                      </span>
                    )}
                  </Link>
                </li>
              )
            })}
          </ul>
        </div>
      ))}
    </nav>
  )
}

function ThemeSwitch() {
  const [theme, setTheme] = useState(readTheme)
  return (
    <Segmented
      label="Theme"
      value={theme}
      options={[
        ['system', 'Auto'],
        ['light', 'Light'],
        ['dark', 'Dark'],
      ]}
      onChange={(choice) => {
        setTheme(choice)
        showTheme(choice)
      }}
    />
  )
}

function pageOf(path: string, query: URLSearchParams) {
  // Names may contain slashes, so the path is split before it is decoded.
  const [page = '', first, ...rest] = path.split('/').slice(1).map(decoded)
  const depth = rest.length > 0 ? 3 : first !== undefined ? 2 : 1
  if (depth === 2 && page === 'servers') return <Server unit={first ?? ''} />
  const [server, name] = [query.get('server'), query.get('name')]
  if (path === toolPage && server && name) return <Tool server={server} name={name} />
  if (depth === 1 && page === 'access') return <Access />
  const match = pages.flatMap(({ items }) => items).find((item) => item.path === `/${page}`)
  if (depth === 1 && match) return <match.Content />
  return (
    <Page title="Page not found">
      <p>There is no page at this address. Choose one from the navigation.</p>
    </Page>
  )
}

function CurrentPage() {
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

/** The path of this page below the base, still encoded: the router's own hook decodes it. */
const usePath = (): string => pathBelow(basePath, usePathname())
