import { useState } from 'react'
import { WriteButton } from '../ui/button.tsx'
import { SettingsDialog, type SettingsDialogProps } from './settings-dialog.tsx'

interface EditButtonProps extends Omit<SettingsDialogProps, 'onClose'> {
  /** The text of the button. */
  action?: string
  isAdmin?: boolean
}

/** A button that opens the form of settings. */
export function EditButton({ action = 'Edit', isAdmin = false, ...dialog }: EditButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <WriteButton aria-label={dialog.title} isAdmin={isAdmin} onClick={() => setOpen(true)}>
        {action}
      </WriteButton>
      {isOpen && <SettingsDialog {...dialog} onClose={() => setOpen(false)} />}
    </>
  )
}
