import { ProblemError } from './answer-of.ts'

interface Toast {
  id: number
  text: string
  remedy: string | undefined
  isError: boolean
}

export type Toasts = ReturnType<typeof createToasts>

/** Notifications, at most four. Errors stay until they are dismissed, others for 6 s. */
export function createToasts() {
  const listeners = new Set<() => void>()
  let toasts: readonly Toast[] = []
  let nextId = 1

  function publish(next: readonly Toast[]): void {
    toasts = next
    for (const listener of listeners) listener()
  }

  const dismiss = (id: number) => publish(toasts.filter((toast) => toast.id !== id))

  function add(text: string, isError: boolean, remedy?: string): void {
    const id = nextId++
    publish([...toasts, { id, text, remedy, isError }].slice(-4))
    if (!isError) setTimeout(() => dismiss(id), 6_000)
  }

  return {
    show: (text: string) => add(text, false),
    showError: (error: Error) =>
      add(error.message, true, error instanceof ProblemError ? error.remedy : undefined),
    dismiss,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    view: () => toasts,
  }
}
