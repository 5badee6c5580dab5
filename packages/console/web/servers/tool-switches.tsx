import { valueAt } from '@pith-mcp/base/table'
import { useState } from 'react'
import { Link } from 'wouter'
import { useConfig, useTools } from '../api/hooks.ts'
import type { Schemas } from '../api/schemas.ts'
import { ChangeReview } from '../settings/change-review.tsx'
import type { ValueEdit } from '../settings/edits-of.ts'
import { countOf } from '../text/numbers.ts'
import { toolPath } from '../text/paths.ts'
import { WriteButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { CheckField } from '../ui/fields.tsx'
import { Answered, Empty, Panel } from '../ui/page.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import './tool-switches.css'

type Tool = Schemas['ToolSummary']
type Overrides = Readonly<Record<string, { name?: string; enabled?: boolean }>>

/** Enables and disables single tools of a server, in the configuration. */
export function ToolSwitches({ server }: { server: string }) {
  const query = useTools({ server })
  const config = useConfig()
  const file = config.data?.files.find((entry) => valueAt(entry, ['mcpServers', server]))
  const overrides = (valueAt(file, ['mcpServers', server, 'tools']) ?? {}) as Overrides
  /** What was switched, by the names of tools at the server. */
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(new Map())
  /** The version that the saved choices changed: until the next one is read, they still show. */
  const [savedVersion, setSavedVersion] = useState<string>()
  const [isReviewing, setReviewing] = useState(false)
  const isSaved = savedVersion !== undefined
  const switched = isSaved && savedVersion !== file?.version ? noChoices : choices
  const isOn = (tool: string): boolean => switched.get(tool) ?? overrides[tool]?.enabled !== false
  const edits = [...(isSaved ? noChoices : choices)]
    .filter(([tool, isEnabled]) => (overrides[tool]?.enabled !== false) !== isEnabled)
    .map(
      ([tool, isEnabled]): ValueEdit => ({
        path: ['mcpServers', server, 'tools', tool, 'enabled'],
        ...(!isEnabled && { value: false }),
      }),
    )
  return (
    <Panel
      title="Tools"
      aside={
        <WriteButton
          disabledReason={edits.length === 0 ? 'Switch tools on or off first.' : undefined}
          onClick={() => setReviewing(true)}
        >
          {edits.length > 0 ? `Review ${countOf(edits.length, 'change')}` : 'Review changes'}
        </WriteButton>
      }
      isFlush
    >
      <Answered query={query} lines={5}>
        {(tools) =>
          tools.length === 0 ? (
            <Empty title="No tools yet">The server lists its tools when it starts.</Empty>
          ) : (
            <ul className="tool-switches">
              {tools.map((tool) => {
                const name = upstreamName(tool, overrides)
                return (
                  <ToolSwitch
                    key={tool.name}
                    tool={tool}
                    isEnabled={isOn(name)}
                    onChange={(isEnabled) => {
                      setChoices(new Map(switched).set(name, isEnabled))
                      setSavedVersion(undefined)
                    }}
                  />
                )
              })}
            </ul>
          )
        }
      </Answered>
      {isReviewing && file && (
        <Dialog title={`Tools of ${server}`} onClose={() => setReviewing(false)} isWide>
          <ChangeReview
            edits={edits}
            version={file.version}
            what={`${countOf(edits.length, 'change')} of ${server} saved.`}
            onBack={() => setReviewing(false)}
            onSaved={() => {
              setSavedVersion(file.version)
              setReviewing(false)
            }}
          />
        </Dialog>
      )}
    </Panel>
  )
}

const noChoices: ReadonlyMap<string, boolean> = new Map()

interface ToolSwitchProps {
  tool: Tool
  isEnabled: boolean
  onChange: (isEnabled: boolean) => void
}

function ToolSwitch({ tool, isEnabled, onChange }: ToolSwitchProps) {
  const { server, name, absent, tokens } = tool
  return (
    <li>
      <CheckField isChecked={isEnabled} onChange={onChange}>
        <span className="for-readers">Enable </span>
        <PlainText>{name}</PlainText>
      </CheckField>
      <small>
        {absent ? (
          <PlainText>{absent}</PlainText>
        ) : (
          <>
            <Link href={toolPath({ server, name })}>Details</Link> · {countOf(tokens, 'token')}
          </>
        )}
      </small>
    </li>
  )
}

/** The name at the server, by which the configuration has its settings. */
function upstreamName({ name }: Tool, overrides: Overrides): string {
  return Object.entries(overrides).find(([, override]) => override.name === name)?.[0] ?? name
}
