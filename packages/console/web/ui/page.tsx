import { type ReactNode, useEffect, useRef } from 'react'
import { spellOddCharacters } from '../text/odd-characters.ts'
import './page.css'

interface PageProps {
  title: string
  /** The title in sight, if there is more to it than words. */
  heading?: ReactNode
  lede?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** Whether the next page was navigated to: the first one leaves the focus where it is. */
const navigation = { isFirst: true }

/** The one `h1` of a page, which takes the focus when one comes to it. */
export function Page({ title, heading, lede, actions, children }: PageProps): ReactNode {
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
          {lede && <p>{lede}</p>}
        </div>
        {actions && <div className="button-row">{actions}</div>}
      </header>
      {children}
    </div>
  )
}
