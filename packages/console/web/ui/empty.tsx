import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'
import './empty.css'

interface EmptyProps {
  title: string
  children?: ReactNode
  /** A command that adds content here. */
  command?: string
}

export function Empty({ title, children, command }: EmptyProps): ReactNode {
  return (
    <div className="empty">
      <strong>{title}</strong>
      {children && <p>{children}</p>}
      {command && (
        <div className="empty-command">
          <code>{command}</code>
          <CopyButton text={command} label="Copy the command" />
        </div>
      )}
    </div>
  )
}
