import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { type Act, useAct } from '../api/hooks.ts'
import { Button, type ButtonProps, WriteButton } from './button.tsx'
import './dialog.css'

interface DialogProps {
  title: string
  onClose: () => void
  children: ReactNode
  isWide?: boolean
}

/** A modal dialog, open while mounted. Escape and a click outside close it. */
export function Dialog({ title, onClose, children, isWide }: DialogProps) {
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
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is handled by `onCancel`.
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

interface ConfirmButtonProps<Output> extends Act<undefined, Output> {
  /** The text of the button, and of the one that confirms. */
  action: string
  kind?: ButtonProps['kind']
  isAdmin?: boolean
  label?: string
  /** Of the dialog. */
  title: string
  /** Describes the consequences. */
  children: ReactNode
}

/** A button that asks for confirmation of an action with consequences. */
export function ConfirmButton<Output>(props: ConfirmButtonProps<Output>) {
  const { action, kind = 'danger', isAdmin, label, title, children, ...act } = props
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending } = useAct({
    ...act,
    onDone(output, input) {
      setAsking(false)
      act.onDone?.(output, input)
    },
  })
  return (
    <>
      <WriteButton kind={kind} isAdmin={isAdmin} aria-label={label} onClick={() => setAsking(true)}>
        {action}
      </WriteButton>
      {isAsking && (
        <Dialog title={title} onClose={() => setAsking(false)}>
          <div>{children}</div>
          <div className="dialog-actions">
            <Button onClick={() => setAsking(false)}>Cancel</Button>
            <Button kind="danger" isBusy={isPending} onClick={() => mutate(undefined)}>
              {action}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  )
}
