import { valueAt } from '@pith-mcp/base/table'
import { useConfig } from '../api/hooks.ts'
import { EditButton } from '../settings/edit-button.tsx'

/** The members of an entry, by section of its form. */
const sectionsOf = (isCommand: boolean) => ({
  Start: isCommand
    ? ['command', 'args', 'env', 'cwd']
    : ['type', 'url', 'serverUrl', 'httpUrl', 'headers', 'oauth'],
  Tools: ['description', 'tags', 'allow', 'deny', 'readOnly', 'tools'],
  Limits: [
    ...['rate', 'maxConcurrency', 'timeoutSeconds', 'startTimeoutSeconds', 'idleMinutes'],
    ...['per', 'maxInstances'],
  ],
  Trust: [...(isCommand ? ['sandbox'] : []), 'pin', 'annotations', 'results', 'asks'],
  Accounts: ['accounts', 'account'],
})

/** Opens the form of a server's settings, also of one that is disabled. */
export function EditServer({ name }: { name: string }) {
  const { files = [] } = useConfig().data ?? {}
  const path = ['mcpServers', name]
  const entry = files.map((file) => valueAt(file, path)).find(Boolean)
  if (entry === undefined) return null
  const isCommand = valueAt(entry, ['command']) !== undefined
  // Of the three names of a URL, only the one that is used.
  const { Start, ...rest } = sectionsOf(isCommand)
  const isUsed = (key: string): boolean => !/Url$/.test(key) || valueAt(entry, [key]) !== undefined
  return (
    <EditButton
      title={`Edit ${name}`}
      path={['mcpServers']}
      name={name}
      sections={{ Start: Start.filter(isUsed), ...rest }}
    />
  )
}
