import { type ReactNode, useSyncExternalStore } from 'react'
import { useConsole } from '../api/console-context.ts'
import { Dot } from '../ui/badge.tsx'

const words = {
  connecting: ['info', 'Connecting'],
  live: ['ok', 'Live'],
  reconnecting: ['warn', 'Reconnecting'],
} as const

export function LiveState(): ReactNode {
  const { live } = useConsole()
  const state = useSyncExternalStore(live.subscribe, () => live.view().state)
  const [tone, word] = words[state]
  return (
    <span className="live-state" role="status">
      <Dot tone={tone}>{word}</Dot>
    </span>
  )
}
