import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { usePins, useServers } from '../api/use-answers.ts'
import { needsAttention } from '../servers/server-states.ts'
import { pages } from './pages.tsx'
import { usePath } from './use-path.ts'
import './navigation.css'

export function Navigation({ onChosen }: { onChosen: () => void }): ReactNode {
  const path = usePath()
  const servers = useServers().data ?? []
  const waiting = (usePins().data ?? []).reduce((sum, pin) => sum + pin.waiting.length, 0)
  const troubled = servers.filter(needsAttention).length
  const counts: Record<string, readonly [number, string]> = {
    '/servers': [troubled, 'with problems'],
    '/pins': [waiting, 'waiting'],
  }
  return (
    <nav className="navigation" aria-label="Pages">
      {pages.map(({ group, items }) => (
        <div key={group}>
          {group && <h2>{group}</h2>}
          <ul>
            {items.map(({ path: to, name }) => {
              const isHere = to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`)
              const [count, meaning] = counts[to] ?? [0, '']
              return (
                <li key={to}>
                  <Link href={to} aria-current={isHere ? 'page' : undefined} onClick={onChosen}>
                    {name}
                    {count > 0 && (
                      <span className="count">
                        {count}
                        <span className="for-readers"> {meaning}</span>
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
