import type { ReactNode } from 'react'
import { ConfirmButton } from '../ui/dialog.tsx'

interface RemoveSettingProps {
  path: readonly string[]
  isAdmin?: boolean
  children: ReactNode
}

/** Removes a member of the configuration, after a confirmation. */
export function RemoveSetting({ path, isAdmin = false, children }: RemoveSettingProps) {
  const name = path.at(-1) ?? ''
  return (
    <ConfirmButton
      action="Remove"
      label={`Remove ${name}`}
      title={`Remove ${name}?`}
      isAdmin={isAdmin}
      send={(api) => api.POST('/api/v1/config/edit', { body: { edits: [{ path: [...path] }] } })}
      invalidates={['config', 'profiles']}
      successText={() => `${name} removed from the configuration.`}
    >
      {children}
    </ConfirmButton>
  )
}
