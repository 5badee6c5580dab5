import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { useServers, useTools } from '../api/hooks.ts'
import { serverPath, toolPath } from '../text/paths.ts'
import { Dialog } from '../ui/dialog.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { pages } from './pages.tsx'
import './jump-dialog.css'

/** Calls `open` on Ctrl K or ⌘ K. */
export function useJumpKey(open: () => void): void {
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      open()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}

/** Finds pages, servers and tools by any part of their names. */
export function JumpDialog({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  const [activeIndex, setActiveIndex] = useState(0)
  const goals = useGoals(text)
  const id = useId()

  const go = (goal: Goal | undefined) => {
    if (!goal) return
    onClose()
    navigate(goal.path)
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && goals.length > 0) {
      event.preventDefault()
      setActiveIndex((activeIndex + step + goals.length) % goals.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      go(goals[activeIndex])
    }
  }

  return (
    <Dialog title="Go to" onClose={onClose}>
      <input
        role="combobox"
        aria-label="A page, a server or a tool"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={goals.length > 0 ? optionId(id, activeIndex) : undefined}
        placeholder="A page, a server or a tool"
        autoComplete="off"
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setActiveIndex(0)
        }}
        onKeyDown={press}
      />
      <div role="listbox" id={id} className="jump-list" aria-label="Results">
        {goals.map((goal, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox above handles the keys.
          <div
            role="option"
            key={`${goal.kind}/${goal.path}`}
            id={optionId(id, index)}
            tabIndex={-1}
            aria-selected={index === activeIndex}
            onClick={() => go(goal)}
          >
            <PlainText isClipped>{goal.name}</PlainText>
            <span>{goal.kind}</span>
          </div>
        ))}
      </div>
      {goals.length === 0 && <p>No page, server or tool matches.</p>}
    </Dialog>
  )
}

const optionId = (listId: string, index: number) => `${listId}-${index}`

interface Goal {
  path: string
  name: string
  kind: string
}

const maxShown = 12

/** The first pages, servers and tools whose name and kind contain all words of a text. */
function useGoals(text: string): Goal[] {
  const servers = useServers().data
  const tools = useTools().data
  const goals = useMemo<Goal[]>(
    () => [
      ...pages.flatMap(({ items }) => items.map((item) => ({ ...item, kind: 'Page' }))),
      ...(servers ?? []).map(({ unit }) => ({
        path: serverPath(unit),
        name: unit,
        kind: 'Server',
      })),
      ...(tools ?? []).map((tool) => ({
        path: toolPath(tool),
        name: tool.name,
        kind: tool.server,
      })),
    ],
    [servers, tools],
  )
  return useMemo(() => {
    const words = text.toLowerCase().split(/\s+/)
    return goals
      .filter(({ name, kind }) =>
        words.every((word) => `${name} ${kind}`.toLowerCase().includes(word)),
      )
      .slice(0, maxShown)
  }, [goals, text])
}
