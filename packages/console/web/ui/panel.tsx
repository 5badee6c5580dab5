import { type ReactNode, useId } from 'react'
import { PlainText } from './plain-text.tsx'
import './panel.css'

interface PanelProps {
  title: string
  aside?: ReactNode
  /** Without padding, for tables. */
  isFlush?: boolean
  children: ReactNode
}

export function Panel({ title, aside, isFlush, children }: PanelProps): ReactNode {
  const id = useId()
  return (
    <section className={isFlush ? 'panel is-flush' : 'panel'} aria-labelledby={id}>
      <header>
        <h2 id={id}>
          <PlainText>{title}</PlainText>
        </h2>
        {aside && <div className="panel-aside">{aside}</div>}
      </header>
      <div className="panel-body">{children}</div>
    </section>
  )
}
