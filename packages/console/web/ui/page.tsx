import { type ReactNode, useEffect, useRef } from 'react'
import { spellOddCharacters } from '../text/odd-characters.ts'
import './page.css'

interface PageProps {
  title: string
  /** Replaces the title in the heading, if it needs markup. */
  heading?: ReactNode
  intro?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** The first page does not move the focus. */
const navigation = { isFirst: true }

/** A page. Its `h1` takes the focus after navigation. */
export function Page({ title, heading, intro, actions, children }: PageProps): ReactNode {
  const h1 = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${spellOddCharacters(title)} · Pith console`
  }, [title])
  useEffect(() => {
    if (navigation.isFirst) navigation.isFirst = false
    else h1.current?.focus()
  }, [])
  return (
    <div className="page">
      <header className="page-header">
        <div className="page-title">
          <h1 ref={h1} tabIndex={-1}>
            {heading ?? title}
          </h1>
          {intro && <p>{intro}</p>}
        </div>
        {actions && <div className="button-row">{actions}</div>}
      </header>
      {children}
    </div>
  )
}
