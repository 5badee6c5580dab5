import type { ReactNode } from 'react'
import type { Schemas } from '../api/schemas.ts'
import { Button } from '../ui/button.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { PlainText } from '../ui/plain-text.tsx'

interface CreatedTokenDialogProps {
  created: Schemas['CreatedToken']
  onClose: () => void
}

export function CreatedTokenDialog({ created, onClose }: CreatedTokenDialogProps): ReactNode {
  return (
    <Dialog title="Copy the token now" onClose={onClose}>
      <p>
        The token <PlainText>{created.name}</PlainText> is not shown again. Only its hash is stored.
      </p>
      <CodeBlock label="Token">{created.token}</CodeBlock>
      <p>
        Clients send it as <code>Authorization: Bearer …</code>
      </p>
      <div className="dialog-actions">
        <Button kind="main" onClick={onClose}>
          I have copied it
        </Button>
      </div>
    </Dialog>
  )
}
