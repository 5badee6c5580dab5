import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface ConfirmDialogProps {
  title: string
  /** Describes the consequences. */
  children: ReactNode
  action: string
  isBusy: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks for confirmation of an action with consequences. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <div>{props.children}</div>
      <div className="dialog-actions">
        <Button onClick={props.onClose}>Cancel</Button>
        <Button kind="danger" isBusy={props.isBusy} onClick={props.onConfirm}>
          {props.action}
        </Button>
      </div>
    </Dialog>
  )
}
