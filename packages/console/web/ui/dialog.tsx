import { type ReactNode, useEffect, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import './dialog.css'

interface DialogProps {
  title: string
  onClose: () => void
  children: ReactNode
  isWide?: boolean
}

/** A modal dialog, open while mounted. Escape and a click outside close it. */
export function Dialog({ title, onClose, children, isWide }: DialogProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    element?.showModal()
    return () => {
      element?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  // Outside of tables, whose styles it would inherit.
  return createPortal(
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is handled by onCancel.
    <dialog
      ref={dialog}
      className={isWide ? 'dialog is-wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose()
      }}
    >
      <div className="dialog-body">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>,
    document.body,
  )
}
