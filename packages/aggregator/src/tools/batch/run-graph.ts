/** The outcome of a command. */
export type Outcome<R> =
  | { state: 'done'; result: R }
  | { state: 'failed'; error: unknown }
  /** Not started: another command failed, or the client cancelled. */
  | { state: 'skipped'; because: string }

export interface Node {
  id: string
  after: readonly string[]
}

/**
 * Runs each node after the nodes it waits for, at most `maxConcurrency` at a time. Nodes that wait
 * for one that failed or was skipped are skipped. The graph must not have a cycle. Never rejects.
 */
export function runGraph<N extends Node, R>(
  nodes: readonly N[],
  run: (node: N) => Promise<R>,
  { maxConcurrency, signal, onEnd }: RunOptions,
): Promise<Map<string, Outcome<R>>> {
  const outcomes = new Map<string, Outcome<R>>()
  const queue = new Set(nodes)
  let running = 0
  return new Promise((resolve) => {
    const end = (node: N, outcome: Outcome<R>): void => {
      outcomes.set(node.id, outcome)
      onEnd?.(outcomes.size)
    }
    const next = (): void => {
      for (let isSettling = true; isSettling; ) {
        isSettling = false
        for (const node of queue) {
          const ended = node.after.map((id) => ({ id, outcome: outcomes.get(id) }))
          const bad = ended.find(({ outcome }) => outcome !== undefined && outcome.state !== 'done')
          if (bad || signal.aborted) {
            queue.delete(node)
            const why = bad
              ? `${bad.id} ${bad.outcome?.state === 'failed' ? 'failed' : 'was skipped'}`
              : 'the batch was cancelled'
            end(node, { state: 'skipped', because: why })
            isSettling = true
          } else if (
            running < maxConcurrency &&
            ended.every(({ outcome }) => outcome !== undefined)
          ) {
            queue.delete(node)
            start(node)
          }
        }
      }
      if (queue.size === 0 && running === 0) resolve(outcomes)
    }
    const start = (node: N): void => {
      running++
      run(node)
        .then(
          (result) => end(node, { state: 'done', result }),
          (error: unknown) => end(node, { state: 'failed', error }),
        )
        .finally(() => {
          running--
          next()
        })
    }
    next()
  })
}

interface RunOptions {
  maxConcurrency: number
  signal: AbortSignal
  /** Called with the number of nodes that have ended. */
  onEnd?: (ended: number) => void
}
