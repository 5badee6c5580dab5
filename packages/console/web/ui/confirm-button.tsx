import { type ReactNode, useState } from 'react'
import { type Act, useAct } from '../api/use-act.ts'
import { Button, type ButtonProps, WriteButton } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface ConfirmButtonProps<Output> extends Act<undefined, Output> {
  /** The text of the button, and of the one that confirms. */
  action: string
  kind?: ButtonProps['kind']
  label?: string
  /** Of the dialog. */
  title: string
  /** Describes the consequences. */
  children: ReactNode
}

/** A button that asks for confirmation of an action with consequences. */
export function ConfirmButton<Output>(props: ConfirmButtonProps<Output>): ReactNode {
  const { action, kind = 'danger', label, title, children, ...act } = props
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
      <WriteButton kind={kind} aria-label={label} onClick={() => setAsking(true)}>
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
